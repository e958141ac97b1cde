import type { Caller } from './caller.ts'
import type { Scope } from './scopes.ts'

/** The levels in their order, lowest first. `personal` stands outside it. */
export const ORDERED_VISIBILITIES = ['public', 'community', 'internal', 'workspace', 'restricted'] as const
export const VISIBILITIES = ['public', 'internal', 'personal', 'restricted', 'community', 'workspace'] as const

export type OrderedVisibility = (typeof ORDERED_VISIBILITIES)[number]
export type Visibility = OrderedVisibility | 'personal'

/** The part of an entry that decides who sees it. */
export interface Guarded {
  readonly visibility: Visibility
  readonly ownerId: string | null
  readonly workspaceId: string | null
}

/** What of a caller decides what they see. */
export type Viewer = Pick<Caller, 'ceiling' | 'userId' | 'scopes' | 'workspaceIds' | 'tenant'>

/** The highest level the scopes name; public when they name none. */
export function ceilingOf(scopes: ReadonlySet<Scope>): OrderedVisibility {
  return ORDERED_VISIBILITIES.findLast((level) => scopes.has(`visibility:${level}`)) ?? 'public'
}

/** The levels at or below the ceiling, lowest first. */
export function levelsUpTo(ceiling: OrderedVisibility): readonly OrderedVisibility[] {
  return ORDERED_VISIBILITIES.slice(0, ORDERED_VISIBILITIES.indexOf(ceiling) + 1)
}

/**
 * Whose personal entries the caller sees: their user's own, with the scope for it. An administrator may have a key made
 * in somebody's name, and a person may let an application in without their notes.
 * @returns null when nobody's
 */
export function personalOwner({ userId, scopes }: Pick<Viewer, 'userId' | 'scopes'>): string | null {
  return scopes.has('knowledge:personal') ? userId : null
}

/** Whether the caller may see it: personal for its owner alone, workspace for members once workspaces are on. */
export function maySee(caller: Viewer, entry: Guarded): boolean {
  if (entry.visibility === 'personal') {
    const owner = personalOwner(caller)
    return owner !== null && entry.ownerId === owner
  }
  if (!levelsUpTo(caller.ceiling).includes(entry.visibility)) return false
  if (entry.visibility !== 'workspace' || !caller.tenant.settings.workspaces) return true
  return entry.workspaceId !== null && caller.workspaceIds.includes(entry.workspaceId)
}

/** Whether the caller may give something this level; personal is never given, only created. */
export function mayAssign(caller: Viewer, level: OrderedVisibility): boolean {
  return levelsUpTo(caller.ceiling).includes(level)
}
