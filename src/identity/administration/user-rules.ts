import type { Caller } from '../../platform/access/caller.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { invalid } from '../../platform/faults.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import { requireGivable, requireManageable } from '../users/bounds.ts'
import type { PageLanguage, User, UserChange, UserDetails } from '../users/contract.ts'
import { requireUser, usersAfter } from '../users/rules.ts'
import { changeUser } from './end-access.ts'
import { inRequest } from './fault-places.ts'

/** Rows that a search reads at a time. */
const SEARCHED_ROWS = 500

/** Erases a user. Passed in, since what a person leaves behind is in wings above this one. */
export type EraseUser = (
  database: Database,
  tenantId: string,
  userId: string,
  actor: Actor,
  mayErase: (row: UserRow) => void,
) => Promise<unknown>

/** What administrators of a tenant do with its users. */
export class UserAdministration {
  readonly #database: Database
  readonly #erase: EraseUser

  constructor(database: Database, erase: EraseUser) {
    this.#database = database
    this.#erase = erase
  }

  /**
   * A page of the tenant's users, sorted by email address.
   * @param words what the name or the address has to contain, in any case; empty for all users
   */
  async list(
    { tenant }: Caller,
    page: PageOf<readonly [email: string]>,
    words = '',
  ): Promise<Page<User, readonly [string]>> {
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => this.#matching(tenant.id, { after, limit }, words.toLowerCase()),
      ({ email }) => [email] as const,
    )
    return { items: items.map(userOf), next }
  }

  /** @throws Fault not_found */
  async read({ tenant }: Caller, id: string): Promise<UserDetails> {
    return detailsOf(await inRequest(requireUser(this.#database.queries, tenant.id, id), 'user_id', 'User'))
  }

  /**
   * Changes a user. Nobody gives more than they may do themselves, nor changes who may do more. A credential that ends
   * gives nobody more than they had.
   * @throws Fault not_found; forbidden; conflict when the tenant would be left without an active administrator
   */
  async change(caller: Caller, id: string, change: UserChange): Promise<UserDetails> {
    const { revoke_issued_keys: revokeIssuedKeys = false, ...fields } = change
    if (revokeIssuedKeys && change.disabled !== true) {
      const msg = 'Keys are revoked with a user who is disabled; send disabled: true'
      throw invalid(['body', 'revoke_issued_keys'], 'value_error', msg)
    }
    const mayChange = async (tx: Tx, from: UserRow, to: UserRow): Promise<void> => {
      requireManageable(caller, from)
      requireGivable(caller, to)
      if (givesAccess(from, to)) await requireLasting(tx, caller)
    }
    const { id: tenantId } = caller.tenant
    const work = changeUser(this.#database, tenantId, id, { ...fields, revokeIssuedKeys }, caller, mayChange)
    return detailsOf(await inRequest(work, 'user_id', 'User'))
  }

  /**
   * Erases a person: their access and private notes end, and a pseudonym replaces their name.
   * @throws Fault not_found; forbidden; conflict for the last active administrator
   */
  async erase(caller: Caller, id: string): Promise<void> {
    const mayErase = (row: UserRow): void => requireManageable(caller, row)
    await inRequest(this.#erase(this.#database, caller.tenant.id, id, caller, mayErase), 'user_id', 'User')
  }

  /** Compared here, since the databases differ in what they take for the same letter. */
  async #matching(
    tenantId: string,
    { after, limit }: PageOf<readonly [email: string]>,
    words: string,
  ): Promise<UserRow[]> {
    const { queries } = this.#database
    if (words === '') return usersAfter(queries, tenantId, { after, limit })
    const found: UserRow[] = []
    for (let place = after; ;) {
      const rows = await usersAfter(queries, tenantId, { after: place, limit: SEARCHED_ROWS })
      found.push(...rows.filter(({ email, name }) => email.includes(words) || name.toLowerCase().includes(words)))
      if (found.length >= limit || rows.length < SEARCHED_ROWS) return found.slice(0, limit)
      place = [rows[rows.length - 1].email]
      await threadSlices.pause(tenantId)
    }
  }
}

/** Whether a user may do more after a change, or is let in again. */
function givesAccess(from: UserRow, to: UserRow): boolean {
  const isLetIn = from.disabled_at !== null && to.disabled_at === null
  return isLetIn || !covers(new Set(scopesOfUser(from)), to)
}

function userOf({ id, email, name, role, disabled_at: at }: UserRow): User {
  return { id, email, name, role, disabled: at !== null }
}

function detailsOf(row: UserRow): UserDetails {
  const { ceiling, language, created_at: createdAt, disabled_at: disabledAt } = row
  return {
    ...userOf(row),
    ceiling: ceiling as UserDetails['ceiling'],
    language: language as PageLanguage | null,
    created_at: new Date(createdAt).toISOString(),
    disabled_at: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  }
}
