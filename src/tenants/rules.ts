import type { TenantSettings } from '../access/caller.ts'
import { isScope, ROLE_SCOPES, ROLES, type Role, type Scope } from '../access/scopes.ts'
import { type Actor, OPERATOR, recordAudit } from '../audit/audit.ts'
import type { Database, Tx } from '../database/database.ts'
import type { TenantRow, UserRow } from '../database/tables.ts'
import { conflict, type Fault, invalid, notFound, unauthorized } from '../faults.ts'
import { newId } from '../ids.ts'
import { endGrantsOf } from '../oauth/grants.ts'
import { deleteTokensOfKey } from '../oauth/store.ts'
import { generatePassword } from '../sessions/generate-password.ts'
import { hashNewPassword, putPassword } from '../sessions/set-password.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { defaultSite } from '../sites/site.ts'
import { insertSite } from '../sites/store.ts'
import { generateApiKey, hintOf } from './api-key.ts'
import { KEY_NAME_MAX } from './contract.ts'
import { hashSecret } from './credential.ts'
import { DEFAULT_SETTINGS, TENANT_SETTINGS } from './settings.ts'
import * as store from './store.ts'

const TENANT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const EMAIL = /^[^@\s]{1,200}@[^@\s]{1,200}$/
const HOST = /^(?=[^:]{1,253}(?::|$))[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/

export interface NewTenant {
  readonly id: string
  readonly name: string
  readonly host: string | null
}

/** @throws Fault when the id is malformed or taken, or the host belongs to another tenant */
export async function createTenant(database: Database, tenant: NewTenant, actor: Actor = OPERATOR): Promise<void> {
  await database.write(async (tx) => {
    await store.lockTenants(tx, database.portable.name)
    await addTenant(tx, tenant, actor)
  })
}

/** `createTenant` within a transaction that holds the lock on tenants. Every tenant begins with a default site. */
export async function addTenant(tx: Tx, { id, name, host }: NewTenant, actor: Actor): Promise<void> {
  if (!TENANT_ID.test(id))
    throw invalid(['tenant'], 'string_pattern_mismatch', 'A tenant id has 1 to 63 of a-z, 0-9 and -')
  if (await store.findTenant(tx, id)) throw conflict(['tenant'], `There is a tenant ${id} already`)
  if (host !== null) await checkHost(tx, id, host)
  await store.insertTenant(tx, {
    tenant_id: id,
    name,
    host,
    settings: '{}',
    embedding_model: null,
    watermark: 0,
    created_at: Date.now(),
  })
  const site = defaultSite({ id, language: DEFAULT_SETTINGS.language })
  await insertSite(tx, site)
  await recordAudit(tx, id, actor, [
    { action: 'create', resourceType: 'tenant', resourceId: id },
    { action: 'create', resourceType: 'site', resourceId: site.id },
  ])
}

async function checkHost(tx: Tx, tenantId: string, host: string): Promise<void> {
  if (!HOST.test(host))
    throw invalid(['host'], 'string_pattern_mismatch', 'A host is a lower-case host name, with a port or without')
  const owner = await store.hostOwner(tx, host)
  if (owner !== null && owner !== tenantId) throw conflict(['host'], 'The host belongs to another tenant')
}

/** Changes a tenant's name, host or settings. @throws Fault naming the faulty setting */
export async function changeTenant(
  database: Database,
  tenantId: string,
  change: { name?: string; host?: string | null; settings?: Readonly<Record<string, string>> },
  actor: Actor = OPERATOR,
): Promise<void> {
  await database.write(async (tx) => {
    await store.lockTenants(tx, database.portable.name)
    const row = await requireTenant(tx, tenantId)
    if (change.host) await checkHost(tx, tenantId, change.host)
    await store.updateTenant(tx, tenantId, {
      name: change.name ?? row.name,
      host: change.host === undefined ? row.host : change.host,
      settings: JSON.stringify({ ...(JSON.parse(row.settings) as object), ...readSettings(change.settings ?? {}) }),
    })
    await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'tenant', resourceId: tenantId }])
  })
}

function readSettings(raw: Readonly<Record<string, string>>): Partial<TenantSettings> {
  const read = Object.entries(raw).map(([name, value]) => {
    const rule = Object.hasOwn(TENANT_SETTINGS, name) ? TENANT_SETTINGS[name as keyof TenantSettings] : undefined
    if (rule === undefined) {
      throw invalid(
        [name],
        'unknown_setting',
        `There is no tenant setting ${name}; there are ${Object.keys(TENANT_SETTINGS).join(', ')}`,
      )
    }
    try {
      return [name, rule.read(value)]
    } catch (error) {
      throw invalid([name], 'value_error', `${name} ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(read) as Partial<TenantSettings>
}

export async function requireTenant(db: Tx | Database['queries'], tenantId: string): Promise<TenantRow> {
  const row = await store.findTenant(db, tenantId)
  if (row === null) throw notFound(['tenant'], `Tenant ${tenantId}`)
  return row
}

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: string
}

/** @throws Fault when the address is malformed or taken, or the role unknown */
export async function createUser(
  database: Database,
  tenantId: string,
  user: NewUser,
  actor: Actor = OPERATOR,
): Promise<UserRow> {
  return database.write(async (tx) => {
    await requireTenant(tx, tenantId)
    return addUser(tx, tenantId, user, actor)
  })
}

async function addUser(tx: Tx, tenantId: string, { email, name, role }: NewUser, actor: Actor): Promise<UserRow> {
  if (!EMAIL.test(email)) throw invalid(['email'], 'value_error', 'This is not an e-mail address')
  if (await store.findUser(tx, tenantId, email)) throw conflict(['email'], 'There is a user with this address already')
  const row: UserRow = {
    tenant_id: tenantId,
    id: newId(),
    email: email.toLowerCase(),
    name,
    role: requireRole(role),
    disabled_at: null,
    created_at: Date.now(),
  }
  await store.insertUser(tx, row)
  await recordAudit(tx, tenantId, actor, [{ action: 'create', resourceType: 'user', resourceId: row.id }])
  return row
}

function requireRole(role: string): Role {
  const known = ROLES.find((name) => name === role)
  if (known === undefined) throw invalid(['role'], 'enum', `A role is one of ${ROLES.join(', ')}`)
  return known
}

export async function requireUser(db: Tx | Database['queries'], tenantId: string, idOrEmail: string): Promise<UserRow> {
  const row = await store.findUser(db, tenantId, idOrEmail)
  if (row === null) throw notFound(['user'], `User ${idOrEmail}`)
  return row
}

/**
 * Changes a user's role, or shuts the user and all keys of theirs out. Takes effect on their next request.
 * @throws Fault conflict, naming the field, where the tenant would be left without an active administrator
 */
export async function changeUser(
  database: Database,
  tenantId: string,
  idOrEmail: string,
  change: { role?: string; disabled?: boolean },
  actor: Actor = OPERATOR,
): Promise<void> {
  await database.write(async (tx) => {
    // Two administrators that shut out each other at one moment take turns, and the second is refused.
    await store.lockTenant(tx, tenantId)
    const row = await requireUser(tx, tenantId, idOrEmail)
    const role = change.role === undefined ? row.role : requireRole(change.role)
    const disabledAt = change.disabled === undefined ? row.disabled_at : change.disabled ? Date.now() : null
    if (isAdministrator(row) && !isAdministrator({ role, disabled_at: disabledAt })) {
      const field = role === 'admin' ? 'disabled' : 'role'
      if (!(await store.hasOtherAdministrator(tx, tenantId, row.id))) throw lastAdministrator(field)
    }
    await store.updateUser(tx, tenantId, row.id, { role, disabled_at: disabledAt })
    // Let in again, a user has to sign in again and their assistants have to be connected again.
    if (change.disabled === true) {
      await deleteSessionsOf(tx, tenantId, row.id)
      await endGrantsOf(tx, tenantId, { userId: row.id }, actor)
    }
    await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'user', resourceId: row.id }])
  }, tenantId)
}

function isAdministrator({ role, disabled_at: at }: Pick<UserRow, 'role' | 'disabled_at'>): boolean {
  return role === 'admin' && at === null
}

function lastAdministrator(field: 'role' | 'disabled'): Fault {
  return conflict([field], 'This is the last active administrator of the tenant: make somebody else one first')
}

export interface NewApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  readonly userId: string | null
  readonly expiresAt: number | null
  /** The key's value, where automation brings its own; generated otherwise. */
  readonly value?: string
}

/** How whoever issues a key came in. */
export type IssuerKind = 'key' | 'session' | 'cli'

/** Who issues a key: by a credential, or the operator by the command line. */
export type Issuer = Actor & { readonly kind: IssuerKind }

const OPERATOR_ISSUES: Issuer = { ...OPERATOR, kind: 'cli' }

/**
 * @returns the key in clear, which exists nowhere else, and its id
 * @throws Fault unauthorized when the key that issues it has ended meanwhile
 */
export async function issueApiKey(
  database: Database,
  tenantId: string,
  key: NewApiKey,
  issuer: Issuer = OPERATOR_ISSUES,
): Promise<{ id: string; key: string }> {
  return database.write(async (tx) => {
    await requireTenant(tx, tenantId)
    if (key.userId !== null) await requireUser(tx, tenantId, key.userId)
    // Whoever revokes the issuer with its issue finds this key, or this finds the issuer revoked.
    if (issuer.kind === 'key' && !(await store.lockApiKey(tx, tenantId, issuer.credentialId ?? '', Date.now())))
      throw unauthorized(['header', 'authorization'], 'The API key has ended meanwhile')
    return addApiKey(tx, tenantId, key, issuer)
  }, tenantId)
}

async function addApiKey(
  tx: Tx,
  tenantId: string,
  { name, scopes, userId, expiresAt, value }: NewApiKey,
  issuer: Issuer,
): Promise<{ id: string; key: string }> {
  if (name.length < 1 || Array.from(name).length > KEY_NAME_MAX)
    throw invalid(['name'], 'value_error', `A key's name has 1 to ${KEY_NAME_MAX} characters`)
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalid(['scopes'], 'enum', `There is no scope ${unknown}`)
  const key = value ?? generateApiKey()
  const id = newId()
  await store.insertApiKey(tx, {
    tenant_id: tenantId,
    id,
    user_id: userId,
    name,
    hash: hashSecret(key),
    hint: hintOf(key),
    scopes: [...new Set(scopes)].join(' '),
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
    created_at: Date.now(),
    issuer_kind: issuer.kind,
    issuer_id: issuer.credentialId,
    issuer_user_id: issuer.userId,
  })
  await recordAudit(tx, tenantId, issuer, [{ action: 'create', resourceType: 'api_key', resourceId: id }])
  return { id, key }
}

/**
 * Takes effect on the key's next request, and on that of tokens which clients got with it for themselves.
 * @throws Fault when there is no such key in force
 */
export async function revokeApiKey(
  database: Database,
  tenantId: string,
  id: string,
  actor: Actor = OPERATOR,
): Promise<void> {
  await database.write(async (tx) => {
    if (!(await store.revokeApiKey(tx, tenantId, id, Date.now()))) throw notFound(['key'], `Key ${id}`)
    await deleteTokensOfKey(tx, tenantId, id)
    await recordAudit(tx, tenantId, actor, [{ action: 'revoke', resourceType: 'api_key', resourceId: id }])
  })
}

/**
 * Revokes a key, and whatever it issued, and these in turn; also where the key itself is revoked already. Takes effect
 * like `revokeApiKey`.
 * @returns how many keys are revoked by this
 * @throws Fault when there is no such key
 */
export async function revokeWithIssued(
  database: Database,
  tenantId: string,
  id: string,
  actor: Actor = OPERATOR,
): Promise<number> {
  return database.write(async (tx) => {
    if ((await store.findApiKey(tx, tenantId, id)) === null) throw notFound(['key'], `Key ${id}`)
    const now = Date.now()
    const revoked: string[] = []
    // A level is revoked before the next is looked for: what it issues at this moment is found, or refused.
    for (let level = [id]; level.length > 0; level = await store.keysIssuedBy(tx, tenantId, level)) {
      for (const each of level) {
        if (!(await store.revokeApiKey(tx, tenantId, each, now))) continue
        await deleteTokensOfKey(tx, tenantId, each)
        revoked.push(each)
      }
    }
    const events = revoked.map((each) => ({ action: 'revoke', resourceType: 'api_key', resourceId: each }) as const)
    await recordAudit(tx, tenantId, actor, events)
    return revoked.length
  }, tenantId)
}

export interface Bootstrap {
  /** The first API key in clear. */
  readonly key: string
  readonly email: string
  /** The first user's password in clear. */
  readonly password: string
}

/**
 * On an empty database creates tenant `default`, its first user with a password, and an API key with the role admin.
 * Two processes that start together create them once.
 * @returns null when there was a tenant already
 */
export async function bootstrap(
  database: Database,
  options: { apiKey: string | null; adminEmail: string; adminPassword: string | null },
): Promise<Bootstrap | null> {
  if ((await store.listTenants(database.queries)).length > 0) return null
  const password = options.adminPassword ?? generatePassword()
  const hash = await hashNewPassword(password)
  return database.write(async (tx) => {
    await store.lockTenants(tx, database.portable.name)
    if ((await store.listTenants(tx)).length > 0) return null
    const id = 'default'
    await addTenant(tx, { id, name: 'Default', host: null }, OPERATOR)
    const user = await addUser(tx, id, { email: options.adminEmail, name: 'Administrator', role: 'admin' }, OPERATOR)
    await putPassword(tx, id, user.id, hash, OPERATOR)
    const scopes: readonly Scope[] = ROLE_SCOPES.admin
    const newKey = { name: 'First key', scopes, userId: user.id, expiresAt: null, value: options.apiKey ?? undefined }
    const { key } = await addApiKey(tx, id, newKey, OPERATOR_ISSUES)
    return { key, email: user.email, password }
  })
}
