import type { Caller } from '../../platform/access/caller.ts'
import { type Role, ROLE_SCOPES, ROLES } from '../../platform/access/scopes.ts'
import {
  ceilingOf,
  levelsUpTo,
  mayAssign,
  ORDERED_VISIBILITIES,
  type OrderedVisibility,
  personalOwner,
} from '../../platform/access/visibility.ts'
import type { Database } from '../../platform/database/database.ts'
import { forbidden } from '../../platform/faults.ts'
import { requireWorkspace } from '../collections/rules.ts'
import type { Readers, ReadersQuery } from './contract.ts'
import { countActiveUsers } from './store.ts'

/** Counts the people who may read an entry, so that its author knows how far it goes. The answer has no names. */
export class ReaderRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Counts the active users who may read an entry of the visibility.
   * @throws Fault forbidden for a level above the caller's ceiling; forbidden for the level `workspace` of a workspace
   *   whose member the caller is not, unless they are an administrator; invalid for an unknown workspace
   */
  async count(caller: Caller, query: ReadersQuery): Promise<Readers> {
    const { visibility = 'internal' } = query
    const workspaceId = query.workspace_id ?? null
    const { queries } = this.#database
    const { id: tenantId, settings } = caller.tenant
    if (workspaceId !== null) await requireWorkspace(queries, tenantId, workspaceId, ['query', 'workspace_id'])
    const total = await countActiveUsers(queries, tenantId, ROLES, null, null)
    if (visibility === 'personal') return { people: personalOwner(caller) === null ? 0 : 1, total }
    if (!mayAssign(caller, visibility))
      throw forbidden(['query', 'visibility'], 'The level is above what the credential may see', [
        `visibility:${visibility}`,
      ])
    const isClosed = visibility === 'workspace' && settings.workspaces
    const [roles, ceilings] = [rolesThatSee(visibility), ceilingsThatSee(visibility)]
    if (!isClosed) return { people: await countActiveUsers(queries, tenantId, roles, ceilings, null), total }
    // Without a workspace such an entry has no members, so no user reads it.
    if (workspaceId === null) return { people: 0, total }
    if (!caller.scopes.has('tenant:admin') && !caller.workspaceIds.includes(workspaceId))
      throw forbidden(['query', 'workspace_id'], 'Only members of the workspace and administrators see how many it has')
    return { people: await countActiveUsers(queries, tenantId, roles, ceilings, workspaceId), total }
  }
}

/** Returns the ceilings at or above the level: a user with a ceiling of their own needs one of these. */
const ceilingsThatSee = (level: OrderedVisibility): readonly OrderedVisibility[] =>
  ORDERED_VISIBILITIES.filter((ceiling) => levelsUpTo(ceiling).includes(level))

/** Returns the roles whose ceiling is at or above the level. */
const rolesThatSee = (level: OrderedVisibility): readonly Role[] =>
  ROLES.filter((role) => levelsUpTo(ceilingOf(new Set(ROLE_SCOPES[role]))).includes(level))
