/** A second, deliberately plain definition of who may see what. It takes nothing from the service. */

export const VISIBILITIES = ['public', 'community', 'internal', 'workspace', 'restricted', 'personal'] as const
type Visibility = (typeof VISIBILITIES)[number]
export type Ceiling = Exclude<Visibility, 'personal'>

/** The ordered levels that a ceiling shows. */
const SHOWN: Readonly<Record<Ceiling, readonly Visibility[]>> = {
  public: ['public'],
  community: ['public', 'community'],
  internal: ['public', 'community', 'internal'],
  workspace: ['public', 'community', 'internal', 'workspace'],
  restricted: ['public', 'community', 'internal', 'workspace', 'restricted'],
}
export const CEILINGS = Object.keys(SHOWN) as Ceiling[]

/** The scopes of this version's routes, and the scopes of each role. */
const READER = ['knowledge:read', 'knowledge:personal', 'products:read', 'sites:read', 'search:log']
const EDITOR = [
  ...READER,
  'knowledge:write',
  'knowledge:delete',
  'categories:write',
  'products:write',
  'analytics:read',
]
export const ACTIONS: readonly string[] = [...EDITOR, 'sites:write', 'clients:register', 'tenant:admin']
export const ROLE = {
  reader: { actions: READER, ceiling: 'internal' },
  editor: { actions: EDITOR, ceiling: 'workspace' },
  admin: { actions: ACTIONS, ceiling: 'restricted' },
} as const satisfies Record<string, { actions: readonly string[]; ceiling: Ceiling }>

export interface Viewer {
  readonly ceiling: Ceiling
  readonly userId: string | null
  /** Scopes other than ceilings. */
  readonly can: ReadonlySet<string>
  /** Workspaces the user is a member of. */
  readonly workspaceIds: readonly string[]
}

/** Fields of an entry that decide which callers see it. */
export interface EntryGuard {
  readonly visibility: Visibility
  readonly ownerId: string
  readonly workspaceId: string | null
}

/**
 * Tells whether a viewer sees an entry.
 * @param membersOnly whether the tenant has its workspaces setting on
 */
export function sees(viewer: Viewer, { visibility, ownerId, workspaceId }: EntryGuard, membersOnly: boolean): boolean {
  if (visibility === 'personal') return viewer.can.has('knowledge:personal') && ownerId === viewer.userId
  if (visibility === 'workspace' && membersOnly) {
    const isMember = workspaceId !== null && viewer.workspaceIds.includes(workspaceId)
    return isMember && ['workspace', 'restricted'].includes(viewer.ceiling)
  }
  return SHOWN[viewer.ceiling].includes(visibility)
}
