import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, operatorOf } from '../../src/channels/cli/context.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { EntryRules } from '../../src/knowledge/entries/rules.ts'
import { type DatabaseOptions, openDatabase } from '../../src/platform/database/database.ts'
import { Provider } from '../../test/embedding/provider.ts'
import { ApiClient } from '../support/api-client.ts'
import { randomSource } from '../support/random.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { type Place, settingsOf, type Version } from './report.ts'

const MODEL = 'model-a'
const TENANT = 'bench'
/**
 * Longest pause between two writes, in milliseconds. After some pauses the queue has gone to sleep, after others not
 * yet.
 */
const PAUSE_MAX_MS = 120
const WORDS = 6

/** Figures of the milliseconds from the answer of a write until a search by meaning finds the entry. */
export interface FoundFigures {
  readonly version: string
  readonly place: string
  /** Whether the write woke the queue. */
  readonly isWoken: boolean
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** An entry as it is written. */
interface Note {
  readonly title: string
  readonly content: string
  readonly category_id: string
}

/** Writes an entry and resolves when it is durable. @returns its id */
type Write = (note: Note) => Promise<string>

/**
 * Writes entries one by one to a service with an embedding provider over HTTP, and searches for each by meaning until
 * the search finds it. It first writes entries through the service, which wakes its queue, then writes entries from
 * this process to the same database, which wakes no queue.
 */
export async function measureFound(version: Version, place: Place, writes: number): Promise<FoundFigures[]> {
  const provider = await Provider.start()
  const embedding = provider.settings(MODEL)
  const service = await startServiceProcess({ ...embedding, ...settingsOf(place) }, [], [], version.folder)
  const options = { dataDir: service.dataDir, databaseUrl: place.databaseUrl }
  const outside = await writerFrom(options, embedding, () => service.tenant(TENANT))
  try {
    const api = new ApiClient(service.url, outside.key, 1)
    const category = await api.category('Notes')
    const within: Write = async (note) => (await api.call<{ id: string }>('POST', '/knowledge-entries', note)).id
    const rows = [
      { isWoken: true, times: await timesOf(api, category, within, writes, 1) },
      { isWoken: false, times: await timesOf(api, category, outside.write, writes, 2) },
    ]
    await api.close()
    return rows.map(({ isWoken, times }) => ({
      version: version.name,
      place: place.name,
      isWoken,
      ...percentiles(times),
    }))
  } finally {
    await outside.close()
    await service.stop()
    await provider.stop()
  }
}

/**
 * Returns a function that writes to the database beside the service, by the rules of entries and without a queue to
 * wake.
 */
async function writerFrom(
  options: DatabaseOptions,
  settings: Readonly<Record<string, string>>,
  makeTenant: () => Promise<{ key: string }>,
): Promise<{ key: string; write: Write; close: () => Promise<void> }> {
  const { key } = await makeTenant()
  const database = openDatabase(options)
  const { EMBEDDING_PROVIDER: provider, EMBEDDING_URL: url, EMBEDDING_MODEL: model } = settings
  const embedders = new EmbedderPool({ provider, url, model, apiKey: null, dimensions: null })
  const rules = new EntryRules({ database, embedders, onQueued: () => undefined })
  const caller = await operatorOf({ database } as Context, TENANT)
  return {
    key,
    write: async (note) => (await rules.create(caller, note)).id,
    async close() {
      await embedders.close()
      await database.close()
    },
  }
}

async function timesOf(
  api: ApiClient,
  category: string,
  write: Write,
  writes: number,
  seed: number,
): Promise<number[]> {
  const random = randomSource(seed)
  const times: number[] = []
  for (let i = 0; i < writes; i++) {
    const title = Array.from({ length: WORDS }, () => Math.floor(random() * 2 ** 32).toString(36)).join(' ')
    const id = await write({ title, content: title, category_id: category })
    const answered = performance.now()
    while (!(await isFound(api, id, title)));
    times.push(performance.now() - answered)
    await sleep(random() * PAUSE_MAX_MS)
  }
  return times
}

async function isFound(api: ApiClient, id: string, query: string): Promise<boolean> {
  const hits = await api.call<{ entry: { id: string } }[]>('POST', '/knowledge-entries/search', {
    query,
    mode: 'semantic',
    limit: 5,
  })
  return hits.some(({ entry }) => entry.id === id)
}

/** Returns percentiles by nearest rank. */
function percentiles(times: readonly number[]): Pick<FoundFigures, 'count' | 'p50' | 'p95' | 'p99' | 'max'> {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
