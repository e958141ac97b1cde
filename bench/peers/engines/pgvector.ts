/** Serves pgvector: one table, a graph of the vectors (HNSW), and a B-tree for each field that filters. */
import pg from 'pg'
import type { Filter } from '../collection.ts'
import { type Engine, HITS, type PeerSettings, type Tuning } from '../engine.ts'
import type { StoredEntry } from '../files.ts'
import { serve } from './serve.ts'

const CONNECTIONS = 8
const ROWS = 500
const COLUMNS = ['half', 'layer', 'category', 'tenant'] as const

class Pgvector implements Engine {
  readonly #settings: PeerSettings
  #pool: pg.Pool

  constructor(settings: PeerSettings) {
    this.#settings = settings
    this.#pool = this.#open([])
  }

  #open(settings: readonly string[]): pg.Pool {
    const options = settings.map((setting) => `-c ${setting}`).join(' ')
    return new pg.Pool({ connectionString: this.#settings.databaseUrl!, max: CONNECTIONS, options })
  }

  async load(batches: AsyncIterable<readonly StoredEntry[]>): Promise<void> {
    const pool = this.#pool
    const { dimensions, tenants } = this.#settings
    await pool.query('create extension if not exists vector')
    await pool.query(
      `create table entries (half int, layer int, category int, tenant int, body text, embedding vector(${dimensions}))`,
    )
    // Vectors would else lie apart from their rows, which costs exact search most of its time.
    await pool.query('alter table entries alter column embedding set storage plain')
    for await (const batch of batches) {
      for (let from = 0; from < batch.length; from += ROWS) await this.#insert(batch.slice(from, from + ROWS))
    }
    for (const column of COLUMNS) await pool.query(`create index on entries (${column})`)
    if (tenants === 1) {
      await pool.query(
        'create index on entries using hnsw (embedding vector_ip_ops) with (m = 32, ef_construction = 400)',
      )
    }
    await pool.query('vacuum analyze entries')
  }

  #insert(rows: readonly StoredEntry[]): Promise<unknown> {
    return this.#pool.query(
      'insert into entries select * from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::text[], $6::vector[])',
      [
        ...COLUMNS.map((column) => rows.map(({ fields }) => fields[column])),
        rows.map(({ body }) => body),
        rows.map(({ vector }) => `[${vector.join(',')}]`),
      ],
    )
  }

  /**
   * Sets the tuning by new connections, because a connection takes its settings where it begins. Without an index scan
   * the search is exact.
   */
  async tune({ ef, scanned, exact }: Tuning): Promise<void> {
    const before = this.#pool
    const settings = exact
      ? ['enable_indexscan=off']
      : [
          'enable_sort=off',
          `hnsw.ef_search=${ef}`,
          ...(scanned === undefined ? [] : ['hnsw.iterative_scan=strict_order', `hnsw.max_scan_tuples=${scanned}`]),
        ]
    this.#pool = this.#open(settings)
    await before.end()
  }

  async search({ vector, filter }: { vector: Float32Array; filter: Filter | null }) {
    const where = filter === null ? '' : `where ${filter.field} = $2`
    const { rows } = await this.#pool.query<{ body: string; score: number }>({
      name: filter === null ? 'all' : filter.field,
      text: `select body, -(embedding <#> $1::vector) as score from entries ${where}
        order by embedding <#> $1::vector limit ${HITS}`,
      values: [binary(vector), ...(filter === null ? [] : [filter.value])],
    })
    return rows
  }
}

/** Returns a vector as pgvector receives it in binary, which spares both sides the text. */
function binary(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 + 4 * vector.length)
  bytes.writeInt16BE(vector.length, 0)
  for (let i = 0; i < vector.length; i++) bytes.writeFloatBE(vector[i], 4 + 4 * i)
  return bytes
}

await serve('vectors', async (settings) => new Pgvector(settings))
