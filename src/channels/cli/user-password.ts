import { generatePassword } from '../../identity/sessions/generate-password.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../platform/access/password-length.ts'
import { setPassword } from '../../identity/sessions/set-password.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { requireUser } from '../../identity/users/rules.ts'
import { action } from './actions.ts'
import { type Option, TENANT_OPTION } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { UsageError } from './failure.ts'
import { INTERRUPTED } from './interrupt.ts'
import { readSecret } from './secret-input.ts'
import { withContext } from './context.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  generate: { type: 'boolean', help: 'generate a password and print it once' },
} as const satisfies Record<string, Option>

/** `knowledge user password`. */
export const password = action(
  'set the password a user signs in with',
  {
    usage: 'user password EMAIL [options]',
    about:
      `Sets the password that a user signs in to the console with, ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} ` +
      'characters, and signs the user out everywhere.\nThe command asks for the password, or reads it from a pipe.',
    options: OPTIONS,
  },
  async (words, call) => {
    const { tenant = 'default', generate = false } = words.values
    if (words.positionals.length !== 1)
      throw new UsageError(`Name one user by email address. See: ${calledAs('user password --help')}`)
    const [email] = words.positionals
    return withContext(call, { create: false }, async ({ database }) => {
      await requireTenant(database.queries, tenant)
      const user = await requireUser(database.queries, tenant, email)
      const newPassword = generate ? generatePassword() : await askForPassword(email, call)
      if (newPassword === null) return INTERRUPTED
      await setPassword(database, tenant, user.id, newPassword)
      if (generate) {
        call.stderr.write(`Password of ${user.email}, shown only once:\n`)
        call.stdout.write(`${newPassword}\n`)
      } else call.stdout.write(`The password of ${user.email} was set\n`)
      return 0
    })
  },
)

/** Asks for a password, twice on a terminal. @returns null after ctrl-C */
async function askForPassword(email: string, call: CommandCall): Promise<string | null> {
  const { isTTY } = call.stdin
  const first = await readSecret(`New password of ${email}: `, call)
  if (first === null && !isTTY) throw new UsageError('Standard input has no password')
  if (first === null || !isTTY) return first
  const again = await readSecret('Repeat the password: ', call)
  if (again !== null && again !== first) throw new UsageError('The passwords differ; nothing was changed')
  return again
}
