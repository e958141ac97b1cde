import { eraseUser } from '../../composition/erase-user.ts'
import { ROLES } from '../../platform/access/scopes.ts'
import { ORDERED_VISIBILITIES } from '../../platform/access/visibility.ts'
import { invalid } from '../../platform/faults.ts'
import { generatePassword } from '../../identity/sessions/generate-password.ts'
import { setPassword } from '../../identity/sessions/set-password.ts'
import { changeUser } from '../../identity/administration/end-access.ts'
import { presentUsers } from '../../identity/users/list-rules.ts'
import { createUser } from '../../identity/users/rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { action, runAction } from './actions.ts'
import { refuseMore, TENANT_OPTION } from './arguments.ts'
import { calledAs, calledHere, quoted } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { endedInWords, HAND_OVER_HELP } from './ended-access.ts'
import { UsageError } from './failure.ts'
import { minute, table } from './table.ts'
import { resetFactorsAction } from './user-factors.ts'
import { password } from './user-password.ts'
import { ensureFirstTenant, withContext } from './context.ts'

const ROLE_HELP = `one of ${ROLES.join(', ')}`

const create = action(
  'add a user',
  {
    usage: 'user create EMAIL [options]',
    about:
      `Adds a user. To issue a key of the user: ${calledAs('key issue --user EMAIL')}\n` +
      `To set a password to sign in with: ${calledAs('user password EMAIL')}`,
    options: {
      ...TENANT_OPTION,
      name: { type: 'string', value: 'NAME', help: 'name of the user (default: the email address)' },
      role: { type: 'string', value: 'ROLE', help: `${ROLE_HELP} (default: reader)` },
      'generate-password': { type: 'boolean', help: 'generate a password to sign in with and print it once' },
    },
  },
  async (words, call) => {
    const email = oneEmail(words.positionals)
    const { tenant = 'default', name = email, role = 'reader' } = words.values
    return withContext(call, { create: true }, async (context) => {
      await ensureFirstTenant(context)
      const user = await createUser(context.database, tenant, { email, name, role })
      call.stdout.write(`User ${user.email} (${user.id}) of tenant ${tenant} has the role ${user.role}\n`)
      if (words.values['generate-password'] === true) {
        const newPassword = generatePassword()
        await setPassword(context.database, tenant, user.id, newPassword)
        call.stdout.write(`Password, shown only once: ${newPassword}\n`)
      }
      const who = `${quoted(user.email)}${tenant === 'default' ? '' : ` --tenant ${tenant}`}`
      if (words.values['generate-password'] !== true)
        call.stdout.write(`To set a password to sign in with: ${calledHere(`user password ${who}`, call.env)}\n`)
      call.stdout.write(`To issue a key of the user: ${calledHere(`key issue --name NAME --user ${who}`, call.env)}\n`)
      return 0
    })
  },
)

const list = action(
  'show the users of a tenant',
  {
    usage: 'user list [options]',
    about: 'Lists users with their roles.',
    options: TENANT_OPTION,
  },
  async (words, call) => {
    refuseMore(words.positionals, 'user list')
    const { tenant = 'default' } = words.values
    return withContext(call, { create: false }, async ({ database }) => {
      await requireTenant(database.queries, tenant)
      const rows = (await presentUsers(database.queries, tenant)).map((user) => [
        user.id,
        user.email,
        user.name,
        user.role,
        user.disabled_at === null ? 'active' : `disabled ${minute(user.disabled_at)}`,
      ])
      call.stdout.write(table(['ID', 'EMAIL', 'NAME', 'ROLE', 'STATE'], rows))
      return 0
    })
  },
)

const set = action(
  'change the role or ceiling of a user',
  {
    usage: 'user set EMAIL [--role ROLE] [--ceiling LEVEL] [options]',
    about:
      'Changes the role or the ceiling of a user. They bound the user and all their keys, from the next request on.\n' +
      'What the user issued or registered and could not with the new ones ends for good, and the command names it.\n' +
      HAND_OVER_HELP,
    options: {
      ...TENANT_OPTION,
      role: { type: 'string', value: 'ROLE', help: ROLE_HELP },
      ceiling: {
        type: 'string',
        value: 'LEVEL',
        help: `highest level that the user sees: ${ORDERED_VISIBILITIES.join(', ')}; none for the role's`,
      },
    },
  },
  async (words, call) => {
    const { role, ceiling } = words.values
    if (role === undefined && ceiling === undefined) throw new UsageError(`--role is missing: ${ROLE_HELP}`)
    const done = [
      ...(role === undefined ? [] : [`has the role ${role} now`]),
      ...(ceiling === undefined ? [] : [`has the ceiling ${ceiling} now`]),
    ].join(' and ')
    const patch = { role, ...(ceiling === undefined ? {} : { ceiling: readCeiling(ceiling) }) }
    return change(call, words.positionals, words.values.tenant, patch, done)
  },
)

/** Reads `--ceiling`. @returns null for the ceiling of the role */
function readCeiling(raw: string): string | null {
  if (raw === 'none') return null
  const ceiling = ORDERED_VISIBILITIES.find((level) => level === raw)
  if (ceiling === undefined)
    throw invalid(['ceiling'], 'enum', `A ceiling must be one of ${ORDERED_VISIBILITIES.join(', ')}, or none`)
  return ceiling
}

const DISABLED =
  'is disabled. Their sessions and the connections of their assistants have ended, and their own keys are refused.\n' +
  'Their own keys work again once the user is enabled; to end them for good, revoke them.'

const disable = action(
  'disable a user with all their sessions and keys',
  {
    usage: 'user disable EMAIL [options]',
    about:
      'Disables a user and all their keys, from the next request on, and ends their sessions. Their entries stay. Keys\n' +
      'that they issued for others and applications that they registered end for good, and the command names them.\n' +
      HAND_OVER_HELP,
    options: TENANT_OPTION,
  },
  async (words, call) => {
    return change(call, words.positionals, words.values.tenant, { disabled: true }, DISABLED)
  },
)

const enable = action(
  'enable a disabled user again',
  {
    usage: 'user enable EMAIL [options]',
    about: 'Enables a user again, with their own keys. What they had issued for others has ended for good.',
    options: TENANT_OPTION,
  },
  async (words, call) => {
    return change(call, words.positionals, words.values.tenant, { disabled: false }, 'is enabled')
  },
)

const erase = action(
  'erase a person, with their private notes',
  {
    usage: 'user erase EMAIL --yes [options]',
    about:
      'Ends the sessions, grants and keys of a person, deletes their private notes with all versions for good, and\n' +
      'replaces their name and address by a pseudonym. Everything else that they wrote stays. This cannot be undone.\n' +
      'Keys that they issued for others and applications that they registered end too, and the command names them.\n' +
      HAND_OVER_HELP,
    options: {
      ...TENANT_OPTION,
      yes: { type: 'boolean', help: 'do it; without this the command changes nothing' },
    },
  },
  async (words, call) => {
    const email = oneEmail(words.positionals)
    const { tenant = 'default', yes = false } = words.values
    if (!yes) throw new UsageError(`This erases ${email} for good. Add --yes to do it`)
    return withContext(call, { create: false }, async ({ database }) => {
      await requireTenant(database.queries, tenant)
      const { id, ended } = await eraseUser(database, tenant, email)
      call.stdout.write(`User ${email} (${id}) was erased\n${endedInWords(ended)}`)
      return 0
    })
  },
)

async function change(
  call: CommandCall,
  positionals: readonly string[],
  tenant: string | undefined,
  patch: { role?: string; ceiling?: string | null; disabled?: boolean },
  done: string,
): Promise<number> {
  const email = oneEmail(positionals)
  return withContext(call, { create: false }, async ({ database }) => {
    const tenantId = tenant ?? 'default'
    await requireTenant(database.queries, tenantId)
    const { ended } = await changeUser(database, tenantId, email, patch)
    call.stdout.write(`User ${email} ${done}\n${endedInWords(ended)}`)
    return 0
  })
}

function oneEmail(words: readonly string[]): string {
  if (words.length !== 1) throw new UsageError(`Name one user by email address. See: ${calledAs('user --help')}`)
  return words[0]
}

const ACTIONS = { create, list, set, password, 'reset-factors': resetFactorsAction, disable, enable, erase }

export const lines = Object.values(ACTIONS).map(({ line }) => line)

/** `knowledge user`. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  return runAction('user', ACTIONS, args, call)
}
