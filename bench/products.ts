/**
 * Measures how fast products are imported: a catalogue through the bulk route of the real service as full syncs, first
 * new, then unchanged, then with a tenth of it changed, on SQLite and on a PostgreSQL that this command starts. `--file
 * FILE.jsonl[.gz]` takes your own catalogue (lines as in the API, or with names like `name`, `manufacturer` and `ean`);
 * without it, products are made up from the words of `bench/words.txt`. `--postgres URL` takes your own empty
 * database. `--database sqlite|postgres` measures only one. `--write` updates docs/benchmarks.md.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { startPostgres } from '../test/support/postgres.ts'
import { type DatabaseFigures, type ProductsReport, productsText } from './products-report.ts'
import { catalogue } from './support/catalogue.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { madeUpProducts } from './support/made-up-products.ts'
import { startServiceProcess } from './support/service-process.ts'

const PATIENCE_MS = 30 * 60_000
const SPEEDUP_WANTED = 5
/** Number of pushes of the unchanged catalogue. One push takes a fraction of a second, so the median counts. */
const UNCHANGED_PUSHES = 5

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    count: { type: 'string' },
    write: { type: 'boolean' },
    postgres: { type: 'string' },
    database: { type: 'string' },
  },
})
const products = values.file === undefined ? madeUpProducts(Number(values.count ?? 10_000)) : catalogue(values.file)
const hashed: Record<string, unknown>[] = products.map((product) => ({ ...product, sync_hash: hashOf(product) }))
const changed = hashed.map((product, i) =>
  i % 10 === 0
    ? { ...product, short_description: 'new', brand: 'new', description: `new ${i}`, sync_hash: `new ${i}` }
    : product,
)

const databases: DatabaseFigures[] = []
if (values.database !== 'postgres') databases.push(await measure('SQLite', {}))
if (values.database !== 'sqlite') databases.push(await measureOnPostgres())
const report: ProductsReport = {
  machine: machineFacts(),
  catalogue: values.file === undefined ? 'made up' : basename(values.file),
  products: products.length,
  bytes: Buffer.byteLength(linesOf(hashed)),
  databases,
  unchangedPushes: UNCHANGED_PUSHES,
  requirements: databases.map(({ database, speedup }) => ({
    what: `${database}: a sync with unchanged hashes at least ${SPEEDUP_WANTED} times faster than the first`,
    measured: `${speedup.toFixed(1)} times`,
    met: speedup >= SPEEDUP_WANTED,
  })),
}
console.log(productsText(report))
if (values.write === true) {
  saveReport('products', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

async function measureOnPostgres(): Promise<DatabaseFigures> {
  if (values.postgres !== undefined) return measure('PostgreSQL', { DATABASE_URL: values.postgres })
  const server = await startPostgres({ isDurable: true })
  try {
    return await measure('PostgreSQL', { DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

async function measure(database: string, settings: Readonly<Record<string, string>>): Promise<DatabaseFigures> {
  const service = await startServiceProcess(settings)
  const { key } = await service.tenant('bench')
  const pool = new Pool(service.url, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  const first = await push(pool, key, hashed)
  const again: Pushed[] = []
  for (let i = 0; i < UNCHANGED_PUSHES; i++) again.push(await push(pool, key, hashed))
  again.sort((one, other) => one.seconds - other.seconds)
  const unchanged = again[Math.floor(UNCHANGED_PUSHES / 2)]
  const third = await push(pool, key, changed)
  await pool.close()
  await service.stop()
  return {
    database,
    runs: [
      { what: 'all new', ...first },
      { what: 'unchanged hashes', ...unchanged },
      { what: 'a tenth changed', ...third },
    ],
    speedup: first.seconds / unchanged.seconds,
  }
}

interface Pushed {
  readonly seconds: number
  /** Answers by their status. */
  readonly counts: Record<string, number>
}

async function push(pool: Pool, key: string, lines: readonly object[]): Promise<Pushed> {
  const body = linesOf(lines)
  const started = performance.now()
  const answer = await pool.request({
    method: 'POST',
    path: '/api/knowledge/products/bulk?site_id=default&sync=full',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body,
  })
  const text = await answer.body.text()
  const seconds = (performance.now() - started) / 1_000
  const counts: Record<string, number> = {}
  for (const line of text.trimEnd().split('\n')) {
    const { status } = JSON.parse(line) as { status?: string }
    if (status === undefined) throw new Error(`The push failed: ${line}`)
    if (status === 'failed' && counts.failed === undefined) process.stderr.write(`not stored: ${line}\n`)
    counts[status] = (counts[status] ?? 0) + 1
  }
  delete counts.finished
  return { seconds, counts }
}

function hashOf(product: object): string {
  return createHash('sha256').update(JSON.stringify(product)).digest('hex')
}

function linesOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
