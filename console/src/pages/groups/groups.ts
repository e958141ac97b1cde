import { answerOf, api } from '../../api/client.ts'
import { etagOf, type Versioned } from '../../api/versioned.ts'
import type { Group, GroupKind } from '../../api/groups.ts'

interface GroupFields {
  readonly name: string
  readonly description: string | null
}

/** Kinds of groups that have a name and a description alone. */
export type NamedKind = Exclude<GroupKind, 'sites'>

/** Requests that read and write such a group. */
interface GroupApi {
  readonly create: (fields: GroupFields) => Promise<Group>
  readonly read: (id: string) => Promise<Versioned<Group>>
  /** Changes a group. @throws ApiFault with 412 when the group is no longer in the state that `etag` names */
  readonly update: (id: string, fields: Partial<GroupFields>, etag: string) => Promise<unknown>
}

export const GROUPS: Readonly<Record<NamedKind, GroupApi>> = {
  projects: {
    create: (body) => answerOf(api.POST('/api/knowledge/projects', { body })),
    read: async (id) => {
      const call = api.GET('/api/knowledge/projects/{project_id}', { params: { path: { project_id: id } } })
      return { value: await answerOf(call), etag: etagOf((await call).response) }
    },
    update: (id, body, etag) => {
      const params = { path: { project_id: id }, header: { 'If-Match': etag } }
      return answerOf(api.PATCH('/api/knowledge/projects/{project_id}', { params, body }))
    },
  },
  workspaces: {
    create: (body) => answerOf(api.POST('/api/knowledge/workspaces', { body })),
    read: async (id) => {
      const call = api.GET('/api/knowledge/workspaces/{workspace_id}', { params: { path: { workspace_id: id } } })
      return { value: await answerOf(call), etag: etagOf((await call).response) }
    },
    update: (id, body, etag) => {
      const params = { path: { workspace_id: id }, header: { 'If-Match': etag } }
      return answerOf(api.PATCH('/api/knowledge/workspaces/{workspace_id}', { params, body }))
    },
  },
}

export const REMOVE: Readonly<Record<GroupKind, (id: string) => Promise<unknown>>> = {
  projects: (id) =>
    answerOf(api.DELETE('/api/knowledge/projects/{project_id}', { params: { path: { project_id: id } } })),
  workspaces: (id) =>
    answerOf(api.DELETE('/api/knowledge/workspaces/{workspace_id}', { params: { path: { workspace_id: id } } })),
  sites: (id) => answerOf(api.DELETE('/api/knowledge/sites/{site_id}', { params: { path: { site_id: id } } })),
}
