import {
  address,
  flag,
  hollow,
  id,
  language,
  list,
  narrow,
  nullable,
  object,
  real,
  text,
  whole,
  wide,
  word,
} from './kinds.ts'
import { cursor, type Fields, members, type Operation, pages, type World } from './operation.ts'
import { operatorOperations } from './operator-operations.ts'
import { factorOperations } from './factor-operations.ts'
import { oauthOperations } from './oauth-operations.ts'
import { peopleOperations } from './people-operations.ts'
import { moment } from './shop-kinds.ts'
import { laboratoryOperations } from './laboratory-operations.ts'
import { shopOperations } from './shop-operations.ts'
import { tenancyOperations } from './tenancy-operations.ts'

const VISIBILITIES = ['public', 'internal', 'personal', 'restricted', 'community', 'workspace']
const TYPES = ['knowledge', 'skill', 'process', 'glossary', 'memory', 'bootstrap', 'skill_index']
/** Types that accept empty metadata. */
const PLAIN_TYPES = ['knowledge', 'memory', 'bootstrap']
const SOURCES = ['manual', 'import', 'conversational', 'learning_loop', 'system']
const SCOPES = [
  'knowledge:read',
  'knowledge:write',
  'knowledge:prompts',
  'knowledge:delete',
  'knowledge:personal',
  'categories:write',
  'products:read',
  'products:write',
  'sites:read',
  'sites:write',
  'search:log',
  'analytics:read',
  'clients:register',
  'tenant:admin',
  ...['public', 'community', 'internal', 'workspace', 'restricted'].map((level) => `visibility:${level}`),
]
const assignable = VISIBILITIES.filter((level) => level !== 'personal')
const someId = '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'

const versionCursor = Buffer.from('[1]').toString('base64url')

/** Returns a path of so many characters, with names of 200 characters. */
const categoryPath = (length: number) => Array.from({ length }, (_, i) => (i % 201 === 200 ? '/' : 'x')).join('')
const ENTRY_FIELDS = `
  id tenant_id type title content summary category_id visibility layer language tags search_keywords metadata
  translation_group_id workspace_id source source_reference created_by_user_id version embedding_model
  created_at updated_at url
`
  .trim()
  .split(/\s+/)

const words = () => list(text(1, 100), 0, 100, (i) => `${i}`)
const description = () => nullable(text(0, 5_000))

/**
 * Returns every operation of the service with its fields, written from the interface and its decisions instead of the
 * code. A limit in the OpenAPI document that this table lacks fails a test.
 */
export function operations(world: World): Readonly<Record<string, Operation>> {
  const written: Fields = {
    title: text(1, 500),
    content: text(1, 1_000_000, (length) => (length === 1 ? wide(1) : hollow(length))),
    category_id: id(world.category, world.otherCategory),
    summary: nullable(text(0, 5_000)),
    layer: nullable(text(0, 50)),
    language: language(5),
    tags: words(),
    metadata: object({}, { free: [1, null, { form: true }] }),
    source: word(SOURCES),
    source_reference: nullable(text(0, 1_000)),
  }
  const entry: Fields = {
    ...written,
    visibility: word(VISIBILITIES, assignable),
    search_keywords: words(),
    translation_group_id: id(someId),
    workspace_id: nullable(id(world.workspace)),
    url: nullable(address(2_000)),
    related_themes: nullable(text(0, 2_000)),
  }
  const newEntry: Operation = {
    body: { ...entry, type: word(TYPES, PLAIN_TYPES) },
    required: ['title', 'content', 'category_id'],
    good: { title: 'A title', content: 'Some content', category_id: world.category },
  }
  const entryId = { entry_id: id(world.entry) }
  // Short content each time, because a change keeps the previous version.
  const changeEntry: Operation = { path: entryId, body: entry, good: { content: 'Some content' } }
  const oneEntry: Operation = { path: entryId }
  const page = { limit: whole(1, 1_000), cursor: cursor() }
  const bySource = { source_reference: text(0, 1_000, narrow), source: word(SOURCES) }

  const category: Fields = {
    name: text(1, 200),
    description: description(),
    parent_id: nullable(id(world.otherCategory)),
    sort_order: whole(0),
  }
  const oneCategory: Operation = { path: { category_id: id(world.category) } }
  const changeCategory: Operation = {
    ...oneCategory,
    body: { ...category, name: nullable(category.name), sort_order: nullable(category.sort_order) },
  }

  const named: Fields = { name: text(1, 200), description: description() }
  const newNamed: Operation = { body: named, required: ['name'], good: { name: 'A name' } }
  const oneProject: Operation = { path: { project_id: id(world.project) } }
  const oneWorkspace: Operation = { path: { workspace_id: id(world.workspace) } }

  return {
    createEntry: newEntry,
    importEntries: {
      ...newEntry,
      body: { ...newEntry.body, category: text(1, 12_863, categoryPath) },
      required: ['title', 'content'],
      demanded: 'category_id',
      query: { dry_run: flag() },
    },
    createPersonalEntry: { ...newEntry, body: written },
    updateEntry: changeEntry,
    putEntry: changeEntry,
    getEntry: { ...oneEntry, query: { include_category_path: flag() } },
    deleteEntry: oneEntry,
    listEntryVersions: { ...oneEntry, query: { ...page, cursor: { ...page.cursor, accepts: [versionCursor] } } },
    getEntryVersion: { path: { ...entryId, version: whole(1) } },
    listTranslations: { ...oneEntry, query: page },
    listRelatedEntries: { ...oneEntry, query: { limit: whole(1, 100) } },
    getEntryBySource: { query: bySource, needs: ['source_reference'] },
    removeEntryBySource: { query: bySource, needs: ['source_reference'], refusals: [404, 409] },
    bulkDeleteEntries: {
      // An unknown id, so that the entry stays, which other tests need.
      body: { entry_ids: list(id(someId), 1, 500, () => someId), filter: object(), dry_run: flag() },
      good: { filter: { tag: ['no entry has it'] } },
      refusals: [422],
    },
    listEntries: {
      query: {
        category_id: id(world.category),
        type: word(TYPES),
        project_id: id(world.project),
        site_id: id(world.site),
        visibility: word(VISIBILITIES),
        layer: text(0, null),
        tag: list(text(0, null), 0, 100, (i) => `${i}`),
        language: language(null),
        source: word(SOURCES),
        source_reference: text(0, 1_000, narrow),
        include_expired: flag(),
        include_category_path: flag(),
        include_total: flag(),
        ...page,
      },
    },
    searchEntries: {
      body: {
        query: text(1, 2_000),
        limit: whole(1, 100),
        min_similarity: nullable(real(-1, 1)),
        relevance: flag(),
        min_relevance: nullable(real(0, 1)),
        category_id: nullable(id(world.category)),
        include_descendants: flag(),
        type: nullable(word(TYPES)),
        project_id: nullable(id(world.project)),
        site_id: nullable(id(world.site)),
        visibility: nullable(word(VISIBILITIES)),
        layer: nullable(text(0, null)),
        tags: nullable(list(text(0, null), 0, 100, (i) => `${i}`)),
        language: nullable(language(null)),
        mode: word(['semantic', 'keyword', 'hybrid']),
        typo_tolerance: flag(),
        prefix: flag(),
        offset: whole(0, 1_000),
        group_translations: flag(),
        include_category_path: flag(),
        explain: flag(),
        filter: object({ all: [] }, { field: 'type', any_of: ['skill'] }),
        sort: object({ field: 'title' }, { field: 'created_at', order: 'desc' }),
        fields: list(word(ENTRY_FIELDS), 1, 50, (i) => ENTRY_FIELDS[i % ENTRY_FIELDS.length]),
        excerpt: object({}, { length: 50 }, { length: 1_000 }),
        visitor_id: text(1, 200),
      },
      required: ['query'],
      good: { query: 'something' },
    },
    countReaders: { query: { visibility: word(VISIBILITIES), workspace_id: id(world.workspace) } },
    listBin: { query: page },
    restoreEntry: oneEntry,
    purgeEntry: oneEntry,
    createCategory: { body: category, required: ['name'], good: { name: 'A name' } },
    listCategories: { query: { parent_id: id(world.category), ...pages([0, 'A name', world.category]) } },
    getCategory: oneCategory,
    updateCategory: changeCategory,
    updateCategoryWithPatch: changeCategory,
    deleteCategory: oneCategory,
    createProject: newNamed,
    listProjects: { query: pages(['A name', world.project]) },
    getProject: oneProject,
    updateProject: { ...oneProject, body: named },
    updateProjectWithPatch: { ...oneProject, body: named },
    deleteProject: oneProject,
    addProjectEntries: { ...oneProject, ...members('entry_ids', world.entry) },
    setProjectEntries: { ...oneProject, ...members('entry_ids', world.entry) },
    removeProjectEntry: { path: { ...oneProject.path, ...entryId } },
    createWorkspace: newNamed,
    listWorkspaces: { query: pages(['A name', world.workspace]) },
    getWorkspace: oneWorkspace,
    updateWorkspace: { ...oneWorkspace, body: named },
    updateWorkspaceWithPatch: { ...oneWorkspace, body: named },
    deleteWorkspace: oneWorkspace,
    listWorkspaceMembers: { ...oneWorkspace, query: { include_role: flag(), ...pages(['somebody@example.com']) } },
    addWorkspaceMembers: { ...oneWorkspace, ...members('user_ids', world.user) },
    setWorkspaceMembers: { ...oneWorkspace, ...members('user_ids', world.user) },
    removeWorkspaceMember: { path: { ...oneWorkspace.path, user_id: id(world.user) } },
    ...shopOperations(world),
    ...laboratoryOperations(world),
    ...oauthOperations(world),
    ...operatorOperations(),
    getEmbeddingStatus: {},
    listEmbeddingModels: {},
    chooseEmbeddingModel: {
      // The other models would begin to read texts of a million characters.
      body: { choice: nullable(word(['both', 'contextual-eu-v1', 'static-de-en-v2'], ['static-de-en-v2'])) },
      required: ['choice'],
      good: { choice: 'static-de-en-v2' },
    },
    getStatus: {},
    getQuotas: {},
    getSignInMethods: { isPublic: true },
    signIn: {
      isPublic: true,
      body: { email: text(1, 401), password: text(1, 1_000), tenant: nullable(text(1, 63)) },
      required: ['email', 'password'],
      good: { email: 'nobody@example.com', password: 'not a password' },
      refusals: [401, 429],
    },
    getSession: {},
    ...factorOperations(world),
    signOut: { isPublic: true },
    listApiKeys: { query: pages([1, world.key]) },
    createPublishableKey: {
      body: {
        name: text(1, 200),
        origins: list(
          text(8, 300, (length) => `http://${'a'.repeat(length - 7)}`),
          1,
          20,
          (i) => `https://shop-${i}.example`,
        ),
        sections: list(word(['products', 'knowledge']), 1, 10, (i) => ['products', 'knowledge'][i % 2]),
        sites: nullable(list({ ...text(1, 1_000), accepts: [world.site, 'default'] }, 1, 20, () => world.site)),
        expires_at: nullable(moment('9999-12-31T23:59:59.999Z', '2100-01-01T00:00:00+23:59')),
      },
      required: ['name', 'origins', 'sections'],
      good: { name: 'A key', origins: ['https://shop.example'], sections: ['products'] },
    },
    createApiKey: {
      body: {
        name: text(1, 200),
        scopes: list(word(SCOPES), 1, SCOPES.length, (i) => SCOPES[i % SCOPES.length]),
        user_id: nullable(id(world.user)),
        expires_at: nullable(moment('9999-12-31T23:59:59.999Z', '2100-01-01T00:00:00+23:59')),
        // The limits of its fields have their cases where factors are set up.
        confirmation: object({}, { password: 'for a signed-in person' }),
      },
      required: ['name', 'scopes'],
      good: { name: 'A key', scopes: ['knowledge:read'] },
    },
    revokeApiKey: { path: { key_id: id(world.key) }, query: { with_issued: flag() }, refusals: [404] },
    ...peopleOperations(world),
    moveCategory: {
      ...oneCategory,
      body: { parent_id: nullable(id(world.otherCategory)), before_id: nullable(id(world.otherCategory)) },
      required: ['parent_id'],
      good: { parent_id: null },
    },
    countEntriesByCategory: {},
    // Merges into an unknown category, so that the category stays, which other tests need.
    mergeCategory: {
      ...oneCategory,
      body: { into_id: id(someId) },
      required: ['into_id'],
      good: { into_id: someId },
      refusals: [422],
    },
    ...tenancyOperations(world),
    health: { isPublic: true },
    readiness: { isPublic: true },
  }
}
