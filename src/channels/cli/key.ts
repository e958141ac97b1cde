import { isScope, ROLE_SCOPES, ROLES, type Role, SCOPES } from '../../platform/access/scopes.ts'
import { scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'
import { readPublishable } from '../../identity/api-keys/publishable.ts'
import { countValidIssuedBy, everyKey, findKey } from '../../identity/api-keys/list-rules.ts'
import { issueApiKey } from '../../identity/api-keys/rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { everyUser } from '../../identity/users/list-rules.ts'
import { requireUser } from '../../identity/users/rules.ts'
import { revokeApiKey, revokeWithIssued } from '../../identity/administration/end-access.ts'
import { action, runAction } from './actions.ts'
import { type Option, refuseMore, TENANT_OPTION } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { readExpiry } from './expiry.ts'
import { UsageError } from './failure.ts'
import { publish } from './key-publish.ts'
import { scopesInWords } from './scopes-in-words.ts'
import { minute, table } from './table.ts'
import { type Context, ensureFirstTenant, withContext } from './context.ts'

const ISSUE_OPTIONS = {
  ...TENANT_OPTION,
  name: { type: 'string', value: 'NAME', help: 'what the key is for, to tell it from others' },
  user: { type: 'string', value: 'EMAIL', help: 'user of the key; the key never has more permissions than the user' },
  role: { type: 'string', value: 'ROLE', help: `scopes of a role: ${ROLES.join(', ')} (default: the user's)` },
  scopes: { type: 'string', value: 'LIST', help: 'scopes instead of a role, separated by commas or spaces' },
  expires: { type: 'string', value: 'WHEN', help: '12h, 90d, 8w, 1y, or a date (default: never)' },
  quiet: { type: 'boolean', short: 'q', help: 'print only the key' },
} as const satisfies Record<string, Option>

const issue = action(
  'issue a key and show it once',
  {
    usage: 'key issue --name NAME [options]',
    about: `Issues an API key. It is shown only once, because only its hash is stored.\n\nScopes: ${SCOPES.join(', ')}`,
    options: ISSUE_OPTIONS,
  },
  async (words, call) => {
    refuseMore(words.positionals, 'key issue')
    const { tenant: tenantId = 'default', name, user, role, scopes, expires, quiet } = words.values
    if (name === undefined) throw new UsageError('--name is missing: say what the key is for')
    const expiresAt = expires === undefined ? null : readExpiry(expires)
    const explicit = scopesOf(role, scopes)
    if (explicit === null && user === undefined)
      throw new UsageError('State the permissions of the key: --role, --scopes or --user')
    return withContext(call, { create: true }, async (context) => {
      await ensureFirstTenant(context)
      const { database } = context
      await requireTenant(database.queries, tenantId)
      const owner = user === undefined ? null : await requireUser(database.queries, tenantId, user)
      const keyScopes = explicit ?? scopesOfUser(owner!)
      const userId = owner?.id ?? null
      const { id, key } = await issueApiKey(database, tenantId, { name, scopes: keyScopes, userId, expiresAt })
      if (quiet !== true) {
        const until = expiresAt === null ? 'never expires' : `expires ${minute(expiresAt)}`
        call.stderr.write(`Key ${id} of tenant ${tenantId}, ${until}. It is shown only once:\n`)
      }
      call.stdout.write(`${key}\n`)
      return 0
    })
  },
)

function scopesOf(role: string | undefined, scopes: string | undefined): readonly string[] | null {
  if (role !== undefined && scopes !== undefined) throw new UsageError('Give --role or --scopes, not both')
  if (role !== undefined) {
    if (!Object.hasOwn(ROLE_SCOPES, role)) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`)
    return ROLE_SCOPES[role as Role]
  }
  if (scopes === undefined) return null
  const names = scopes.split(/[\s,]+/).filter((name) => name !== '')
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) throw new UsageError(`There is no scope ${unknown}. The scopes are: ${SCOPES.join(', ')}`)
  if (names.length === 0) throw new UsageError('--scopes names no scope')
  return names
}

const list = action(
  'show the keys of a tenant',
  {
    usage: 'key list [options]',
    about: 'Lists keys by their first characters; the keys themselves are not stored.',
    options: TENANT_OPTION,
  },
  async (words, call) => {
    refuseMore(words.positionals, 'key list')
    const { tenant = 'default' } = words.values
    return withContext(call, { create: false }, (context) => printKeys(context, tenant))
  },
)

async function printKeys({ database: { queries }, call }: Context, tenantId: string): Promise<number> {
  await requireTenant(queries, tenantId)
  const people = await everyUser(queries, tenantId)
  const users = new Map(people.map((user) => [user.id, user.email]))
  const disabled = new Set(people.flatMap(({ id, disabled_at: at }) => (at === null ? [] : [id])))
  const keys = await everyKey(queries, tenantId)
  const byId = new Map(keys.map((key) => [key.id, key]))
  const rows = keys.map((key) => [
    key.id,
    `${key.hint}…`,
    key.name,
    key.user_id === null ? null : users.get(key.user_id),
    mayOf(key),
    stateOf(key, disabled),
    minute(key.last_used_at),
    issuerOf(key, byId, users),
  ])
  call.stdout.write(table(['ID', 'KEY', 'NAME', 'USER', 'MAY', 'STATE', 'LAST USED', 'ISSUED BY'], rows))
  return 0
}

/** Names the issuer of a key: another key (by its first characters), a person or the command line; null if unknown. */
function issuerOf(
  { issuer_kind: kind, issuer_id: id, issuer_user_id: userId }: ApiKeyRow,
  keys: ReadonlyMap<string, ApiKeyRow>,
  users: ReadonlyMap<string, string>,
): string | null {
  if (kind === 'cli') return 'command line'
  if (kind === 'key') return `key ${keys.get(id ?? '')?.hint ?? id}…`
  return kind === null ? null : (users.get(userId ?? '') ?? kind)
}

/** Names the purpose of a publishable key; of another key its scopes, by the nearest role. */
function mayOf({ scopes, publishable }: Pick<ApiKeyRow, 'scopes' | 'publishable'>): string {
  if (publishable !== null) {
    const { sections, origins } = readPublishable(publishable)
    return `search ${sections.join(' and ')} on ${origins.join(', ')}`
  }
  return scopesInWords(scopes)
}

/** Says why a key is refused, or until when it is taken. @param disabled ids of disabled users */
function stateOf(
  { revoked_at: revokedAt, expires_at: expiresAt, user_id: userId }: ApiKeyRow,
  disabled: ReadonlySet<string>,
): string {
  if (revokedAt !== null) return `revoked ${minute(revokedAt)}`
  if (expiresAt !== null && expiresAt <= Date.now()) return `expired ${minute(expiresAt)}`
  if (userId !== null && disabled.has(userId)) return 'disabled with its user'
  return expiresAt === null ? 'valid' : `valid until ${minute(expiresAt)}`
}

const REVOKE_OPTIONS = {
  ...TENANT_OPTION,
  'with-issued': { type: 'boolean', help: 'also revoke all keys that it issued, directly or through others' },
} as const satisfies Record<string, Option>

const revoke = action(
  'revoke a key, from its next request on',
  {
    usage: 'key revoke ID… [options]',
    about: 'Revokes keys by the ids that `key list` shows. A running service refuses their next request.',
    options: REVOKE_OPTIONS,
  },
  async (words, call) => {
    const { tenant = 'default', 'with-issued': withIssued = false } = words.values
    if (words.positionals.length === 0)
      throw new UsageError(`The id of the key is missing. To list the ids: ${calledAs('key list')}`)
    return withContext(call, { create: false }, async ({ database }) => {
      await requireTenant(database.queries, tenant)
      for (const id of words.positionals) {
        if (withIssued) {
          const count = await revokeWithIssued(database, tenant, id)
          const what = count === 1 ? '1 key was' : `${count} keys were`
          call.stdout.write(`Key ${id} and the keys it issued: ${what} revoked now\n`)
          continue
        }
        const before = await findKey(database.queries, tenant, id)
        if (before !== null && before.revoked_at !== null)
          call.stdout.write(`Key ${id} was revoked already, on ${minute(before.revoked_at)}\n`)
        else {
          await revokeApiKey(database, tenant, id)
          call.stdout.write(`Key ${id} is revoked\n`)
        }
        const validCount = await countValidIssuedBy(database.queries, tenant, id, Date.now())
        if (validCount === 0) continue
        const what =
          validCount === 1 ? '1 key that it issued is still valid' : `${validCount} keys that it issued are still valid`
        call.stderr.write(`${what}; to revoke all of them: ${calledAs(`key revoke --with-issued ${id}`)}\n`)
      }
      return 0
    })
  },
)

const ACTIONS = { issue, publish, list, revoke }

export const lines = Object.values(ACTIONS).map(({ line }) => line)

/** `knowledge key`. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  return runAction('key', ACTIONS, args, call)
}
