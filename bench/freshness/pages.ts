import { setTimeout as sleep } from 'node:timers/promises'
import { type Page, readPages } from '../pages-data.ts'
import { ApiClient } from '../support/api-client.ts'
import { randomSource } from '../support/random.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { benchWords } from '../support/words.ts'
import { markWord } from './products.ts'
import { type Feed, feedOf, pushAll } from './push.ts'
import { SearchClient } from './search-client.ts'
import { figuresOf, now, type Search, Searchers, type SearchFigures } from './searches.ts'

const IMPORT = '/api/knowledge/knowledge-entries/bulk'
const SEARCH = '/api/knowledge/knowledge-entries/search'
const EVERY_MS = 50
const POLL_MS = 20
/** Milliseconds for which searches go on after all pages were found. */
const REST_MS = 1_500
/** Words that a page that is there again has in front of its text. */
const NEW_WORDS = 20
/** Number of pages with a word of their own, which a search has to find; the last page is one of them. */
const MARKED = 40
/** Stands for the text of a page that is all title; an entry may not be empty. */
const NOTHING = '-'

/** Figures of searches from the first line of an import on. */
export interface PagesFigures {
  readonly pages: number
  readonly megabytes: number
  readonly importSeconds: number
  /** The searches from the first line until all pages were found. */
  readonly searches: SearchFigures
  /** Milliseconds from the end of the import until all marked pages were found. */
  readonly foundMs: number
  /** Milliseconds from the end of the import until then, or until the last answer that was refused or behind. */
  readonly settledMs: number
  /** The searches of a tenant that first searches after its import, up to the first that is answered. */
  readonly first: SearchFigures
  /** Milliseconds from the end of that import until all marked pages were found. */
  readonly quietFoundMs: number
}

/** Lines of an import, and the words of marked pages, the last of the import first. */
interface PagesFeed {
  readonly feed: Feed
  readonly marks: readonly string[]
}

/** Measures the first import of a tenant with a search every 50 ms, and that of another one without searches. */
export async function measurePages(
  settings: Readonly<Record<string, string>>,
  program: string,
  folder: string,
  count: number,
): Promise<PagesFigures> {
  const pages = readPages(folder)
  const service = await startServiceProcess(settings, [], [], program)
  try {
    const searched = await withTenant(service, 'searched', (client, category) =>
      measureSearched(client, pages, pagesFeed(pages, count, category)),
    )
    const quiet = await withTenant(service, 'quiet', (client, category) =>
      measureQuiet(client, pages, pagesFeed(pages, count, category)),
    )
    return { ...searched, ...quiet }
  } finally {
    await service.stop()
  }
}

async function withTenant<T>(
  service: ServiceProcess,
  name: string,
  measure: (client: SearchClient, category: string) => Promise<T>,
): Promise<T> {
  const { key } = await service.tenant(name)
  const api = new ApiClient(service.url, key)
  const client = new SearchClient(service.url, key)
  try {
    return await measure(client, await api.category('Pages'))
  } finally {
    await api.close()
    await client.close()
  }
}

async function measureSearched(
  client: SearchClient,
  pages: readonly Page[],
  { feed, marks }: PagesFeed,
): Promise<Omit<PagesFigures, 'first' | 'quietFoundMs'>> {
  const searchers = new Searchers()
  const bodies = pages.map((page) => JSON.stringify(searchFor(page)))
  const { url, headers } = client
  await searchers.start({ kind: 'pace', url, headers, path: SEARCH, bodies, everyMs: EVERY_MS })
  const { began, ended } = await pushAll(client, IMPORT, feed)
  const foundAt = await allFound(client, marks)
  await sleep(REST_MS)
  const searches = await searchers.stop()
  const disturbed = searches.filter(({ status, behind }) => status !== 200 || behind !== null)
  return {
    pages: feed.lines,
    megabytes: feed.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0) / 2 ** 20,
    importSeconds: (ended - began) / 1_000,
    searches: figuresOf(searches, began, foundAt),
    foundMs: foundAt - ended,
    settledMs: disturbed.reduce((latest, search) => Math.max(latest, search.began + search.ms), foundAt) - ended,
  }
}

async function measureQuiet(
  client: SearchClient,
  pages: readonly Page[],
  { feed, marks }: PagesFeed,
): Promise<Pick<PagesFigures, 'first' | 'quietFoundMs'>> {
  const { ended } = await pushAll(client, IMPORT, feed)
  const searches: Search[] = []
  for (let isAnswered = false; !isAnswered;) {
    if (searches.length > 0) await sleep(EVERY_MS)
    const began = now()
    const { status, ms, behind } = await client.search(SEARCH, searchFor(pages[0]))
    searches.push({ began, status, ms, behind })
    isAnswered = status === 200
  }
  return { first: figuresOf(searches), quietFoundMs: (await allFound(client, marks)) - ended }
}

function searchFor({ title }: Page): object {
  return { query: title, mode: 'hybrid', limit: 10, fields: ['id', 'title'] }
}

/** Waits until all marked pages were found. @returns the moment */
async function allFound(client: SearchClient, marks: readonly string[]): Promise<number> {
  for (const mark of marks) while (!(await isFound(client, mark))) await sleep(POLL_MS)
  return now()
}

/** Tells whether a search that is not behind finds the page whose title has a word. */
async function isFound(client: SearchClient, mark: string): Promise<boolean> {
  const body = { query: mark, mode: 'keyword', limit: 3, fields: ['title'] }
  const { behind, value } = await client.search<{ entry: { title: string } }[]>(SEARCH, body)
  return behind === null && value?.some(({ entry }) => entry.title.endsWith(mark)) === true
}

function pagesFeed(pages: readonly Page[], count: number, category: string): PagesFeed {
  const marks: string[] = []
  const words = benchWords()
  const every = Math.max(1, Math.floor(count / MARKED))
  const lines = function* (): Generator<string> {
    for (let i = 0; i < count; i++) {
      const { title, text, language } = pages[i % pages.length]
      const copy = Math.floor(i / pages.length)
      const isMarked = i % every === 0 || i === count - 1
      if (isMarked) marks.unshift(markWord(`page ${i}`))
      yield JSON.stringify({
        title: [title, ...(copy === 0 ? [] : [copy]), ...(isMarked ? [marks[0]] : [])].join(' '),
        content: copy === 0 ? text.trim() || NOTHING : another(text, i, words),
        language,
        category_id: category,
        source_reference: `page-${i}`,
      })
    }
  }
  return { feed: feedOf(lines()), marks }
}

/** Returns a text again as another one: with its paragraphs in another order, behind words of its own. */
function another(text: string, seed: number, words: readonly string[]): string {
  const random = randomSource(seed)
  const paragraphs = text.split('\n\n')
  const first = Math.floor(random() * paragraphs.length)
  const own = Array.from({ length: NEW_WORDS }, () => words[Math.floor(random() * words.length)])
  return [own.join(' '), ...paragraphs.slice(first), ...paragraphs.slice(0, first)].join('\n\n')
}
