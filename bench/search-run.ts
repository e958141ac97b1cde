import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Corpus } from './search-corpus.ts'
import { type AnswersReport, measureAnswers } from './search-answers.ts'
import { measureQueries, type QueriesReport } from './search-queries.ts'
import type { SearchReport, SizeReport } from './search-report.ts'
import {
  type LoadFigures,
  type LoadSizes,
  measureLoad,
  medianOf,
  type Scenario,
  scenarios,
  type Target,
} from './search-scenarios.ts'
import { BenchTenant } from './search-tenant.ts'
import { DIMENSIONS, writeVectors } from './search-vectors.ts'
import { LoadProcess, type PacedFigures } from './support/load.ts'
import { machineFacts } from './support/machine.ts'
import { memoryMb } from './support/process-figures.ts'
import { endProcess, readyLine, type ServiceProcess, startServiceProcess } from './support/service-process.ts'

export interface SearchOptions {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly load: LoadSizes
  readonly withSearch: boolean
  readonly withIndexing: boolean
  /** Whether the cost of an answer is measured too, at the first size. */
  readonly withAnswers: boolean
  /** Whether queries that a built-in model reads are measured too. */
  readonly withQueries: boolean
  readonly profileFolder: string | null
}

const MODEL = 'bench'
const SEARCH_PATH = '/api/knowledge/knowledge-entries/search'
const READER_ENTRIES = 100
/** Milliseconds between two reads: a hundred a second while another tenant is indexed. */
const READ_EVERY_MS = 10
const READ_CONNECTIONS = 8
const ANSWERS = 200
const CREDENTIAL_SCENARIO: Scenario = { mode: 'semantic', filterPercent: 1, connections: 16 }

/** Everything that runs during the benchmark. */
interface Bench {
  readonly options: SearchOptions
  readonly corpus: Corpus
  readonly folder: string
  readonly stub: Server
  readonly service: ServiceProcess
  readonly load: LoadProcess
}

interface Server {
  readonly url: string
  readonly child: ChildProcess
}

/**
 * Measures search.
 * @param queried the corpus whose queries a built-in model reads
 */
export async function measureSearch(corpus: Corpus, queried: Corpus, options: SearchOptions): Promise<SearchReport> {
  const sizes = options.sizes.length === 0 ? [] : await measureSizes(corpus, options)
  const queries = options.withQueries ? await measureRead(queried, options) : null
  return { machine: machineFacts(), dimensions: DIMENSIONS, sizes, queries }
}

async function measureRead(corpus: Corpus, { rounds, load: sizes }: SearchOptions): Promise<QueriesReport> {
  const load = new LoadProcess()
  try {
    say('queries that a model reads')
    return await measureQueries(load, corpus, { rounds, sizes })
  } finally {
    await load.close()
  }
}

async function measureSizes(corpus: Corpus, options: SearchOptions): Promise<SizeReport[]> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-search-'))
  const open: (() => Promise<void>)[] = []
  try {
    const vectorFile = join(folder, 'vectors.bin')
    say(`${corpus.entries.length} entries: preparing vectors`)
    writeVectors(vectorFile, corpus)
    const stub = await startServer('search-stub.ts', [vectorFile])
    open.push(() => endProcess(stub.child))
    const service = await startServiceProcess(settingsFor(stub.url), profileFlags(options.profileFolder))
    open.push(() => service.stop())
    const load = new LoadProcess()
    open.push(() => load.close())
    const bench = { options, corpus, folder, stub, service, load }
    const reader = await BenchTenant.create(service, 'reader')
    open.push(() => reader.close())
    await reader.fill(corpus.entries.slice(0, READER_ENTRIES), corpus.queries[0])
    const sizes: SizeReport[] = []
    for (const size of options.sizes) sizes.push(await measureSize(bench, reader, size))
    return sizes
  } finally {
    for (const close of open.reverse()) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function settingsFor(stubUrl: string): Record<string, string> {
  return {
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_URL: `${stubUrl}/v1`,
    EMBEDDING_MODEL: MODEL,
    EMBEDDING_DIMENSIONS: String(DIMENSIONS),
  }
}

function profileFlags(folder: string | null): string[] {
  return folder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

async function startServer(script: string, args: readonly string[]): Promise<Server> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { url: await readyLine(child, /ready at (\S+)/), child }
}

async function measureSize(bench: Bench, reader: BenchTenant, size: number): Promise<SizeReport> {
  const { options, corpus, service, load } = bench
  const tenant = await BenchTenant.create(service, `size-${size}`)
  try {
    say(`${size} entries: importing, embedding, indexing`)
    if (options.withIndexing) startReading(bench, reader)
    const loading = await tenant.fill(corpus.entries.slice(0, size), corpus.queries[0], (phase) => load.phase(phase))
    const reads = options.withIndexing ? await stopReading(load) : null
    say(
      `  ${Object.values(loading)
        .map((value) => value.toFixed(1))
        .join(', ')}`,
    )
    const measured = options.withSearch ? await measureScenarios(bench, tenant) : { searches: [], ceilings: [] }
    const tokenRatio = options.withSearch ? await measureCredentials(bench, tenant) : null
    const answers = options.withAnswers && size === options.sizes[0] ? await measureFrame(bench, tenant) : null
    const { now, peak } = memoryMb(service.pid)
    return { size, loading, reads, now, peak, ...measured, tokenRatio, answers }
  } finally {
    await tenant.close()
  }
}

function startReading({ service, load }: Bench, reader: BenchTenant): void {
  load.phase('import')
  load.startPaced({
    kind: 'paced',
    url: service.url,
    paths: reader.ids.map((id) => `/api/knowledge/knowledge-entries/${id}`),
    headers: { authorization: `Bearer ${reader.key}` },
    connections: READ_CONNECTIONS,
    everyMs: READ_EVERY_MS,
  })
}

async function stopReading(load: LoadProcess): Promise<PacedFigures> {
  const reads = await load.stopPaced()
  if (reads.failures > 0) throw new Error(`${reads.failures} reads failed`)
  return reads
}

/** Measures every load in rounds that alternate with the ceiling, so other work on the machine affects both alike. */
async function measureScenarios(bench: Bench, tenant: BenchTenant): Promise<Pick<SizeReport, 'searches' | 'ceilings'>> {
  const { options, corpus, load, service } = bench
  const ceiling = await startCeiling(bench, tenant)
  try {
    const headers = { 'content-type': 'application/json' }
    const bare: Target = { url: ceiling.url, path: '/search', pid: ceiling.child.pid!, headers }
    const authorized = { ...headers, authorization: `Bearer ${tenant.key}` }
    const target: Target = { url: service.url, path: SEARCH_PATH, pid: service.pid, headers: authorized }
    const all = scenarios()
    const figures = all.map((): LoadFigures[] => [])
    const bareFigures = new Map<number, LoadFigures[]>([
      [1, []],
      [16, []],
    ])
    const bareBodies = corpus.queries.map((query) => JSON.stringify({ query }))
    for (let round = 0; round < options.rounds; round++) {
      for (const [i, scenario] of all.entries()) {
        const { connections } = scenario
        if (i % 4 === 0 || all[i - 1]?.connections !== connections) {
          bareFigures.get(connections)!.push(await measureLoad(load, bare, bareBodies, connections, options.load))
        }
        const bodies = corpus.queries.map((query) => JSON.stringify(tenant.body(scenario, query)))
        figures[i].push(await measureLoad(load, target, bodies, connections, options.load))
      }
    }
    const ceilings = Array.from(bareFigures, ([connections, rounds]) => ({ connections, figures: medianOf(rounds) }))
    const searches = all.map((scenario, i) => {
      const bareOnes = ceilings.find(({ connections }) => connections === scenario.connections)!
      const own = medianOf(figures[i])
      const ratio = own.cpuPer1000 / bareOnes.figures.cpuPer1000
      say(`  ${JSON.stringify(scenario)} ${ratio.toFixed(2)}`)
      return { scenario, service: own, ratio }
    })
    return { searches, ceilings }
  } finally {
    await endProcess(ceiling.child)
  }
}

async function measureFrame(bench: Bench, tenant: BenchTenant): Promise<AnswersReport> {
  const { options, corpus, load, service } = bench
  const ceiling = await startCeiling(bench, tenant)
  try {
    const headers = { 'content-type': 'application/json' }
    const bare = { url: ceiling.url, path: '/bytes', pid: ceiling.child.pid!, headers }
    const authorized = { ...headers, authorization: `Bearer ${tenant.key}` }
    const target = { url: service.url, path: SEARCH_PATH, pid: service.pid, headers: authorized }
    const sizes = { rounds: options.rounds, sizes: options.load }
    const report = await measureAnswers(load, tenant, { bare, service: target }, corpus.queries, sizes)
    for (const { name, ratio } of report.rows) say(`  ${name} ${ratio.toFixed(2)}`)
    return report
  } finally {
    await endProcess(ceiling.child)
  }
}

/** Measures the same search with an API key and an access token in turn, so other work affects both alike. */
async function measureCredentials({ options, corpus, load, service }: Bench, tenant: BenchTenant): Promise<number> {
  const bodies = corpus.queries.map((query) => JSON.stringify(tenant.body(CREDENTIAL_SCENARIO, query)))
  const measured = async (credential: string): Promise<LoadFigures> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
    const target: Target = { url: service.url, path: SEARCH_PATH, pid: service.pid, headers }
    return measureLoad(load, target, bodies, CREDENTIAL_SCENARIO.connections, options.load)
  }
  const token = await tenant.accessToken()
  const figures = { key: [] as LoadFigures[], token: [] as LoadFigures[] }
  for (let round = 0; round < options.rounds + 2; round++) {
    figures.key.push(await measured(tenant.key))
    figures.token.push(await measured(token))
  }
  return medianOf(figures.token).cpuPer1000 / medianOf(figures.key).cpuPer1000
}

/**
 * Starts the ceiling.
 * @throws Error when a search does not answer ten entries, because then it would measure another answer
 */
async function startCeiling({ folder, corpus, stub }: Bench, tenant: BenchTenant): Promise<Server> {
  const answers = []
  for (const query of corpus.queries.slice(0, ANSWERS)) answers.push(await tenant.search({ query }))
  for (const scenario of scenarios()) answers.push(await tenant.search(tenant.body(scenario, corpus.queries[0])))
  const short = answers.find((answer) => answer.length !== 10)
  if (short !== undefined) throw new Error(`A search answered ${short.length} entries instead of 10`)
  const file = join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify(answers.slice(0, ANSWERS)))
  return startServer('search-ceiling.ts', [`${stub.url}/v1`, MODEL, String(DIMENSIONS), file])
}

function say(what: string): void {
  process.stderr.write(`${what}\n`)
}
