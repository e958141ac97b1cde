/** A small addition to the program, as a set of edits. CONTRIBUTING.md lists the same files. */
export interface Addition {
  readonly what: string
  /** Most files that may need edits by hand. */
  readonly filesMax: number
  /** New files by path, and insertions into existing files. */
  readonly files: Readonly<Record<string, string | readonly Insertion[]>>
}

/** Text to insert after every occurrence of `behind`, or before an occurrence of `before`. */
type Insertion = { readonly behind: string; readonly text: string } | { readonly before: string; readonly text: string }

const ENTRIES = 'src/knowledge/entries'
const CATEGORIES = 'src/knowledge/categories'
const TOOLS = 'src/channels/mcp/tools'
const MIGRATIONS = 'src/platform/database/migrations'

export const FIELD: Addition = {
  what: 'a field of entries',
  filesMax: 6,
  files: {
    [`${ENTRIES}/contract.ts`]: [
      {
        before: 'export const Entry = Contract',
        text: 'const Audience = Nullable(Type.String({ maxLength: 200 }))\n\n',
      },
      { behind: '  layer: Layer,\n', text: '  audience: Audience,\n' },
      {
        behind: '  related_themes: Type.Optional(RelatedThemes),\n',
        text: '  audience: Type.Optional(Audience),\n',
      },
    ],
    [`${MIGRATIONS}/0002-audience.ts`]: `import type { Kysely } from 'kysely'

export function audienceMigration() {
  return {
    up: ({ schema }: Kysely<unknown>) => schema.alterTable('entries').addColumn('audience', 'text').execute(),
  }
}
`,
    'src/platform/database/migrate.ts': [
      {
        behind: "import { schemaMigration } from './migrations/0001-schema.ts'\n",
        text: "import { audienceMigration } from './migrations/0002-audience.ts'\n",
      },
      { before: '  }\n}\n\n/** Number of the advisory lock', text: "    '0002-audience': audienceMigration(),\n" },
    ],
    'src/platform/database/entry-rows.ts': [
      { behind: '  layer: string | null\n', text: '  audience: string | null\n' },
    ],
    [`${ENTRIES}/writes/draft.ts`]: [
      { behind: '    layer: input.layer ?? null,\n', text: '    audience: input.audience ?? null,\n' },
      { behind: '    layer: draft.layer,\n', text: '    audience: draft.audience,\n' },
    ],
    [`${ENTRIES}/entry.ts`]: [
      { behind: '    layer: row.layer,\n', text: '    audience: row.audience,\n' },
      { behind: '  layer: null,\n', text: '  audience: null,\n' },
    ],
  },
}

export const FILTER: Addition = {
  what: 'a filter of entry search',
  filesMax: 2,
  files: {
    [`${ENTRIES}/indexing/index-source.ts`]: [
      { behind: "    'layer',\n", text: "    'origin',\n" },
      { behind: "  'workspace_id',\n  'layer',\n", text: "  'source_reference',\n" },
      {
        behind: '      layer: row.layer === null ? [] : [row.layer],\n',
        text: '      origin: row.source_reference === null ? [] : [row.source_reference],\n',
      },
    ],
    [`${ENTRIES}/search/entry-fields.ts`]: [
      { behind: "    layer: key('layer', counted),\n", text: "    origin: key('origin'),\n" },
    ],
  },
}

export const PROVIDER: Addition = {
  what: 'an embedding provider',
  filesMax: 2,
  files: {
    'src/embedding/letters/provider.ts': `import type { Provider } from '../provider.ts'
import { normalizeInPlace } from '../vectors.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export const letters: Provider = {
  needs: [],
  create: () => ({
    id: 'letters:count:26',
    dimensions: LETTERS.length,
    batchSize: 100,
    answersAtOnce: true,
    embed: async (texts) => texts.map(countLetters),
    close: async () => undefined,
  }),
}

function countLetters(text: string): Float32Array {
  const vector = new Float32Array(LETTERS.length)
  for (const letter of text.toLowerCase()) if (LETTERS.includes(letter)) vector[LETTERS.indexOf(letter)]++
  normalizeInPlace(vector)
  return vector
}
`,
    'src/embedding/providers.ts': [
      { before: 'import { openai }', text: "import { letters } from './letters/provider.ts'\n" },
      { behind: '{ builtin, ', text: 'letters, ' },
    ],
  },
}

export const TOOL: Addition = {
  what: 'an MCP tool',
  filesMax: 2,
  files: {
    [`${TOOLS}/count-categories.ts`]: `import type { CategoryRules } from '../../../knowledge/categories/rules.ts'
import { Int } from '../../../platform/contract/schema.ts'
import { defineTool, READS, type Tool } from '../tool.ts'

export function countCategories(categories: CategoryRules): Tool {
  return defineTool({
    name: 'count_categories',
    title: 'Count categories',
    description: 'How many categories there are.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {},
    output: { total: Int({ minimum: 0 }) },
    run: async (caller) => {
      const { total } = await categories.listFrom(caller, null, { offset: 0, limit: 1 })
      return { structured: { total }, text: String(total) }
    },
  })
}
`,
    [`${TOOLS}/all.ts`]: [
      {
        before: 'import { createEntry,',
        text: "import { countCategories } from './count-categories.ts'\n",
      },
      { behind: '    listCategories(categories),\n', text: '    countCategories(categories),\n' },
    ],
  },
}

export const ROUTE: Addition = {
  what: 'a route',
  filesMax: 4,
  files: {
    [`${CATEGORIES}/contract.ts`]: [
      {
        before: 'export const CategoryCreate',
        text: "export const CategoryNames = Contract('CategoryNames', { names: Type.Array(Type.String()) })\n\n",
      },
    ],
    [`${CATEGORIES}/routes.ts`]: [
      { behind: 'import { Category, ', text: 'CategoryNames, ' },
      {
        before: "    app.route({\n      method: 'GET',\n      url: `${BASE}/:category_id`",
        text: `    app.route({
      method: 'GET',
      url: '/api/knowledge/category-names',
      schema: { operationId: 'nameCategories', tags, summary: 'Names', response: { 200: CategoryNames } },
      config: { scopes: ['knowledge:read'] },
      handler: async (request) => ({ names: await rules.names(request.caller) }),
    })
`,
      },
    ],
    [`${CATEGORIES}/rules.ts`]: [
      {
        before: '  async read(caller: Caller, id: string): Promise<Category> {',
        text: `  names(caller: Caller): Promise<string[]> {
    return store.namesOfCategories(this.#database.queries, caller.tenant.id)
  }

`,
      },
    ],
    [`${CATEGORIES}/store.ts`]: [
      {
        before: "const ORDER = ['sort_order', 'name', 'id'] as const",
        text: `export async function namesOfCategories(db: Queries, tenantId: string): Promise<string[]> {
  const rows = await db.selectFrom('categories').select('name').where('tenant_id', '=', tenantId).limit(10).execute()
  return rows.map(({ name }) => name)
}

`,
      },
    ],
  },
}

export const SETTING: Addition = {
  what: 'a setting',
  filesMax: 1,
  files: {
    'src/config/topics/log.ts': [
      {
        before: '    /** The answered requests that are logged',
        text: `    logColours: setting({
      name: 'REQUEST_LOG_COLOURS',
      kind: choice(['many', 'none']),
      default: 'many',
      meaning: 'The colours of the log.',
      example: 'none',
    }),
`,
      },
    ],
  },
}
