import { queryOptions } from '@tanstack/react-query'
import { answerOf, api, everyPage } from '../../api/client.ts'

export type Kind = 'projects' | 'workspaces' | 'sites'

export interface Group {
  readonly id: string
  readonly name: string
  readonly description?: string | null
}

interface GroupFields {
  readonly name: string
  readonly description: string | null
}

/** How groups of one kind are read and written; null for what this page does not do with them. */
interface GroupApi {
  readonly list: (signal: AbortSignal) => Promise<readonly Group[]>
  readonly create: ((fields: GroupFields) => Promise<Group>) | null
  readonly update: ((id: string, fields: GroupFields) => Promise<unknown>) | null
  readonly remove: ((id: string) => Promise<unknown>) | null
}

export const GROUPS: Readonly<Record<Kind, GroupApi>> = {
  projects: {
    list: (signal) => everyPage((query) => api.GET('/api/knowledge/projects', { params: { query }, signal })),
    create: (body) => answerOf(api.POST('/api/knowledge/projects', { body })),
    update: (id, body) =>
      answerOf(api.PATCH('/api/knowledge/projects/{project_id}', { params: { path: { project_id: id } }, body })),
    remove: (id) =>
      answerOf(api.DELETE('/api/knowledge/projects/{project_id}', { params: { path: { project_id: id } } })),
  },
  workspaces: {
    list: (signal) => everyPage((query) => api.GET('/api/knowledge/workspaces', { params: { query }, signal })),
    create: (body) => answerOf(api.POST('/api/knowledge/workspaces', { body })),
    update: (id, body) =>
      answerOf(api.PATCH('/api/knowledge/workspaces/{workspace_id}', { params: { path: { workspace_id: id } }, body })),
    remove: (id) =>
      answerOf(api.DELETE('/api/knowledge/workspaces/{workspace_id}', { params: { path: { workspace_id: id } } })),
  },
  sites: {
    list: (signal) => everyPage((query) => api.GET('/api/knowledge/sites', { params: { query }, signal })),
    create: null,
    update: null,
    remove: null,
  },
}

export const groupsQuery = (kind: Kind) =>
  queryOptions({ queryKey: [kind], queryFn: ({ signal }) => GROUPS[kind].list(signal) })
