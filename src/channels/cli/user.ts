import { ROLES } from '../../platform/access/scopes.ts'
import { generatePassword } from '../../identity/sessions/generate-password.ts'
import { setPassword } from '../../identity/sessions/set-password.ts'
import { changeUser } from '../../identity/administration/end-access.ts'
import { createUser, listUsers } from '../../identity/users/rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { type Action, runAction } from './actions.ts'
import { type Option, readArguments, refuseMore, TENANT_OPTION } from './arguments.ts'
import { calledAs } from './called-as.ts'
import { UsageError } from './failure.ts'
import { minute, table } from './table.ts'
import { password } from './user-password.ts'
import { ensureFirstTenant, withContext } from './context.ts'

const ROLE_HELP = `one of ${ROLES.join(', ')}`

const create: Action = {
  summary: 'add a user',
  async run(args) {
    const options = {
      ...TENANT_OPTION,
      name: { type: 'string', value: 'NAME', help: 'name of the user (default: the email address)' },
      role: { type: 'string', value: 'ROLE', help: `${ROLE_HELP} (default: reader)` },
      'generate-password': { type: 'boolean', help: 'generate a password to sign in with and print it once' },
    } as const satisfies Record<string, Option>
    const about =
      `Adds a user. To issue a key of the user: ${calledAs('key issue --user EMAIL')}\n` +
      `To set a password to sign in with: ${calledAs('user password EMAIL')}`
    const words = readArguments(args, { usage: 'user create EMAIL [options]', about, options })
    if (words === null) return 0
    const email = oneEmail(words.positionals)
    const { tenant = 'default', name = email, role = 'reader' } = words.values
    return withContext({ create: true }, async (context) => {
      await ensureFirstTenant(context)
      const user = await createUser(context.database, tenant, { email, name, role })
      process.stdout.write(`User ${user.email} (${user.id}) of tenant ${tenant} has the role ${user.role}\n`)
      if (words.values['generate-password'] === true) {
        const made = generatePassword()
        await setPassword(context.database, tenant, user.id, made)
        process.stdout.write(`Password, shown only once: ${made}\n`)
      }
      return 0
    })
  },
}

const list: Action = {
  summary: 'show the users of a tenant',
  async run(args) {
    const about = 'Lists users with their roles.'
    const words = readArguments(args, { usage: 'user list [options]', about, options: TENANT_OPTION })
    if (words === null) return 0
    refuseMore(words.positionals, 'user list')
    const { tenant = 'default' } = words.values
    return withContext({ create: false }, async ({ database }) => {
      await requireTenant(database.queries, tenant)
      const rows = (await listUsers(database.queries, tenant)).map((user) => [
        user.id,
        user.email,
        user.name,
        user.role,
        user.disabled_at === null ? 'active' : `disabled ${minute(user.disabled_at)}`,
      ])
      process.stdout.write(table(['ID', 'EMAIL', 'NAME', 'ROLE', 'STATE'], rows))
      return 0
    })
  },
}

const set: Action = {
  summary: 'change the role of a user',
  async run(args) {
    const options = {
      ...TENANT_OPTION,
      role: { type: 'string', value: 'ROLE', help: ROLE_HELP },
    } as const satisfies Record<string, Option>
    const about = 'Changes the role of a user, which bounds the user and all their keys, from the next request on.'
    const words = readArguments(args, { usage: 'user set EMAIL --role ROLE [options]', about, options })
    if (words === null) return 0
    const { role } = words.values
    if (role === undefined) throw new UsageError(`--role is missing: ${ROLE_HELP}`)
    return change(words.positionals, words.values.tenant, { role }, `has the role ${role} now`)
  },
}

const disable: Action = {
  summary: 'disable a user with all their sessions and keys',
  async run(args) {
    const about =
      'Disables a user and all their keys, from the next request on, and ends their sessions. Their entries stay.'
    const words = readArguments(args, { usage: 'user disable EMAIL [options]', about, options: TENANT_OPTION })
    if (words === null) return 0
    return change(words.positionals, words.values.tenant, { disabled: true }, 'is disabled')
  },
}

const enable: Action = {
  summary: 'enable a disabled user again',
  async run(args) {
    const about = 'Enables a user again, with the same keys.'
    const words = readArguments(args, { usage: 'user enable EMAIL [options]', about, options: TENANT_OPTION })
    if (words === null) return 0
    return change(words.positionals, words.values.tenant, { disabled: false }, 'is enabled')
  },
}

async function change(
  positionals: readonly string[],
  tenant: string | undefined,
  patch: { role?: string; disabled?: boolean },
  done: string,
): Promise<number> {
  const email = oneEmail(positionals)
  return withContext({ create: false }, async ({ database }) => {
    const tenantId = tenant ?? 'default'
    await requireTenant(database.queries, tenantId)
    await changeUser(database, tenantId, email, patch)
    process.stdout.write(`User ${email} ${done}\n`)
    return 0
  })
}

function oneEmail(words: readonly string[]): string {
  if (words.length !== 1) throw new UsageError(`Name one user by email address. See: ${calledAs('user --help')}`)
  return words[0]
}

/** `knowledge user`. */
export async function run(args: readonly string[]): Promise<number> {
  return runAction('user', { create, list, set, password, disable, enable }, args)
}
