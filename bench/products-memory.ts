/**
 * Measures the memory that a long stream of products needs: 200,000 products through one bulk request to the real
 * service, whose resident memory is read as answers arrive. `--file FILE.jsonl[.gz]` varies your own catalogue until
 * there are enough; without it, products are made up from the words of `bench/words.txt`. `--write` updates
 * docs/benchmarks.md.
 */
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { type MemoryMark, type ProductsMemoryReport, productsMemoryText } from './products-memory-report.ts'
import { catalogue } from './support/catalogue.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { madeUpProducts } from './support/made-up-products.ts'
import { memoryMb } from './support/process-figures.ts'
import { startServiceProcess } from './support/service-process.ts'
import { grouped } from './support/table.ts'

const PATIENCE_MS = 30 * 60_000
/** Numbers of answered products after which the memory is read. */
const MARKS = [10_000, 50_000, 100_000, 150_000, 200_000] as const
const [EARLY, SETTLED] = MARKS
const COUNT = MARKS[MARKS.length - 1]
/** Lines sent in one chunk. */
const CHUNK_LINES = 100
/**
 * Megabytes that the database's page caches may fill meanwhile: 64 for the writing connection and 64 for the reading
 * one.
 */
const CACHES_MB = 128
/** Share by which memory may grow. The heap has about 30 MB after a collection and up to 120 MB before the next. */
const GROWTH_ALLOWED = 0.2

const { values } = parseArgs({
  options: { file: { type: 'string' }, write: { type: 'boolean' } },
})
const products = values.file === undefined ? madeUpProducts(10_000) : catalogue(values.file)
const service = await startServiceProcess()
const { key } = await service.tenant('bench')
const pool = new Pool(service.url, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })

const idleMb = memoryMb(service.pid).now
const started = performance.now()
const { marks, bytes } = await push()
const seconds = (performance.now() - started) / 1_000
await pool.close()
await service.stop()

const peakAt = (products: number) => marks.find((mark) => mark.products === products)!.peakMb
const filled = peakAt(SETTLED) - peakAt(EARLY)
const growth = peakAt(COUNT) / peakAt(SETTLED) - 1
const report: ProductsMemoryReport = {
  machine: machineFacts(),
  catalogue: values.file === undefined ? 'made up' : basename(values.file),
  products: COUNT,
  bytes,
  seconds,
  idleMb,
  marks,
  requirements: [
    {
      what: `peak after ${grouped(SETTLED)} at most ${CACHES_MB} MB above the one after ${grouped(EARLY)}, for page caches`,
      measured: `${filled.toFixed(0)} MB`,
      met: filled <= CACHES_MB,
    },
    {
      what: `peak after ${grouped(COUNT)} at most ${GROWTH_ALLOWED * 100} percent above the one after ${grouped(SETTLED)}`,
      measured: `${(growth * 100).toFixed(1)} percent`,
      met: growth <= GROWTH_ALLOWED,
    },
  ],
}
console.log(productsMemoryText(report))
if (values.write === true) {
  saveReport('products-memory', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

/** Sends all products as one body, made while it is sent, and reads the service's memory as answers arrive. */
async function push(): Promise<{ marks: MemoryMark[]; bytes: number }> {
  let sentBytes = 0
  const body = async function* (): AsyncGenerator<Buffer> {
    for (let from = 0; from < COUNT; from += CHUNK_LINES) {
      const chunk = Buffer.from(linesOf(from, Math.min(from + CHUNK_LINES, COUNT)))
      sentBytes += chunk.length
      yield chunk
    }
  }
  const answer = await pool.request({
    method: 'POST',
    path: '/api/knowledge/products/bulk?site_id=default&sync=full',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: Readable.from(body()),
  })
  const reached: MemoryMark[] = []
  let answered = 0
  for await (const line of linesIn(answer.body)) {
    const { status } = JSON.parse(line) as { status?: string }
    if (status === 'finished') continue
    if (status !== 'created') throw new Error(`The push failed: ${line}`)
    answered++
    if (!MARKS.some((mark) => mark === answered)) continue
    const { now, peak } = memoryMb(service.pid)
    reached.push({ products: answered, nowMb: now, peakMb: peak })
  }
  if (answered !== COUNT) throw new Error(`Only ${answered} of ${COUNT} products were answered`)
  return { marks: reached, bytes: sentBytes }
}

/**
 * Returns the products numbered `from` to below `to`: those of the catalogue again and again, with other names and
 * numbers.
 */
function linesOf(from: number, to: number): string {
  let lines = ''
  for (let i = from; i < to; i++) {
    const product = products[i % products.length]
    const round = Math.floor(i / products.length)
    const varied = {
      ...product,
      external_id: `${String(product.external_id)}-${round}`,
      title: round === 0 ? product.title : `${String(product.title)} ${round}`,
      sync_hash: `${i}`,
    }
    lines += `${JSON.stringify(varied)}\n`
  }
  return lines
}

async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
