import { queryOptions } from '@tanstack/react-query'
import { api, everyPage } from './client.ts'
import { listSites } from './sites.ts'

/** Kinds of groups that gather entries, by the name of their route. */
export type GroupKind = 'projects' | 'workspaces' | 'sites'

export interface Group {
  readonly id: string
  readonly name: string
  readonly description?: string | null
}

const LISTS: Readonly<Record<GroupKind, (signal: AbortSignal) => Promise<readonly Group[]>>> = {
  projects: (signal) => everyPage((query) => api.GET('/api/knowledge/projects', { params: { query }, signal })),
  workspaces: (signal) => everyPage((query) => api.GET('/api/knowledge/workspaces', { params: { query }, signal })),
  sites: listSites,
}

/** Returns the query for all groups of a kind that the person may see. */
export const groupsQuery = (kind: GroupKind) =>
  queryOptions({ queryKey: [kind], queryFn: ({ signal }) => LISTS[kind](signal) })
