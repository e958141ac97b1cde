import type { Caller } from '../../platform/access/caller.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { type Expected, requireExpected } from '../../platform/precondition.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import { requireGivable, requireManageable } from '../users/bounds.ts'
import { administers, type Confirmations } from '../sessions/factors/confirmations.ts'
import type { SignInFacts } from '../sessions/rules.ts'
import type { ListedUser, PageLanguage, UserDetails } from '../users/contract.ts'
import { usersAfter, type UserFilter } from '../users/list-rules.ts'
import { requireUser } from '../users/rules.ts'
import type { UserChange } from './contract.ts'
import { changedUser, changeUser } from './end-access.ts'
import { withRequestPlaces } from './fault-places.ts'

/** Filter of a list of users, and how much of each user the list shows. */
interface UserListing extends UserFilter {
  /** Whether each user comes with the ceiling and the times. */
  readonly withDetails?: boolean
}

/** Erases a user and the user's private notes. Passed in, because notes belong to a wing above identity. */
export type EraseUser = (
  database: Database,
  tenantId: string,
  userId: string,
  actor: Actor,
  requireMayErase: (row: UserRow) => void,
) => Promise<unknown>

/** Lists, changes and erases the users of the caller's tenant. */
export class UserAdministration {
  readonly #database: Database
  readonly #erase: EraseUser
  readonly #confirmations: Confirmations

  constructor(database: Database, erase: EraseUser, confirmations: Confirmations) {
    this.#database = database
    this.#erase = erase
    this.#confirmations = confirmations
  }

  /** Returns a page of the tenant's users, sorted by email address. */
  async list(
    { tenant }: Caller,
    page: PageOf<readonly [email: string]>,
    { withDetails = false, ...filter }: UserListing,
  ): Promise<Page<ListedUser, readonly [string]>> {
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => usersAfter(this.#database.queries, tenant.id, { after, limit }, filter),
      ({ email }) => [email] as const,
    )
    return { items: items.map(withDetails ? listedDetailsOf : userOf), next }
  }

  /** Returns a user with all details. @throws Fault not_found */
  async read({ tenant }: Caller, id: string): Promise<UserDetails> {
    return detailsOf(await withRequestPlaces(requireUser(this.#database.queries, tenant.id, id), 'user_id', 'User'))
  }

  /**
   * Changes a user. The caller gives no more rights than they have, and changes no user who has more. Only a signed-in
   * person, or an API key that does not expire, may give a user more access (`requireLasting`). A signed-in person proves
   * again who they are to give an administrator more access.
   * @throws Fault not_found; forbidden, also of type proof_needed; conflict when the tenant would be left without an
   *   active administrator; precondition_failed when the user is not as expected
   */
  async change(
    caller: Caller,
    id: string,
    { confirmation, ...change }: UserChange,
    facts: SignInFacts,
    expected: Expected<UserDetails> = null,
  ): Promise<UserDetails> {
    const { id: tenantId } = caller.tenant
    const requireBounds = (from: UserRow, to: UserRow): void => {
      requireUnchanged(from, expected)
      requireManageable(caller, from)
      requireGivable(caller, to)
    }
    const present = await withRequestPlaces(requireUser(this.#database.queries, tenantId, id), 'user_id', 'User')
    const wished = changedUser(present, change)
    requireBounds(present, wished)
    const isForAdministrator = givesAdministration(present, wished)
    const changed = await this.#confirmations.giving(
      { caller, confirmation, facts },
      isForAdministrator,
      (requireProof) => {
        const requireMayChange = async (tx: Tx, from: UserRow, to: UserRow): Promise<void> => {
          requireBounds(from, to)
          if (givesAccess(from, to)) await requireLasting(tx, caller)
          if (givesAdministration(from, to)) await requireProof(tx)
        }
        const work = changeUser(this.#database, tenantId, id, change, caller, requireMayChange)
        return withRequestPlaces(work, 'user_id', 'User')
      },
    )
    return detailsOf(changed.user)
  }

  /**
   * Erases a person: their access and private notes end, and a pseudonym replaces their name.
   * @throws Fault not_found; forbidden; conflict for the last active administrator; precondition_failed when the user
   *   is not as expected
   */
  async erase(caller: Caller, id: string, expected: Expected<UserDetails> = null): Promise<void> {
    const requireMayErase = (row: UserRow): void => {
      requireUnchanged(row, expected)
      requireManageable(caller, row)
    }
    await withRequestPlaces(
      this.#erase(this.#database, caller.tenant.id, id, caller, requireMayErase),
      'user_id',
      'User',
    )
  }
}

function requireUnchanged(row: UserRow, expected: Expected<UserDetails>): void {
  requireExpected(detailsOf(row), expected, 'The user has another version')
}

/** Tells whether a user may do more after a change, or is enabled again. */
function givesAccess(from: UserRow, to: UserRow): boolean {
  const isEnabled = from.disabled_at !== null && to.disabled_at === null
  return isEnabled || !covers(new Set(scopesOfUser(from)), to)
}

/** Tells whether a change gives more access to a user who administers the tenant after it. */
function givesAdministration(from: UserRow, to: UserRow): boolean {
  return to.disabled_at === null && administers(to) && givesAccess(from, to)
}

function userOf({ id, email, name, role, disabled_at: at }: UserRow) {
  return { id, email, name, role, disabled: at !== null }
}

function listedDetailsOf(row: UserRow) {
  const { ceiling, created_at: createdAt, disabled_at: disabledAt } = row
  return {
    ...userOf(row),
    ceiling: ceiling as UserDetails['ceiling'],
    created_at: new Date(createdAt).toISOString(),
    disabled_at: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  }
}

function detailsOf(row: UserRow): UserDetails {
  return { ...listedDetailsOf(row), language: row.language as PageLanguage | null }
}
