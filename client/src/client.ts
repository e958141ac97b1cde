import type {
  AnyOf,
  CombinedAnswer,
  CombinedBody,
  EntryFields,
  EntryHit,
  ProductAnswer,
  ProductFields,
  WithFields,
} from './hits.ts'
import { type Connection, send, type Sent } from './request.ts'
import type { components, operations } from './schema.ts'

type Schemas = components['schemas']
type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>

export interface ClientOptions {
  /** Address of the service, such as https://knowledge.example. */
  readonly url: string
  /** A publishable key (`pk_…`) on a page; on a server any API key or access token. */
  readonly key: string
  /** Identifier of the visitor in searches and clicks: any text that stays the same for one person. */
  readonly visitorId?: string
  /** Milliseconds for one try. Default: 10,000. */
  readonly timeoutMs?: number
  /** Further tries while the service is busy or cannot be reached. Default: 2. */
  readonly retries?: number
  /** Takes the place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** Options of every call, besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** Options of a search. */
export interface SearchOptions extends CallOptions {
  /** The X-Watermark of a write whose words and meaning the search must see. */
  readonly minWatermark?: string
  /** Seconds that the search waits for `minWatermark`; after them it fails with 503. By default the service decides. */
  readonly waitSeconds?: number
  /** Whether a part of an index that is being built will do. Without it, the search fails with 503 meanwhile. */
  readonly partial?: boolean
}

/** What an answer lacks. */
interface Completeness {
  /**
   * Present if the answer does not know the latest words and meaning of some documents yet: for administrators their
   * number, else true. An answer to several searches says the same for all of them.
   */
  readonly behind?: number | true
}

export interface SuggestOptions extends CallOptions {
  /** Id or slug of a site. */
  readonly site?: string
  /** Kinds of documents to suggest; by default all that the key may read. */
  readonly sections?: readonly ('products' | 'knowledge')[]
  /** Length of each list of suggestions. */
  readonly limit?: number
}

/** Action of a visitor on a hit of a search. */
export interface Click {
  readonly searchId: string
  /** Id of the product or entry. */
  readonly id: string
  readonly section: 'products' | 'knowledge'
  /** By default `click`. */
  readonly action?: string
  readonly rank?: number
}

/** The hits of an entry search, and the id that clicks on them name. */
export interface EntryHits<Fields = undefined> extends Completeness {
  readonly searchId: string
  /** The query with its misspelt words corrected, where nothing was found and the search asks for relevance; else null. */
  readonly didYouMean: string | null
  readonly hits: readonly EntryHit<Fields>[]
}

export type KnowledgeClient = ReturnType<typeof createClient>

/** Makes the functions that talk to one service with one key. Each throws what `send` throws. */
export function createClient(options: ClientOptions) {
  const { url, key, visitorId, timeoutMs = 10_000, retries = 2, fetch = globalThis.fetch.bind(globalThis) } = options
  const connection: Connection = { url, key, fetch, timeoutMs, retries }
  const visitor = visitorId === undefined ? {} : { visitor_id: visitorId }
  const read = async <Answer>(path: string, sent: Sent = {}): Promise<Answer> =>
    (await (await send(connection, `/api/knowledge/${path}`, sent)).json()) as Answer
  const post = (path: string, body: object, options: SearchOptions): Promise<Response> => {
    const { signal, waitSeconds = 0 } = options
    const patient = { ...connection, timeoutMs: timeoutMs + waitSeconds * 1_000 }
    return send(patient, `/api/knowledge/${path}`, { method: 'POST', body, headers: headersOf(options), signal })
  }

  /** Reads every item of a list, page after page. */
  async function* everyItem<Item>(path: string, query: object, { signal }: CallOptions): AsyncGenerator<Item> {
    for (let next: string | null = `/api/knowledge/${path}`, more = query; next !== null; more = {}) {
      const response: Response = await send(connection, next, { query: more, signal })
      yield* (await response.json()) as Item[]
      next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    }
  }

  return {
    /** Searches products and knowledge together, one list of hits for each section. */
    async search<const OfProducts extends ProductFields = undefined, const OfEntries extends EntryFields = undefined>(
      body: CombinedBody<OfProducts, OfEntries>,
      call: SearchOptions = {},
    ): Promise<CombinedAnswer<OfProducts, OfEntries> & Completeness> {
      const response = await post('search', { ...visitor, ...body }, call)
      return { ...((await response.json()) as CombinedAnswer<OfProducts, OfEntries>), ...completenessOf(response) }
    },

    /** Searches products, with the total and facets. */
    async searchProducts<const Fields extends ProductFields = undefined>(
      body: WithFields<Schemas['ProductSearch'], Fields>,
      call: SearchOptions = {},
    ): Promise<ProductAnswer<Fields> & Completeness> {
      const response = await post('products/search', { ...visitor, ...body }, call)
      return { ...((await response.json()) as ProductAnswer<Fields>), ...completenessOf(response) }
    },

    /** Searches entries. */
    async searchEntries<const Fields extends EntryFields = undefined>(
      body: WithFields<Schemas['EntrySearch'], Fields>,
      call: SearchOptions = {},
    ): Promise<EntryHits<Fields>> {
      const response = await post('knowledge-entries/search', { ...visitor, ...body }, call)
      const hits = (await response.json()) as EntryHit<Fields>[]
      const { headers } = response
      const meant = headers.get('x-did-you-mean')
      return {
        searchId: headers.get('x-search-log-id') ?? '',
        didYouMean: meant === null ? null : decodeURIComponent(meant),
        hits,
        ...completenessOf(response),
      }
    },

    /** Searches several times in one call, each as `search` does; publishable keys may not. */
    async multiSearch<
      OfProducts extends NonNullable<ProductFields>[number] = never,
      OfEntries extends NonNullable<EntryFields>[number] = never,
    >(
      searches: readonly CombinedBody<readonly OfProducts[], readonly OfEntries[]>[],
      call: SearchOptions = {},
    ): Promise<readonly (CombinedAnswer<AnyOf<OfProducts>, AnyOf<OfEntries>> & Completeness)[]> {
      const body = { searches: searches.map((search) => ({ ...visitor, ...search })) }
      const response = await post('multi-search', body, call)
      const { answers } = (await response.json()) as {
        readonly answers: readonly CombinedAnswer<AnyOf<OfProducts>, AnyOf<OfEntries>>[]
      }
      return answers.map((answer) => ({ ...answer, ...completenessOf(response) }))
    },

    /** Suggests while a visitor types. Tried once, since the next keystroke asks again. */
    suggest(typed: string, { site, sections, limit, signal }: SuggestOptions = {}): Promise<Schemas['Suggestions']> {
      const query = { q: typed, site_id: site, section: sections, limit }
      return read('suggest', { query, signal, retries: 0, isKeyInAddress: true })
    },

    /** Reports an action on a hit. Never fails, never waits, and outlives the page that is left by the click. */
    click({ searchId, id, section, action = 'click', rank }: Click): void {
      const body = { ...visitor, search_log_id: searchId, product_id: id, section, action, rank }
      send(connection, '/api/knowledge/search/clicks', { method: 'POST', body, keepalive: true }).catch(() => undefined)
    },

    /** Entries, for a key that may read them; publishable keys may not. */
    entries: {
      get: (id: string, call: CallOptions = {}): Promise<Schemas['Entry']> =>
        read(`knowledge-entries/${encodeURIComponent(id)}`, call),
      list: (query: QueryOf<'listEntries'> = {}, call: CallOptions = {}) =>
        everyItem<Schemas['Entry']>('knowledge-entries', query, call),
    },

    /** Products, for a key that may read them; publishable keys may not. */
    products: {
      get: (id: string, call: CallOptions = {}): Promise<Schemas['WholeProduct']> =>
        read(`products/${encodeURIComponent(id)}`, call),
      list: (query: QueryOf<'listProducts'>, call: CallOptions = {}) =>
        everyItem<Schemas['Product']>('products', query, call),
    },
  }
}

/** Returns the headers of a search that waits for a write, or takes what a part of an index has. */
function headersOf({ minWatermark, waitSeconds, partial }: SearchOptions): Readonly<Record<string, string>> {
  const preferences = [
    ...(waitSeconds === undefined ? [] : [`wait=${Math.ceil(waitSeconds)}`]),
    ...(partial === true ? ['partial'] : []),
  ]
  return {
    ...(minWatermark === undefined ? {} : { 'x-min-watermark': minWatermark }),
    ...(preferences.length === 0 ? {} : { prefer: preferences.join(', ') }),
  }
}

function completenessOf({ headers }: Response): Completeness {
  const behind = headers.get('x-search-behind')
  if (behind === null) return {}
  return { behind: behind === 'true' ? true : Number(behind) }
}
