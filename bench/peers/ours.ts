import { ApiClient } from '../support/api-client.ts'
import { cpuSeconds, memoryMb } from '../support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import type { Collection, Filter } from './collection.ts'
import { fieldsOf } from './collection.ts'
import type { Contestant } from './contestant.ts'
import { MODEL } from './engine.ts'

export const OURS = 'Knowledge Service'

const SEARCH = '/knowledge-entries/search'
const CATEGORIES = 100
const STREAMS = 8
const PER_IMPORT = 500
/** Tenants that are filled at the same time. */
const SIDE_BY_SIDE = 4

/** A tenant of the service with the ids of its categories. */
interface Filled {
  readonly key: string
  readonly categories: readonly string[]
}

/** The service with a collection in it. */
export interface Ours extends Contestant {
  /** The same server, searched by words alone. */
  readonly byWords: Contestant
  /** An entry as the service answers it. */
  readonly template: object
}

/** Starts the service, loads the collection over HTTP and waits until the index is built. */
export async function startOurs(collection: Collection, embeddingUrl: string | null, tenants: number): Promise<Ours> {
  const service = await startServiceProcess(settingsFor(collection, embeddingUrl))
  try {
    const began = performance.now()
    const filled = tenants === 1 ? [await fillOne(service, collection)] : await fillMany(service, collection, tenants)
    const loadSeconds = (performance.now() - began) / 1_000
    const contestant = (mode: 'semantic' | 'keyword'): Contestant => ({
      name: OURS,
      url: service.url,
      path: `/api/knowledge${SEARCH}`,
      loadSeconds,
      requestOf({ words, filter }) {
        const { key, categories } = filled[filter?.field === 'tenant' ? filter.value : 0]
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
        return { headers, body: JSON.stringify({ query: words, mode, ...filterFor(filter, categories) }) }
      },
      tune: async () => {},
      cpuSeconds: () => cpuSeconds(service.pid),
      memoryMb: () => memoryMb(service.pid).now,
      stop: () => service.stop(),
    })
    const [{ entry }] = await withApi(service, filled[0].key, (api) => search(api, collection.queries[0]))
    return { ...contestant('semantic'), byWords: contestant('keyword'), template: entry }
  } catch (error) {
    await service.stop()
    throw error
  }
}

function settingsFor({ dimensions }: Collection, embeddingUrl: string | null): Record<string, string> {
  const memory = { SEARCH_MEMORY_MB: '4096', SEARCH_MEMORY_PER_TENANT_MB: '4096', SEARCH_WAIT_SECONDS: '300' }
  if (embeddingUrl === null) return memory
  return {
    ...memory,
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_URL: `${embeddingUrl}/v1`,
    EMBEDDING_MODEL: MODEL,
    EMBEDDING_DIMENSIONS: String(dimensions),
  }
}

async function fillOne(service: ServiceProcess, collection: Collection): Promise<Filled> {
  const { key } = await service.tenant('bench')
  return withApi(service, key, async (api) => {
    const categories: string[] = []
    for (let i = 0; i < CATEGORIES; i++) categories.push(await api.category(`Category ${i}`))
    const numbers = Array.from(collection.entries.keys())
    await importEntries(api, collection, numbers, categories)
    await api.embedded()
    await search(api, collection.queries[0])
    return { key, categories }
  })
}

async function fillMany(service: ServiceProcess, collection: Collection, tenants: number): Promise<Filled[]> {
  const filled: Filled[] = []
  for (let tenant = 0; tenant < tenants; tenant++) {
    filled.push({ key: (await service.tenant(`bench-${tenant}`)).key, categories: [] })
  }
  let next = 0
  const worker = async (): Promise<void> => {
    for (let tenant = next++; tenant < tenants; tenant = next++) {
      await withApi(service, filled[tenant].key, async (api) => {
        const category = await api.category('General')
        const numbers = Array.from({ length: collection.entries.length / tenants }, (_, i) => tenant + i * tenants)
        await importEntries(api, collection, numbers, [category])
      })
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  for (const { key } of filled) {
    await withApi(service, key, async (api) => {
      await api.embedded()
      await search(api, collection.queries[0])
    })
  }
  return filled
}

/** Imports the entries with these numbers over parallel connections. */
async function importEntries(
  api: ApiClient,
  { entries }: Collection,
  numbers: readonly number[],
  categories: readonly string[],
): Promise<void> {
  const lineOf = (number: number): object => {
    const { half, layer, category } = fieldsOf(number)
    return {
      ...entries[number],
      source_reference: String(number),
      tags: [`half-${half}`],
      layer: `layer-${layer}`,
      category_id: categories[category % categories.length],
    }
  }
  let next = 0
  const stream = async (): Promise<void> => {
    while (next < numbers.length) {
      const from = next
      next += PER_IMPORT
      await api.importEntries(numbers.slice(from, from + PER_IMPORT).map(lineOf))
    }
  }
  await Promise.all(Array.from({ length: Math.min(STREAMS, Math.ceil(numbers.length / PER_IMPORT)) }, stream))
}

function filterFor(filter: Filter | null, categories: readonly string[]): object {
  if (filter === null || filter.field === 'tenant') return {}
  if (filter.field === 'half') return { tags: [`half-${filter.value}`] }
  if (filter.field === 'layer') return { layer: `layer-${filter.value}` }
  return { category_id: categories[filter.value] }
}

function search(api: ApiClient, query: string): Promise<{ entry: object }[]> {
  return api.call('POST', SEARCH, { query, mode: 'semantic' })
}

async function withApi<T>(service: ServiceProcess, key: string, use: (api: ApiClient) => Promise<T>): Promise<T> {
  const api = new ApiClient(service.url, key, STREAMS)
  try {
    return await use(api)
  } finally {
    await api.close()
  }
}
