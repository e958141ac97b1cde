import { OPERATOR } from '../../platform/audit/audit.ts'
import { resetFactors } from '../../identity/sessions/factors/reset-factors.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { requireUser } from '../../identity/users/rules.ts'
import { action } from './actions.ts'
import { TENANT_OPTION } from './arguments.ts'
import { calledAs } from './called-as.ts'
import { withContext } from './context.ts'
import { UsageError } from './failure.ts'

/** `knowledge user reset-factors`. */
export const resetFactorsAction = action(
  'end the second factors of a user who lost them',
  {
    usage: 'user reset-factors EMAIL [options]',
    about:
      'Ends the authenticator app, passkeys and recovery codes of a user, and signs the user out everywhere. The ' +
      'password stays.',
    options: TENANT_OPTION,
  },
  async (words, call) => {
    const { tenant = 'default' } = words.values
    if (words.positionals.length !== 1)
      throw new UsageError(`Name one user by email address. See: ${calledAs('user reset-factors --help')}`)
    const [email] = words.positionals
    return withContext(call, { create: false }, async ({ database }) => {
      await requireTenant(database.queries, tenant)
      const user = await requireUser(database.queries, tenant, email)
      const holder = { tenantId: tenant, userId: user.id }
      const hadSome = await database.write((tx) => resetFactors(tx, holder, OPERATOR), tenant)
      const what = hadSome ? 'The second factors of' : 'There were no second factors of'
      call.stdout.write(`${what} ${user.email}${hadSome ? ' were ended' : ''}\n`)
      return 0
    })
  },
)
