import type { Caller } from './caller.ts'
import type { Scope } from './scopes.ts'

/** The levels that are ordered, lowest first. `personal` is not one of them. */
export const ORDERED_VISIBILITIES = ['public', 'community', 'internal', 'workspace', 'restricted'] as const
export const VISIBILITIES = ['public', 'internal', 'personal', 'restricted', 'community', 'workspace'] as const

export type OrderedVisibility = (typeof ORDERED_VISIBILITIES)[number]
export type Visibility = OrderedVisibility | 'personal'

/** The fields of an entry that decide who sees it. */
export interface EntryGuard {
  readonly visibility: Visibility
  readonly ownerId: string | null
  readonly workspaceId: string | null
}

/** The fields of a caller that decide what the caller sees. */
export type Viewer = Pick<Caller, 'ceiling' | 'userId' | 'scopes' | 'workspaceIds' | 'tenant'>

/** Returns the highest level that the scopes name; public when they name none. */
export function ceilingOf(scopes: ReadonlySet<Scope>): OrderedVisibility {
  return ORDERED_VISIBILITIES.findLast((level) => scopes.has(`visibility:${level}`)) ?? 'public'
}

/** Returns the levels at or below the ceiling, lowest first. */
export function levelsUpTo(ceiling: OrderedVisibility): readonly OrderedVisibility[] {
  return ORDERED_VISIBILITIES.slice(0, ORDERED_VISIBILITIES.indexOf(ceiling) + 1)
}

/**
 * Returns the user whose personal entries the caller sees: the caller's own user, and only with the scope
 * `knowledge:personal`. An administrator may issue a key in another person's name, and a person may give an application
 * access without the personal notes.
 * @returns null when the caller sees no personal entries
 */
export function personalOwner({ userId, scopes }: Pick<Viewer, 'userId' | 'scopes'>): string | null {
  return scopes.has('knowledge:personal') ? userId : null
}

/**
 * Tells whether the caller may see an entry. Only the owner sees a personal entry; only members see workspace entries
 * once the tenant uses workspaces.
 */
export function maySee(caller: Viewer, entry: EntryGuard): boolean {
  if (entry.visibility === 'personal') {
    const owner = personalOwner(caller)
    return owner !== null && entry.ownerId === owner
  }
  if (!levelsUpTo(caller.ceiling).includes(entry.visibility)) return false
  if (entry.visibility !== 'workspace' || !caller.tenant.settings.workspaces) return true
  return entry.workspaceId !== null && caller.workspaceIds.includes(entry.workspaceId)
}

/**
 * Tells whether the caller may set this level. No entry becomes personal later: personal entries are created as such.
 */
export function mayAssign(caller: Viewer, level: OrderedVisibility): boolean {
  return levelsUpTo(caller.ceiling).includes(level)
}
