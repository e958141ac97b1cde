import { changeTenant } from '../../../src/identity/tenants/rules.ts'
import {
  type OperationFailures,
  failures,
  type FailureRows,
  GUESSED_STATE,
  create,
  OTHER_STATE,
  noSuch,
  UNKNOWN,
} from './table.ts'

interface Seed {
  readonly entry_id: string
  readonly category_id: string
  readonly version: string
  /** A workspace that the administrator is no member of. */
  readonly strangers: string
  /** May read and write up to `internal`, and has no user. */
  readonly insider: string
  /** The same up to `workspace`. */
  readonly colleague: string
  /** May write and not read. */
  readonly writer: string
}

const draft = ({ category_id }: Seed) => ({ title: 'A title', content: 'Some content', category_id })
const NO_REFERENCE: FailureRows<Seed> = {
  '422 reference_not_found at body.category_id': {
    'a category that does not exist': (seed) => ({ body: { ...draft(seed), category_id: UNKNOWN } }),
  },
  '422 reference_not_found at body.workspace_id': {
    'a workspace that does not exist': (seed) => ({ body: { ...draft(seed), workspace_id: UNKNOWN } }),
  },
}
const NO_LEVEL: FailureRows<Seed> = {
  '403 forbidden at body.visibility': {
    'a level above the caller’s own': (seed) => ({
      key: seed.insider,
      body: { ...draft(seed), visibility: 'restricted' },
    }),
  },
  '403 forbidden at body.workspace_id': {
    'a workspace of which the caller is no member': (seed) => ({
      body: { ...draft(seed), visibility: 'workspace', workspace_id: seed.strangers },
    }),
  },
  '422 value_error at body.visibility': {
    'a private note at the wrong operation': (seed) => ({ body: { ...draft(seed), visibility: 'personal' } }),
  },
}
const CHANGE: OperationFailures<Seed> = {
  asks: { body: { title: 'Another' } },
  fails: {
    ...noSuch('entry_id'),
    ...GUESSED_STATE,
    ...NO_REFERENCE,
    ...NO_LEVEL,
    '403 forbidden at body.metadata': {
      'metadata by a caller who may not know the type of the entry': ({ writer }) => ({
        key: writer,
        body: { metadata: {} },
      }),
    },
    '422 immutable_field at body.type': {
      'another type': { body: { type: 'glossary' } },
      'the type that the entry has': { body: { type: 'knowledge' } },
    },
    '422 json_too_deep at body.metadata': {
      'metadata of too many levels': { body: { metadata: JSON.parse('{"a":'.repeat(9) + '1' + '}'.repeat(9)) } },
    },
  },
}
const READ: OperationFailures<Seed> = { fails: noSuch('entry_id') }
const NO_FILTER = (part: string): FailureRows => ({
  [`422 reference_not_found at ${part}.category_id`]: { 'a category that does not exist': filter('category_id', part) },
  [`422 reference_not_found at ${part}.project_id`]: { 'a project that does not exist': filter('project_id', part) },
  [`422 reference_not_found at ${part}.site_id`]: { 'a site that does not exist': filter('site_id', part) },
})

function filter(field: string, part: string) {
  const named = { [field]: UNKNOWN }
  if (part === 'query') return { query: named }
  return { body: part === 'body' ? { query: 'anything', ...named } : { filter: named } }
}

failures<Seed>('Knowledge entries', {
  seed: async (service) => {
    const category_id = await service.category()
    const twice = { title: 'Twice', content: 'Twice', category_id, source_reference: 'twice' }
    for (const title of ['One', 'Another']) await create(service, 'knowledge-entries', { ...twice, title })
    await create(service, 'knowledge-entries', { ...twice, source_reference: 'once' })
    // Without a user, so that the workspace gets no member.
    const nobodys = await service.key(['tenant:admin'])
    const strangers = await create(service, 'workspaces', { name: 'Strangers' }, nobodys)
    await changeTenant(service.database, service.tenantId, { settings: { workspaces: 'true' } })
    const reads = ['knowledge:read', 'knowledge:write']
    return {
      entry_id: await create(service, 'knowledge-entries', { title: 'Entry', content: 'Content', category_id }),
      category_id,
      version: '1',
      strangers,
      insider: await service.key([...reads, 'knowledge:personal', 'visibility:internal']),
      colleague: await service.key([...reads, 'visibility:workspace']),
      writer: await service.key(['knowledge:write', 'knowledge:delete', 'visibility:internal']),
    }
  },
  table: {
    'createEntry POST /api/knowledge/knowledge-entries': { fails: { ...NO_REFERENCE, ...NO_LEVEL } },
    'createPersonalEntry POST /api/knowledge/knowledge-entries/personal': {
      asks: (seed) => ({ body: draft(seed) }),
      fails: {
        '403 forbidden at header.authorization': {
          'a credential without a user': ({ insider }) => ({ key: insider }),
        },
        '422 reference_not_found at body.category_id': {
          'a category that does not exist': (seed) => ({ body: { ...draft(seed), category_id: UNKNOWN } }),
        },
      },
    },
    'listEntries GET /api/knowledge/knowledge-entries': { fails: NO_FILTER('query') },
    'getEntry GET /api/knowledge/knowledge-entries/{entry_id}': READ,
    'updateEntry PATCH /api/knowledge/knowledge-entries/{entry_id}': CHANGE,
    'putEntry PUT /api/knowledge/knowledge-entries/{entry_id}': CHANGE,
    'deleteEntry DELETE /api/knowledge/knowledge-entries/{entry_id}': {
      fails: { ...noSuch('entry_id'), ...GUESSED_STATE },
    },
    'listEntryVersions GET /api/knowledge/knowledge-entries/{entry_id}/versions': READ,
    'getEntryVersion GET /api/knowledge/knowledge-entries/{entry_id}/versions/{version}': {
      fails: {
        ...noSuch('entry_id'),
        '404 not_found at path.version': { 'a version that there never was': { path: { version: '2' } } },
      },
    },
    'listTranslations GET /api/knowledge/knowledge-entries/{entry_id}/translations': READ,
    'listRelatedEntries GET /api/knowledge/knowledge-entries/{entry_id}/related': READ,
    'searchEntries POST /api/knowledge/knowledge-entries/search': { fails: NO_FILTER('body') },
    'getEntryBySource GET /api/knowledge/knowledge-entries/by-source': {
      fails: {
        '404 not_found at query.source_reference': {
          'a reference that no entry has': { query: { source_reference: 'never' } },
        },
      },
    },
    'removeEntryBySource DELETE /api/knowledge/knowledge-entries/by-source': {
      asks: { query: { source_reference: 'once' } },
      fails: {
        ...OTHER_STATE,
        '404 not_found at query.source_reference': {
          'a reference that no entry has': { query: { source_reference: 'never' } },
        },
        '409 conflict at query.source_reference': {
          'a reference that several entries have': { query: { source_reference: 'twice' } },
        },
      },
    },
    'bulkDeleteEntries POST /api/knowledge/knowledge-entries/bulk-delete': {
      fails: {
        ...NO_FILTER('body.filter'),
        '422 missing at body.entry_ids': { 'neither entries nor a filter': { body: {} } },
        '422 value_error at body.filter': {
          'both entries and a filter': { body: { entry_ids: [UNKNOWN], filter: { tag: ['any'] } } },
        },
        '422 too_short at body.filter': { 'a filter without a condition': { body: { filter: {} } } },
        '422 reference_not_found at body.entry_ids.1': {
          'one entry of several that does not exist': ({ entry_id }) => ({ body: { entry_ids: [entry_id, UNKNOWN] } }),
        },
      },
    },
    'countReaders GET /api/knowledge/readers': {
      fails: {
        '403 forbidden at query.visibility': {
          'a level above the caller’s own': ({ insider }) => ({ key: insider, query: { visibility: 'restricted' } }),
        },
        '403 forbidden at query.workspace_id': {
          'a workspace of which the caller is no member': ({ strangers, colleague }) => ({
            key: colleague,
            query: { visibility: 'workspace', workspace_id: strangers },
          }),
        },
        '422 reference_not_found at query.workspace_id': {
          'a workspace that does not exist': { query: { workspace_id: UNKNOWN } },
        },
      },
    },
  },
})
