import { times, type Abuser } from './abuser.ts'
import { prepared, type Scenario, type ScenarioGroup } from './scenario.ts'

const SEARCH = '/api/knowledge/knowledge-entries/search'
/** Random words per entry, from so many that entries share almost none. */
const ENTRY_WORDS = 120
const HEAP_MB = 400
const BUDGET_MB = 32

function* randomEntries(abuser: Abuser, count: number, category: string): Generator<object> {
  yield* times(count, (n) => ({
    title: `Entry ${n}`,
    content: abuser.words(ENTRY_WORDS),
    category_id: category,
    language: 'en',
  }))
}

const searchOf = (query: string, body: object = {}) =>
  ({ method: 'POST', path: SEARCH, body: { query, mode: 'hybrid', limit: 10, ...body } }) as const

export const HEAP: ScenarioGroup = {
  name: 'heap',
  settings: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  scenarios: [
    {
      name: 'search-heap',
      what: `stores 42,000 entries of ${ENTRY_WORDS} random words over the bulk route and searches them, with a heap of ${HEAP_MB} MB`,
      mostSeconds: 150,
      async run(abuser) {
        const client = abuser.client()
        const category = (await abuser.ask(client, {
          method: 'POST',
          path: '/api/knowledge/categories',
          body: { name: 'Random' },
        })) as { id: string }
        const entries = randomEntries(abuser, abuser.size(42_000), category.id)
        const work = async (): Promise<void> => {
          const own = abuser.client()
          for (let isEnd = false; !isEnd && !abuser.isCutOff;) {
            const lines: string[] = []
            while (lines.length < 500 && !isEnd) {
              const { done, value } = entries.next()
              if (done === true) isEnd = true
              else lines.push(`${JSON.stringify(value)}\n`)
            }
            const headers = { 'content-type': 'application/x-ndjson' }
            const path = '/api/knowledge/knowledge-entries/bulk'
            if ((await abuser.send(own, { method: 'POST', path, headers, body: lines.join('') })) === 0) return
          }
        }
        await Promise.all(Array.from({ length: 4 }, work))
        abuser.extend(20_000)
        await abuser.flood(4, () => searchOf(abuser.words(3)))
      },
    },
  ],
}

export const BUDGET = prepared(
  { name: 'budget', settings: { SEARCH_MEMORY_MB: String(BUDGET_MB) } },
  async (abuser) => {
    const category = await abuser.api.category('Random')
    await abuser.store(randomEntries(abuser, abuser.size(60_000), category))
  },
  [
    {
      name: 'search-budget',
      what: `searches 60,000 entries whose index takes many times the ${BUDGET_MB} MB that all indexes may take together`,
      mostSeconds: 40,
      run: (abuser) => abuser.flood(4, () => searchOf(abuser.words(3))),
    },
  ],
)

/** Distinct words of a private note of 1 MB. */
const NOTE_WORDS = 110_000

/** Makes a category as the administrator, since readers make none. @returns its id */
async function categoryOf(abuser: Abuser): Promise<string> {
  const body = { name: `Notes ${abuser.words(1)}` }
  const request = { method: 'POST', path: '/api/knowledge/categories', key: abuser.target.adminKey, body } as const
  return ((await abuser.ask(abuser.client(), request)) as { id: string }).id
}

/** A reader fills the search memory of the tenant, of which the administrator still finds everything of others. */
export const NOTES: ScenarioGroup = {
  name: 'notes',
  settings: { SEARCH_MEMORY_MB: String(4 * BUDGET_MB) },
  scenarios: [
    {
      name: 'private-notes',
      what: `stores 40 private notes of 1 MB of distinct words, with ${2 * BUDGET_MB} MB for the tenant's index, and searches as its administrator`,
      mostSeconds: 90,
      async run(abuser) {
        const client = abuser.client()
        const key = abuser.target.adminKey
        const category = await categoryOf(abuser)
        const entry = { title: 'Lamp', content: 'It gives light.', category_id: category, language: 'en' }
        await abuser.ask(client, { method: 'POST', path: '/api/knowledge/knowledge-entries', key, body: entry })
        const numbers = Array.from({ length: 40 }, (_, n) => n)
        const note = (n: number) => {
          const words = Array.from({ length: NOTE_WORDS }, (_, i) => `n${n.toString(36)}x${i.toString(36)}`)
          return { ...entry, title: `Note ${n}`, content: words.join(' ').slice(0, 990_000) }
        }
        const path = '/api/knowledge/knowledge-entries/personal'
        await abuser.each(numbers, 2, (each, n) => abuser.send(each, { method: 'POST', path, body: note(n) }))
        abuser.extend(20_000)
        await abuser.flood(4, () => ({ ...searchOf('lamp'), key }))
      },
    },
    {
      name: 'excerpts',
      what: 'searches six private notes of 1 MB, all of it words that hyphens tie to the word of the query, for excerpts, 4 connections',
      mostSeconds: 40,
      async run(abuser) {
        const path = '/api/knowledge/knowledge-entries/personal'
        const category = await categoryOf(abuser)
        const content = Array.from({ length: 62_000 }, (_, i) => `haus-${i.toString(36).padStart(9, 'b')}`).join('-')
        const note = (n: number) => ({ title: `Hau ${n}`, content, category_id: category, language: 'de' })
        await abuser.each([1, 2, 3, 4, 5, 6], 2, (each, n) =>
          abuser.send(each, { method: 'POST', path, body: note(n) }),
        )
        const body = { mode: 'keyword', limit: 6, fields: ['title'], excerpt: {} }
        await abuser.flood(4, () => searchOf('hau', body))
      },
    },
  ],
}

interface Many {
  readonly ids: readonly string[]
}

const MANY = 50_000

const searching: readonly (Omit<Scenario, 'run'> & { run(abuser: Abuser, many: Many): Promise<void> })[] = [
  {
    name: 'search-long-query',
    what: 'searches with 2,000 characters of unknown words, pages of 100 with explanations, 16 connections',
    run: (abuser) =>
      abuser.flood(16, () => searchOf(abuser.words(220), { limit: 100, explain: true, group_translations: true })),
  },
  {
    name: 'search-far-page',
    what: 'asks for the 1,000th hit and 100 more, by all modes and filters, 16 connections',
    run: (abuser) =>
      abuser.flood(16, (n) =>
        searchOf(`number ${n} alpha beta`, {
          limit: 100,
          offset: 1_000,
          mode: ['hybrid', 'semantic', 'keyword'][n % 3],
          tags: Array.from({ length: 100 }, (_, i) => `tag-${(n + i) % 500}`),
        }),
      ),
  },
  {
    name: 'combined-search',
    what: 'searches products and knowledge together with long queries, 16 connections',
    run: (abuser) =>
      abuser.flood(16, () => ({
        method: 'POST',
        path: '/api/knowledge/search',
        body: { query: abuser.words(200), limit: 100 },
      })),
  },
  {
    name: 'related',
    what: 'asks for 100 related entries of every entry, 16 connections',
    run: (abuser, { ids }) =>
      abuser.flood(16, (n) => ({
        path: `/api/knowledge/knowledge-entries/${ids[n % ids.length]}/related?limit=100`,
      })),
  },
  {
    name: 'include-total',
    what: `lists with a filter and the total over ${MANY.toLocaleString('en')} entries, 8 connections`,
    run: (abuser) =>
      abuser.flood(8, (n) => ({
        path: `/api/knowledge/knowledge-entries?include_total=true&limit=1&language=${n % 2 === 0 ? 'en' : 'de'}&layer=layer-${n % 7}`,
      })),
  },
  {
    name: 'export-pages',
    what: 'walks through all entries in pages of 1,000, 8 connections',
    run: (abuser) => abuser.flood(8, () => ({ path: '/api/knowledge/knowledge-entries?limit=1000' })),
  },
  {
    name: 'mcp-search',
    what: 'calls the assistants’ search with the largest budget, 8 connections',
    run: (abuser) => abuser.flood(8, () => tool('search_knowledge', { query: abuser.words(100), limit: 100 })),
  },
  {
    name: 'mcp-list',
    what: 'calls the assistants’ list with the largest budget, 8 connections',
    run: (abuser) => abuser.flood(8, () => tool('list_entries', { limit: 100 })),
  },
  {
    name: 'mcp-batch',
    what: 'sends batches of 20,000 messages and of broken ones to the assistants’ channel, 8 connections',
    run(abuser) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const batch = JSON.stringify(Array.from({ length: 8_000 }, () => message))
      const broken = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { values: Array(49_000).fill(0) } })
      return abuser.flood(8, (n) => ({ ...mcp(n % 2 === 0 ? batch : broken) }))
    },
  },
]

const mcp = (body: object | string) =>
  ({ method: 'POST', path: '/mcp', headers: { accept: 'application/json, text/event-stream' }, body }) as const

function tool(name: string, args: object) {
  const params = { name, arguments: { ...args, budget_characters: 100_000 } }
  return mcp({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}

/** Adds and removes members of projects and sites, with the same stored entries. */
const grouping: typeof searching = [
  {
    name: 'project-members',
    what: 'makes a project with 20,000 members and deletes it, again and again',
    mostSeconds: 30,
    run: (abuser, many) => membership(abuser, many, '/api/knowledge/projects', { name: 'Abuse' }, 'entries'),
  },
  {
    name: 'site-members',
    what: 'makes a site with 20,000 members and takes them all out again, as an administrator',
    mostSeconds: 30,
    run: (abuser, many) =>
      membership(abuser, many, '/api/knowledge/sites', { name: 'Abuse', slug: `abuse-${Date.now()}` }, 'knowledge'),
  },
]

/** Most members that one request may have. */
const MEMBERS_MAX = 500

async function membership(abuser: Abuser, { ids }: Many, path: string, thing: object, members: string) {
  const key = abuser.target.adminKey
  const client = abuser.client()
  while (!abuser.isOver) {
    const group = (await abuser.ask(client, { method: 'POST', path, key, body: thing })) as { id: string }
    const chunks = Array.from({ length: Math.ceil(Math.min(ids.length, 20_000) / MEMBERS_MAX) }, (_, i) =>
      ids.slice(i * MEMBERS_MAX, (i + 1) * MEMBERS_MAX),
    )
    await abuser.each(chunks, 4, (each, some) =>
      abuser.send(each, { method: 'POST', path: `${path}/${group.id}/${members}`, key, body: { entry_ids: some } }),
    )
    if (members === 'knowledge') {
      await abuser.send(client, { method: 'DELETE', path: `${path}/${group.id}/${members}`, key })
    }
    await abuser.send(client, { method: 'DELETE', path: `${path}/${group.id}`, key })
  }
}

export const ENTRIES = prepared(
  { name: 'entries' },
  async (abuser): Promise<Many> => {
    const category = await abuser.api.category('Many')
    const entry = (n: number) => ({
      title: `Entry number ${n}`,
      content: `alpha beta ${abuser.words(8)} number ${n}`,
      category_id: category,
      language: n % 2 === 0 ? 'en' : 'de',
      layer: `layer-${n % 7}`,
      tags: [`tag-${n % 500}`],
    })
    const ids = await abuser.store(times(abuser.size(MANY), entry), 1_000)
    await abuser.api.call('POST', '/knowledge-entries/search', { query: 'alpha' })
    return { ids }
  },
  [...searching, ...grouping],
)
