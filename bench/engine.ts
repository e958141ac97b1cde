/**
 * Micro benchmarks of the in-process search engine: the kernel, whole searches, and the way to the worker and back. All
 * data are synthetic with a fixed seed; figures are medians.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sharedStaticModel } from '../src/embedding/builtin/static-model.ts'
import type { Filter, IndexDefinition, IndexDocument, SearchMode, SearchRequest } from '../src/search/engine.ts'
import { Arena } from '../src/search/memory/columns/arena.ts'
import { MemoryEngine } from '../src/search/memory/host/engine.ts'
import { UnnamedFiles } from '../src/search/memory/columns/index-files.ts'
import { TenantIndex } from '../src/search/memory/index/tenant-index.ts'
import { languageAnalyser } from '../src/search/indexing/text-analyser.ts'
import { codeBytes, createVectorMemory, norm, VectorColumn } from '../src/search/memory/columns/vector-column.ts'
import { loadKernel } from '../src/search/memory/columns/vector-kernel.ts'
import { textEmbedder } from './search-vectors.ts'

const DIMENSIONS = 384
const DEFINITION: IndexDefinition = {
  name: 'things',
  textFields: { title: 2, body: 1 },
  keyFields: ['share'],
  numberFields: ['expires'],
}

let state = 1
/** Returns a number uniform in [0, 1), the same in every run (Lehmer, multiplier 48271). */
function random(): number {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}

function gaussian(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function unit(values: Float32Array): Float32Array {
  const length = norm(values)
  return values.map((value) => value / length)
}

const topics = Array.from({ length: 200 }, () => unit(Float32Array.from({ length: DIMENSIONS }, gaussian)))

/** Returns a vector near one of 200 topics, like texts of one company; its cosine to the topic is about 0.7. */
function topical(): Float32Array {
  const topic = topics[Math.floor(random() * topics.length)]
  return unit(topic.map((value) => value + (gaussian() * 1) / Math.sqrt(DIMENSIONS)))
}

const vocabulary = Array.from({ length: 30_000 }, (_, i) => {
  const letters = 'aeioukrstnlm'
  let word = ''
  for (let n = i + 12; n > 0; n = Math.floor(n / 12)) word += letters[n % 12]
  return `w${word}`
})

/** Returns words distributed by Zipf's law. */
function words(count: number): string {
  return Array.from({ length: count }, () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]).join(' ')
}

function makeDocument(n: number): IndexDocument {
  const share = n % 100
  const shares = [...(share < 1 ? ['1'] : []), ...(share < 10 ? ['10'] : []), ...(share < 50 ? ['50'] : [])]
  return {
    id: `document-${n}`,
    language: 'en',
    changedAt: n,
    group: `group-${n}`,
    text: { title: [words(6)], body: [words(40)] },
    keys: { share: shares },
    numbers: { expires: null },
    passages: [{ vector: topical(), start: 0, end: 100 }],
  }
}

function makeRequest(mode: SearchMode, filter: Filter = { all: [] }): SearchRequest {
  return {
    version: { tenantId: 't', index: 'things', model: 'm', watermark: 1 },
    mode,
    query: words(3),
    vector: topical(),
    visible: { number: 'expires', above: Date.now(), below: null, orMissing: true },
    filter,
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0.5,
    groups: null,
    explain: false,
  }
}

/** Returns the median milliseconds of one call. */
function measure(work: () => void, budgetMs = 400): number {
  for (let i = 0; i < 3; i++) work()
  const times: number[] = []
  const end = performance.now() + budgetMs
  while (performance.now() < end || times.length < 5) {
    const started = performance.now()
    work()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[times.length >> 1]
}

function report(name: string, ms: number, per = 1): void {
  console.log(`${name.padEnd(72)} ${(ms / per).toFixed(4).padStart(9)} ms`)
}

function benchKernel(rows: number): void {
  for (const variant of ['plain', 'relaxed'] as const) {
    const arena = new Arena()
    const memory = createVectorMemory(arena, loadKernel(arena.memory, variant))
    const column = new VectorColumn(memory, DIMENSIONS)
    const source = Array.from({ length: 512 }, topical)
    for (let row = 0; row < rows; row++) column.append(source[row % source.length])
    const bytes = codeBytes(DIMENSIONS)
    const codes = arena.allocate(8 * bytes)
    const facts = arena.allocate(8 * 16)
    const highs = arena.allocate(8 * (rows + 64) * 4)
    for (let i = 0; i < 8 * bytes; i++) arena.u8[codes + i] = 1 + Math.floor(random() * 126)
    for (let q = 0; q < 8; q++) {
      arena.f32.set([0.001, 1.01, 0.01], (facts >>> 2) + q * 4)
      arena.u32[(facts >>> 2) + q * 4 + 3] = highs + q * (rows + 64) * 4
    }
    for (const queries of [1, 8]) {
      const { codes: all, scales, sums, errors } = column
      const ms = measure(() => memory.kernel.scanAll(all, bytes, scales, sums, errors, 0, rows, codes, facts, queries))
      report(`scan ${rows} x ${DIMENSIONS}, ${variant}, ${queries} at once, per query`, ms, queries)
    }
    const list = arena.allocate(rows * 4)
    let listed = 0
    for (let row = 0; row < rows; row++) if (random() < 0.1) arena.u32[(list >>> 2) + listed++] = row
    listed -= listed % 4
    for (const queries of [1, 4, 8]) {
      const { codes: all, scales, sums, errors } = column
      const ms = measure(() =>
        memory.kernel.scanListed(all, bytes, scales, sums, errors, 0, list, listed, codes, facts, queries),
      )
      report(`scan ${listed} listed of ${rows}, ${variant}, ${queries} at once, per query`, ms, queries)
    }
  }
}

/** Codes whose bounds are compared, each with the number that a component's code stands for. */
const CODES: Readonly<Record<string, (value: number, largest: number, mean: number) => number>> = {
  '1 bit': (value, _largest, mean) => Math.sign(value) * mean,
  '4 of the 8 bits': (value, largest) => (16 * ((codeOf(value, largest) + 128) >> 4) - 120.5) * (largest / 127),
  '8 bits': (value, largest) => codeOf(value, largest) * (largest / 127),
}

function codeOf(value: number, largest: number): number {
  return Math.round((value / largest) * 127)
}

/**
 * Prints how many rows the bounds cannot rule out for the first ten: the work left for closer bounds and exact cosines.
 */
function benchBounds(what: string, vectors: readonly Float32Array[], queries: readonly Float32Array[]): void {
  for (const [name, valueOf] of Object.entries(CODES)) {
    const coded = vectors.map((vector) => {
      const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      const mean = vector.reduce((sum, value) => sum + Math.abs(value), 0) / vector.length
      const code = vector.map((value) => valueOf(value, largest, mean))
      return { code, rest: norm(vector.map((value, i) => value - code[i])) }
    })
    const residual = coded.reduce((sum, { rest }) => sum + rest, 0) / coded.length
    const left = queries.map((query) => {
      const estimates = coded.map(({ code }) => dot(code, query))
      const first = [...estimates.keys()].sort((a, b) => estimates[b] - estimates[a]).slice(0, 10)
      const mark = Math.min(...first.map((i) => dot(vectors[i], query)))
      return coded.filter(({ rest }, i) => estimates[i] + rest >= mark).length
    })
    const mean = left.reduce((sum, count) => sum + count, 0) / left.length
    const share = `${((100 * mean) / vectors.length).toFixed(2)} percent`
    console.log(`${what}: ${name}: residual ${residual.toFixed(4)}, left of ${vectors.length}: ${share}`)
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** Returns the distinct descriptions of Debian's packages; none where there is no Debian. */
function descriptions(): string[] {
  const { status, stdout } = spawnSync('apt-cache', ['dumpavail'], { maxBuffer: 2 ** 30, encoding: 'utf8' })
  if (status !== 0) return []
  const matches = stdout.matchAll(/^Description(?:-en)?: (.*(?:\n .*)*)/gm)
  return Array.from(new Set(Array.from(matches, ([, text]) => text.trim())))
}

/** Measures bounds of vectors as this benchmark draws them, and of real texts. Every 600th text is a query. */
function benchAllBounds(): void {
  benchBounds('drawn', Array.from({ length: 10_000 }, topical), Array.from({ length: 10 }, topical))
  const texts = descriptions()
  if (texts.length === 0) return console.log('no real texts: apt-cache dumpavail tells of no packages')
  const model = sharedStaticModel()
  const embedders = {
    'descriptions, built-in model': (text: string) => unit(model.embed(text)),
    'descriptions, vectors in a cone': textEmbedder(),
  }
  for (const [what, embed] of Object.entries(embedders)) {
    const vectors = texts.map(embed)
    benchBounds(
      what,
      vectors.filter((_, i) => i % 600 !== 0),
      vectors.filter((_, i) => i % 600 === 0),
    )
  }
}

async function benchIndex(documents: number): Promise<void> {
  const arena = new Arena()
  const index = new TenantIndex(DEFINITION, createVectorMemory(arena, loadKernel(arena.memory)), languageAnalyser)
  let indexingMs = 0
  for (let n = 0; n < documents; n++) {
    const put = makeDocument(n)
    const started = performance.now()
    index.apply({ seq: n, put })
    indexingMs += performance.now() - started
  }
  const each = Math.round(index.size.bytes / documents)
  const perSecond = Math.round((documents / indexingMs) * 1_000)
  console.log(`\n${documents} documents: ${perSecond} indexed a second, ${each} bytes each`)
  benchSearches(index, '')
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-engine-'))
  const files = new UnnamedFiles(folder, Number.MAX_SAFE_INTEGER)
  index.closeOpenSegment()
  for (const { vectors } of index.segments) await vectors?.moveOriginals(files, () => undefined)
  console.log(`\noriginal vectors in files: ${Math.round(index.size.bytes / documents)} bytes each`)
  benchSearches(index, ', originals in files')
  index.free()
  rmSync(folder, { recursive: true })
}

function benchSearches(index: TenantIndex, where: string): void {
  const scale = { factor: 5, offset: -4 }
  const cases: [string, SearchMode, Filter, Partial<SearchRequest>?][] = [
    ['semantic', 'semantic', { all: [] }],
    ['semantic, with a scale', 'semantic', { all: [] }, { scale }],
    ['semantic, filter 50 percent', 'semantic', { field: 'share', anyOf: ['50'] }],
    ['semantic, filter 10 percent', 'semantic', { field: 'share', anyOf: ['10'] }],
    ['semantic, filter 1 percent', 'semantic', { field: 'share', anyOf: ['1'] }],
    ['keyword', 'keyword', { all: [] }],
    ['keyword, filter 10 percent', 'keyword', { field: 'share', anyOf: ['10'] }],
    ['hybrid', 'hybrid', { all: [] }],
    ['hybrid, with a scale', 'hybrid', { all: [] }, { scale }],
    ['hybrid, filter 10 percent', 'hybrid', { field: 'share', anyOf: ['10'] }],
  ]
  for (const [name, mode, filter, more] of cases) {
    const requests = Array.from({ length: 64 }, () => ({ ...makeRequest(mode, filter), ...more }))
    const search = (batch: readonly SearchRequest[]): void => {
      for (const outcome of index.search(batch)) if (outcome instanceof Error) throw outcome
    }
    let turn = 0
    const alone = measure(() => search([requests[turn++ % 64]]))
    report(`${name}, alone${where}`, alone)
    const eight = measure(() => {
      const from = (turn++ % 8) * 8
      search(requests.slice(from, from + 8))
    })
    report(`${name}, eight together, per query${where}`, eight, 8)
  }
}

/** Measures the CPU time of both threads for a search that itself does almost nothing. */
async function benchHop(): Promise<void> {
  const engine = new MemoryEngine({
    sourceModule: new URL('engine-source.ts', import.meta.url).href,
    sourceOptions: null,
    bytesMax: 2 ** 30,
  })
  const request = { ...makeRequest('semantic'), visible: { all: [] } }
  const runConnection = async (searches: number): Promise<void> => {
    for (let i = 0; i < searches; i++) await engine.search(request)
  }
  await Promise.all(Array.from({ length: 16 }, () => runConnection(500)))
  const before = process.cpuUsage()
  const started = performance.now()
  const searches = 16 * 2_000
  await Promise.all(Array.from({ length: 16 }, () => runConnection(2_000)))
  const cpu = process.cpuUsage(before)
  const micros = (cpu.user + cpu.system) / searches
  const wall = ((performance.now() - started) / searches) * 1000
  console.log(`\nhop, 16 concurrent, index of 10: ${micros.toFixed(1)} µs CPU and ${wall.toFixed(1)} µs a search`)
  await engine.close()
}

const { values } = parseArgs({ options: { only: { type: 'string' }, documents: { type: 'string' } } })
const sizes = values.documents === undefined ? [10_000, 100_000] : [Number(values.documents)]
const wants = (part: string): boolean => values.only === undefined || values.only === part
if (wants('kernel')) for (const rows of sizes) benchKernel(rows)
if (wants('bounds')) benchAllBounds()
if (wants('index')) for (const documents of sizes) await benchIndex(documents)
if (wants('hop')) await benchHop()
