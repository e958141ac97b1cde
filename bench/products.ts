/**
 * How fast products come in: a catalogue through the bulk route of the real service, once new, once unchanged, once
 * with a tenth of it changed, as full syncs. `--file FILE.jsonl[.gz]` takes a catalogue of one's own (lines as the
 * API takes them, or with `name`/`manufacturer`/`ean` and the like); without it, products made up from the built-in
 * model's vocabulary. `--write` renews docs/benchmarks.md.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import type { ProductsReport } from './products-report.ts'
import { productsText } from './products-report.ts'
import { catalogue } from './support/catalogue.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { startServiceProcess } from './support/service-process.ts'
import { madeUpProducts } from './support/made-up-products.ts'

const PATIENCE_MS = 30 * 60_000
const SPEEDUP_WANTED = 5

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    count: { type: 'string' },
    write: { type: 'boolean' },
    postgres: { type: 'string' },
  },
})
const products = values.file === undefined ? madeUpProducts(Number(values.count ?? 10_000)) : catalogue(values.file)
const settings: Record<string, string> = values.postgres === undefined ? {} : { DATABASE_URL: values.postgres }
const service = await startServiceProcess(settings)
const { key } = await service.tenant('bench')
const pool = new Pool(service.url, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })

const hashed: Record<string, unknown>[] = products.map((product) => ({ ...product, sync_hash: hashOf(product) }))
const changed = hashed.map((product, i) =>
  i % 10 === 0
    ? { ...product, short_description: 'new', brand: 'new', description: `new ${i}`, sync_hash: `new ${i}` }
    : product,
)
const first = await push(hashed)
const second = await push(hashed)
const third = await push(changed)
await pool.close()
await service.stop()

const speedup = first.seconds / second.seconds
const report: ProductsReport = {
  machine: machineFacts(),
  catalogue: values.file === undefined ? 'made up' : basename(values.file),
  database: values.postgres === undefined ? 'SQLite' : 'PostgreSQL',
  products: products.length,
  bytes: Buffer.byteLength(linesOf(hashed)),
  runs: [
    { what: 'all new', ...first },
    { what: 'unchanged hashes', ...second },
    { what: 'a tenth changed', ...third },
  ],
  speedup,
  requirements: [
    {
      what: `second sync with unchanged hashes at least ${SPEEDUP_WANTED} times faster`,
      measured: `${speedup.toFixed(1)} times`,
      met: speedup >= SPEEDUP_WANTED,
    },
  ],
}
console.log(productsText(report))
if (values.write === true) {
  saveReport('products', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

async function push(lines: readonly object[]): Promise<{ seconds: number; counts: Record<string, number> }> {
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
