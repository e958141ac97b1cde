import { type OperationFailures, failures, GUESSED_STATE, create, noSuch, UNKNOWN } from './table.ts'

interface Seed {
  readonly workspace_id: string
  readonly user_id: string
  /** May write and not read. */
  readonly writer: string
}

const CHANGE: OperationFailures<Seed> = {
  asks: { body: { name: 'Another' } },
  fails: { ...noSuch('workspace_id'), ...GUESSED_STATE },
}
const MEMBERS: OperationFailures<Seed> = {
  asks: ({ user_id }) => ({ body: { user_ids: [user_id] } }),
  fails: {
    ...noSuch('workspace_id'),
    '422 reference_not_found at body.user_ids.1': {
      'one user of several who does not exist': ({ user_id }) => ({ body: { user_ids: [user_id, UNKNOWN] } }),
    },
  },
}

failures<Seed>('Workspaces', {
  seed: async (service) => {
    const workspace_id = await create(service, 'workspaces', { name: 'Board' })
    const entry = { title: 'Entry', content: 'Content', category_id: await service.category() }
    await create(service, 'knowledge-entries', { ...entry, visibility: 'workspace', workspace_id })
    return {
      workspace_id,
      user_id: (await service.user({ email: 'reader@workspaces.example', role: 'reader' })).userId,
      writer: await service.key(['tenant:admin']),
    }
  },
  table: {
    'getWorkspace GET /api/knowledge/workspaces/{workspace_id}': { fails: noSuch('workspace_id') },
    'updateWorkspace PUT /api/knowledge/workspaces/{workspace_id}': CHANGE,
    'updateWorkspaceWithPatch PATCH /api/knowledge/workspaces/{workspace_id}': CHANGE,
    'deleteWorkspace DELETE /api/knowledge/workspaces/{workspace_id}': {
      fails: {
        ...noSuch('workspace_id'),
        ...GUESSED_STATE,
        '409 conflict at path.workspace_id': { 'a workspace with entries': {} },
      },
    },
    'listWorkspaceMembers GET /api/knowledge/workspaces/{workspace_id}/members': { fails: noSuch('workspace_id') },
    'addWorkspaceMembers POST /api/knowledge/workspaces/{workspace_id}/members': MEMBERS,
    'setWorkspaceMembers PUT /api/knowledge/workspaces/{workspace_id}/members': MEMBERS,
    'removeWorkspaceMember DELETE /api/knowledge/workspaces/{workspace_id}/members/{user_id}': {
      fails: {
        ...noSuch('workspace_id'),
        '404 not_found at path.user_id': { 'a user who is no member': {} },
      },
    },
  },
})
