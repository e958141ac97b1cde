/** Makes the tenants whose memory is measured, with entries of real words or of words that hardly repeat. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiClient } from './support/api-client.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

/** Values of SEARCH_MEMORY_MB that are measured. */
export const BUDGETS_MB: readonly number[] = [64, 128, 256, 512]
const PER_IMPORT = 500
/** Number of entries that are written beside a search. */
const PER_PRESS = 20
const CATEGORY = 'General'
/** Words of an entry of rare words, which makes about five passages. */
const RARE_WORDS = 500
/** Primes that spread words, so that neither the words of an entry nor those of two entries come in one order. */
const [ENTRY_STEP, WORD_STEP, WORDS] = [7_919, 104_729, 999_983]

export interface MemoryData {
  /** Name of the folder that keeps the data. */
  readonly name: string
  readonly words: string
  readonly tenants: number
  /** Number of entries of each tenant. */
  readonly entries: number
  /** Returns an entry by its number among the entries of all tenants. */
  readonly entryOf: (i: number) => { readonly title: string; readonly content: string }
  /** Returns the query for a tenant by its number. */
  readonly queryOf: (tenant: number) => string
}

/** Makes entries of which nearly every word is a term of its own: the most memory that text of its length can take. */
export function rareWords(tenants: number): MemoryData {
  return {
    name: 'rare-words',
    words: 'rare words',
    tenants,
    entries: 400,
    entryOf: (i) => ({ title: `Entry ${i}`, content: rareText(i, RARE_WORDS) }),
    queryOf: (tenant) => rareText(tenant, 5),
  }
}

function rareText(seed: number, words: number): string {
  return Array.from({ length: words }, (_, i) => wordOf((seed * ENTRY_STEP + i * WORD_STEP) % WORDS)).join(' ')
}

/** Returns the word of a number, in letters only, since digits would be taken for part numbers. */
function wordOf(number: number): string {
  return `w${number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)])}`
}

/** Makes the tenants and stores their entries, until all have vectors. @returns a key for each tenant */
export async function fillTenants(service: ServiceProcess, data: MemoryData): Promise<string[]> {
  const keys: string[] = []
  for (let tenant = 0; tenant < data.tenants; tenant++) {
    const { key } = await service.tenant(`bench-${tenant}`)
    keys.push(key)
    await withApi(service, key, async (api) => {
      await api.category(CATEGORY)
      for (let from = 0; from < data.entries; from += PER_IMPORT) {
        await api.importEntries(linesOf(data, tenant, from, Math.min(PER_IMPORT, data.entries - from)))
      }
    })
  }
  for (const key of keys) await withApi(service, key, (api) => api.embedded())
  return keys
}

/** Fills a data directory unless it is filled. @returns a key for each tenant */
export async function filledTenants(dataDir: string, data: MemoryData): Promise<string[]> {
  const keyFile = join(dataDir, 'bench-keys.json')
  if (existsSync(keyFile)) return JSON.parse(readFileSync(keyFile, 'utf8')) as string[]
  const service = await startServiceProcess({ DATA_DIR: dataDir, SEARCH_SNAPSHOT_MB: '0' })
  try {
    const keys = await fillTenants(service, data)
    writeFileSync(keyFile, JSON.stringify(keys))
    return keys
  } finally {
    await service.stop()
  }
}

/** Searches each tenant once, one after the other. */
export async function searchTenants(
  service: ServiceProcess,
  keys: readonly string[],
  { queryOf }: MemoryData,
): Promise<void> {
  for (const [tenant, key] of keys.entries()) await withApi(service, key, (api) => search(api, queryOf(tenant)))
}

/**
 * Searches each tenant twice while some of its entries are written, so that indexes grow as others are built and make
 * room. Each write replaces another text, so a filled database keeps its size.
 */
export async function pressTenants(service: ServiceProcess, keys: readonly string[], data: MemoryData): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const [tenant, key] of keys.entries()) {
      const lines = linesOf(data, tenant, round * PER_PRESS, PER_PRESS, ` ${wordOf(round)}`)
      await withApi(service, key, (api) => Promise.all([search(api, data.queryOf(tenant)), api.importEntries(lines)]))
    }
  }
}

/**
 * Returns entries of a tenant as lines of a bulk.
 * @param end the end of their texts
 */
function linesOf({ entries, entryOf }: MemoryData, tenant: number, from: number, count: number, end = ''): object[] {
  return Array.from({ length: count }, (_, i) => {
    const entry = entryOf(tenant * entries + from + i)
    return { ...entry, content: `${entry.content}${end}`, category: CATEGORY, source_reference: `entry-${from + i}` }
  })
}

async function search(api: ApiClient, query: string): Promise<void> {
  await api.call('POST', '/knowledge-entries/search', { query, mode: 'hybrid' })
}

async function withApi<T>({ url }: ServiceProcess, key: string, use: (api: ApiClient) => Promise<T>): Promise<T> {
  const api = new ApiClient(url, key)
  try {
    return await use(api)
  } finally {
    await api.close()
  }
}
