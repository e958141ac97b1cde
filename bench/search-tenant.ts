import type { BenchEntry } from './search-corpus.ts'
import type { Scenario } from './search-scenarios.ts'
import { ApiClient } from './support/api-client.ts'
import type { ServiceProcess } from './support/service-process.ts'

const STREAMS = 16
const ENTRIES_PER_IMPORT = 500
const CATEGORIES = 100

export interface LoadingTimes {
  readonly entries: number
  readonly importSeconds: number
  /** Seconds from the end of the import until the last entry has its vectors. */
  readonly embedSeconds: number
  /** Seconds of the first search, which builds the index. */
  readonly indexSeconds: number
}

/** A tenant of the benchmark, filled over the HTTP API. */
export class BenchTenant {
  readonly key: string
  readonly ids: string[] = []
  readonly #api: ApiClient
  readonly #url: string
  readonly #categories: string[] = []

  private constructor(url: string, key: string) {
    this.key = key
    this.#url = url
    this.#api = new ApiClient(url, key, STREAMS)
  }

  static async create(service: ServiceProcess, id: string): Promise<BenchTenant> {
    const { key } = await service.tenant(id)
    const tenant = new BenchTenant(service.url, key)
    for (let i = 0; i < CATEGORIES; i++) tenant.#categories.push(await tenant.#api.category(`Category ${i}`))
    return tenant
  }

  /**
   * Imports entries over parallel connections, waits for their vectors and builds the index with a first search.
   * @param query of the first search; the embedding server must know it
   * @param at called when each phase starts
   */
  async fill(
    entries: readonly BenchEntry[],
    query: string,
    at: (phase: string) => void = () => {},
  ): Promise<LoadingTimes> {
    at('import')
    const began = performance.now()
    let next = 0
    const stream = async (): Promise<void> => {
      while (next < entries.length) {
        const from = next
        next += ENTRIES_PER_IMPORT
        const ids = await this.#api.importEntries(entries.slice(from, from + ENTRIES_PER_IMPORT).map(this.#line))
        this.ids.push(...ids)
      }
    }
    await Promise.all(Array.from({ length: STREAMS }, stream))
    const imported = performance.now()
    at('embedding')
    await this.#api.embedded()
    const embedded = performance.now()
    at('index')
    await this.search({ query })
    const indexed = performance.now()
    return {
      entries: entries.length,
      importSeconds: (imported - began) / 1_000,
      embedSeconds: (embedded - imported) / 1_000,
      indexSeconds: (indexed - embedded) / 1_000,
    }
  }

  search(body: object): Promise<object[]> {
    return this.#api.call<object[]>('POST', '/knowledge-entries/search', body)
  }

  /** Returns an access token with the same permissions, for a client registered with the tenant's key. */
  async accessToken(): Promise<string> {
    const authorization = `Bearer ${this.key}`
    const registration = {
      client_name: 'Benchmark',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['client_credentials'],
    }
    const registered = await fetch(`${this.#url}/oauth/register`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(registration),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id })
    const issued = await fetch(`${this.#url}/oauth/token`, { method: 'POST', headers: { authorization }, body })
    if (!issued.ok) throw new Error(`No access token: ${await issued.text()}`)
    return ((await issued.json()) as { access_token: string }).access_token
  }

  /** Returns the request body of a search. */
  body({ mode, filterPercent }: Omit<Scenario, 'connections'>, query: string): object {
    const filters = {
      100: {},
      50: { tags: ['internal-use'] },
      10: { layer: 'layer-3' },
      1: { category_id: this.#categories[42] },
    }
    return { query, mode, ...filters[filterPercent] }
  }

  close(): Promise<void> {
    return this.#api.close()
  }

  readonly #line = ({ category, ...entry }: BenchEntry): object => ({
    ...entry,
    category_id: this.#categories[category],
  })
}
