/**
 * Serves LanceDB, a vector database inside the process: graphs over quantised vectors, and a bitmap for each filter.
 */
import { join } from 'node:path'
import type { Filter } from '../collection.ts'
import { type Engine, HITS, type PeerSettings, type Tuning } from '../engine.ts'
import type { StoredEntry } from '../files.ts'
import { partitionsOf } from '../tunings.ts'
import { serve } from './serve.ts'

/**
 * The part of the package that is used here. It is declared, because the package is not installed where this file is
 * type-checked.
 */
interface Lance {
  connect(path: string): Promise<{ createTable(name: string, rows: readonly object[]): Promise<LanceTable> }>
  readonly Index: {
    bitmap(): object
    hnswSq(options: { distanceType: string; numPartitions: number; m: number; efConstruction: number }): object
  }
}

interface LanceTable {
  add(rows: readonly object[]): Promise<unknown>
  createIndex(column: string, options: { config: object }): Promise<void>
  optimize(): Promise<unknown>
  vectorSearch(vector: Float32Array): LanceQuery
}

interface LanceQuery {
  distanceType(type: string): LanceQuery
  select(columns: readonly string[]): LanceQuery
  limit(count: number): LanceQuery
  where(predicate: string): LanceQuery
  bypassVectorIndex(): LanceQuery
  nprobes(count: number): LanceQuery
  ef(count: number): LanceQuery
  refineFactor(factor: number): LanceQuery
  toArrow(): Promise<{
    readonly numRows: number
    getChild(name: string): { get(row: number): unknown }
  }>
}

const PACKAGE: string = '@lancedb/lancedb'
const FIELDS = ['half', 'layer', 'category', 'tenant']

class LanceEngine implements Engine {
  readonly #lance: Lance
  readonly #settings: PeerSettings
  #table: LanceTable | null = null
  #tuning: Tuning = {}

  constructor(lance: Lance, settings: PeerSettings) {
    this.#lance = lance
    this.#settings = settings
  }

  async load(batches: AsyncIterable<readonly StoredEntry[]>): Promise<void> {
    const connection = await this.#lance.connect(join(this.#settings.folder, 'lance'))
    let table: LanceTable | null = null
    for await (const batch of batches) {
      const rows = batch.map(({ body, vector, fields }) => ({ ...texts(fields), body, vector: Array.from(vector) }))
      if (table === null) table = await connection.createTable('entries', rows)
      else await table.add(rows)
    }
    if (table === null) throw new Error('There is nothing to load')
    await table.optimize()
    const { Index } = this.#lance
    for (const field of FIELDS) await table.createIndex(field, { config: Index.bitmap() })
    const numPartitions = partitionsOf(this.#settings.entries)
    const graph = Index.hnswSq({ distanceType: 'dot', numPartitions, m: 32, efConstruction: 400 })
    await table.createIndex('vector', { config: graph })
    this.#table = table
  }

  tune(tuning: Tuning): void {
    this.#tuning = tuning
  }

  async search({ vector, filter }: { vector: Float32Array; filter: Filter | null }) {
    const { exact, probes, ef, refine } = this.#tuning
    let query = this.#table!.vectorSearch(vector).distanceType('dot').select(['body', '_distance']).limit(HITS)
    if (filter !== null) query = query.where(`${filter.field} = '${filter.value}'`)
    if (exact) query = query.bypassVectorIndex()
    else query = query.nprobes(Number(probes)).ef(Number(ef)).refineFactor(Number(refine))
    const rows = await query.toArrow()
    const bodies = rows.getChild('body')
    const distances = rows.getChild('_distance')
    return Array.from({ length: rows.numRows }, (_, row) => ({
      body: bodies.get(row) as string,
      score: 1 - (distances.get(row) as number),
    }))
  }
}

/** Returns fields as texts. Numbers of rows without a schema are stored as floats, which a bitmap cannot index. */
function texts(fields: StoredEntry['fields']): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

await serve('vectors', async (settings) => new LanceEngine((await import(PACKAGE)) as Lance, settings))
