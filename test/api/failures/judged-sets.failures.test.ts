import { newId } from '../../../src/platform/ids.ts'
import { type OperationFailures, failures, create, OTHER_STATE, noSuch, UNKNOWN } from './table.ts'

/** Sets of a tenant, and queries of a set, at most. */
const SETS_MAX = 50
const QUERIES_MAX = 500

const lamp = { queries: [{ query: 'lamp', judgments: [] }] }
const ONE: OperationFailures = { fails: noSuch('set_id') }

failures('Judged sets', {
  isChanging: true,
  seed: async (service) => {
    const set = (name: string) => create(service, 'judged-sets', { name, section: 'knowledge' })
    const put = (id: string, body: object) => service.call('PUT', `/api/knowledge/judged-sets/${id}/queries`, { body })
    const [set_id, full] = [await set('Questions'), await set('Full')]
    await put(set_id, lamp)
    const queries = Array.from({ length: QUERIES_MAX }, (_, i) => ({ query: `query ${i}`, judgments: [] }))
    await put(full, { queries })
    const [query] = (await service.call('GET', `/api/knowledge/judged-sets/${set_id}/queries`)).body as { id: string }[]
    const crowd = await service.tenant('crowd')
    const sets = Array.from({ length: SETS_MAX }, (_, i) => {
      return {
        tenant_id: crowd,
        id: newId(),
        name: `Set ${i}`,
        section: 'knowledge',
        created_at: 1,
        updated_at: 1,
      } as const
    })
    await service.database.queries.insertInto('judged_sets').values(sets).execute()
    return {
      set_id,
      full,
      query_id: query.id,
      run_id: UNKNOWN,
      tenant: service.tenantId,
      database: service.database,
      collector: (await service.user({ tenant: crowd, email: 'collector@crowd.example' })).key,
      insider: await service.key(['tenant:admin', 'knowledge:read', 'products:read', 'visibility:internal']),
    }
  },
  table: {
    'createJudgedSet POST /api/knowledge/judged-sets': {
      asks: { body: { name: 'Another', section: 'knowledge' } },
      fails: {
        '409 conflict at body.name': { 'one more than a tenant may have': ({ collector }) => ({ key: collector }) },
      },
    },
    'getJudgedSet GET /api/knowledge/judged-sets/{set_id}': ONE,
    'renameJudgedSet PATCH /api/knowledge/judged-sets/{set_id}': {
      asks: { body: { name: 'Another' } },
      fails: { ...ONE.fails, ...OTHER_STATE },
    },
    'deleteJudgedSet DELETE /api/knowledge/judged-sets/{set_id}': { fails: { ...ONE.fails, ...OTHER_STATE } },
    'listJudgedQueries GET /api/knowledge/judged-sets/{set_id}/queries': ONE,
    'putJudgedQueries PUT /api/knowledge/judged-sets/{set_id}/queries': {
      asks: { body: lamp },
      fails: {
        ...ONE.fails,
        '409 conflict at body.queries': {
          'one more than a set may have': ({ full }) => ({ path: { set_id: full } }),
        },
        '422 reference_not_found at body.queries.0.judgments.0.id': {
          'a judgment on an entry that does not exist': {
            body: { queries: [{ query: 'lamp', judgments: [{ id: UNKNOWN, grade: 2 }] }] },
          },
        },
      },
    },
    'deleteJudgedQuery DELETE /api/knowledge/judged-sets/{set_id}/queries/{query_id}': {
      fails: { ...ONE.fails, ...noSuch('query_id') },
    },
    'listJudgedRuns GET /api/knowledge/judged-sets/{set_id}/runs': ONE,
    'startJudgedRun POST /api/knowledge/judged-sets/{set_id}/runs': {
      asks: { body: { mode: 'keyword' } },
      fails: {
        ...ONE.fails,
        '422 above_own_ceiling at body.ceiling': {
          'the eyes of a user who sees more than the caller': ({ insider }) => ({
            key: insider,
            body: { ceiling: 'restricted' },
          }),
        },
        '409 conflict at path.set_id': {
          'a run while another goes on': async ({ database, tenant, set_id }) => {
            const now = Date.now()
            const row = { tenant_id: tenant, id: newId(), set_id, state: 'running', ceiling: 'public' } as const
            const nothing = { done: 0, total: 1, ndcg: null, first_right: null, finished_at: null }
            const run = { ...row, ...nothing, settings: '{}', results: '[]', started_at: now, renewed_at: now }
            await database.queries.insertInto('judged_runs').values(run).execute()
            return {}
          },
        },
      },
    },
    'getJudgedRun GET /api/knowledge/judged-sets/{set_id}/runs/{run_id}': {
      fails: { ...ONE.fails, ...noSuch('run_id') },
    },
  },
})
