import { type OperationFailures, failures, GUESSED_STATE, create, noSuch, UNKNOWN } from './table.ts'

interface Seed {
  readonly project_id: string
  readonly entry_id: string
  /** May write and not read. */
  readonly writer: string
}

const CHANGE: OperationFailures<Seed> = {
  asks: { body: { name: 'Another' } },
  fails: { ...noSuch('project_id'), ...GUESSED_STATE },
}
const ENTRIES: OperationFailures<Seed> = {
  asks: ({ entry_id }) => ({ body: { entry_ids: [entry_id] } }),
  fails: {
    ...noSuch('project_id'),
    '422 reference_not_found at body.entry_ids.1': {
      'one entry of several that does not exist': ({ entry_id }) => ({ body: { entry_ids: [entry_id, UNKNOWN] } }),
    },
  },
}

failures<Seed>('Projects', {
  seed: async (service) => {
    const entry = { title: 'Entry', content: 'Content', category_id: await service.category() }
    return {
      project_id: await create(service, 'projects', { name: 'Launch' }),
      entry_id: await create(service, 'knowledge-entries', entry),
      writer: await service.key(['knowledge:write', 'visibility:internal']),
    }
  },
  table: {
    'getProject GET /api/knowledge/projects/{project_id}': { fails: noSuch('project_id') },
    'updateProject PUT /api/knowledge/projects/{project_id}': CHANGE,
    'updateProjectWithPatch PATCH /api/knowledge/projects/{project_id}': CHANGE,
    'deleteProject DELETE /api/knowledge/projects/{project_id}': {
      fails: { ...noSuch('project_id'), ...GUESSED_STATE },
    },
    'addProjectEntries POST /api/knowledge/projects/{project_id}/entries': ENTRIES,
    'setProjectEntries PUT /api/knowledge/projects/{project_id}/entries': ENTRIES,
    'removeProjectEntry DELETE /api/knowledge/projects/{project_id}/entries/{entry_id}': {
      fails: { ...noSuch('project_id'), ...noSuch('entry_id') },
    },
  },
})
