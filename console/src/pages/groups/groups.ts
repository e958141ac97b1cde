import { answerOf, api } from '../../api/client.ts'
import type { Group, GroupKind } from '../../api/groups.ts'

interface GroupFields {
  readonly name: string
  readonly description: string | null
}

/** How groups of one kind are written; null for what this page does not do with them. */
interface GroupApi {
  readonly create: ((fields: GroupFields) => Promise<Group>) | null
  readonly update: ((id: string, fields: GroupFields) => Promise<unknown>) | null
  readonly remove: ((id: string) => Promise<unknown>) | null
}

export const GROUPS: Readonly<Record<GroupKind, GroupApi>> = {
  projects: {
    create: (body) => answerOf(api.POST('/api/knowledge/projects', { body })),
    update: (id, body) =>
      answerOf(api.PATCH('/api/knowledge/projects/{project_id}', { params: { path: { project_id: id } }, body })),
    remove: (id) =>
      answerOf(api.DELETE('/api/knowledge/projects/{project_id}', { params: { path: { project_id: id } } })),
  },
  workspaces: {
    create: (body) => answerOf(api.POST('/api/knowledge/workspaces', { body })),
    update: (id, body) =>
      answerOf(api.PATCH('/api/knowledge/workspaces/{workspace_id}', { params: { path: { workspace_id: id } }, body })),
    remove: (id) =>
      answerOf(api.DELETE('/api/knowledge/workspaces/{workspace_id}', { params: { path: { workspace_id: id } } })),
  },
  sites: {
    create: null,
    update: null,
    remove: null,
  },
}
