/**
 * Measures an import of pages until a model has read them all: when they are found by words and by meaning, what it
 * takes in processor time and memory, and how long another tenant's searches take beside it. Exits with 1 if a
 * requirement is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { EmbeddingStatus } from '../src/embedding/contract.ts'
import { SearchesBeside } from './reading/searches-beside.ts'
import { COMPARED, judgeReading, type ReadingFigures, type ReadingReport, readingText } from './reading-report.ts'
import { type BenchEntry, type Corpus, makeCorpus } from './search-corpus.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { cpuSeconds, memoryMb } from './support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const USAGE = `Usage: npm run bench:reading -- [options]

  --pages N      pages to import (default 20000)
  --models NAME,…  built-in models (default ${COMPARED},both)
  --write        save the figures and update docs/benchmarks.md
`
const QUERIES = 40_000
const OTHERS_ENTRIES = 1_000
const EVERY_MS = 100
const ALONE_MS = 20_000
/** Entries that a third tenant writes while the pages are read. */
const FEW_ENTRIES = 10
const STREAMS = 4
const PER_IMPORT = 500
const SAMPLE_MS = 250
const FOUND_POLL_MS = 50
const READ_POLL_MS = 2_000
const FEW_POLL_MS = 100
/** A word that no page has. */
const MARK = 'qwxzquagga'

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '20000' },
      models: { type: 'string', default: `${COMPARED},both` },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const pages = Number(values.pages)
  if (values.help || !Number.isSafeInteger(pages) || pages < 1) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }
  const corpus = makeCorpus(pages + OTHERS_ENTRIES, QUERIES)
  const models: ReadingFigures[] = []
  for (const model of values.models.split(',')) models.push(await measureModel(model, corpus))
  const requirements = judgeReading(models)
  const report: ReadingReport = { machine: machineFacts(), pages, everyMs: EVERY_MS, models, requirements }
  console.log(readingText(report))
  if (values.write) {
    saveReport('reading', report)
    writeDocument()
  }
  return requirements.every(({ met }) => met) ? 0 : 1
}

async function measureModel(model: string, { entries, queries }: Corpus): Promise<ReadingFigures> {
  const service = await startServiceProcess({ EMBEDDING_MODEL: model })
  const open: (() => Promise<void>)[] = [() => service.stop()]
  try {
    const ready = memoryMb(service.pid).own
    const other = await tenantOf(service, 'other', open)
    await importPages(other, entries.slice(0, OTHERS_ENTRIES))
    await other.api.embedded()
    await other.api.call('POST', '/knowledge-entries/search', { query: queries[0], mode: 'hybrid' })
    const importer = await tenantOf(service, 'importer', open)
    const beside = new SearchesBeside(service.url, other.key, queries, EVERY_MS)
    open.push(() => beside.stop())
    beside.phase('alone')
    await sleep(ALONE_MS)
    const memory = watchMemory(service)
    const before = memory.now()
    beside.phase('import')
    const pages = entries.slice(OTHERS_ENTRIES)
    const few = await tenantOf(service, 'few', open)
    const figures = await measureImport(service, importer, pages, () => {
      beside.phase('reading')
      return readFew(few, entries.slice(0, FEW_ENTRIES))
    })
    const after = memory.now()
    const peak = memory.stop()
    const { searches, lost } = await beside.figures()
    return { model, ...figures, memory: { ready, before, peak, after }, searches, lost }
  } finally {
    for (const close of open.toReversed()) await close()
  }
}

interface Tenant {
  readonly key: string
  readonly api: ApiClient
  readonly category: string
}

async function tenantOf(service: ServiceProcess, id: string, open: (() => Promise<void>)[]): Promise<Tenant> {
  const { key } = await service.tenant(id)
  const api = new ApiClient(service.url, key, STREAMS)
  open.push(() => api.close())
  return { key, api, category: await api.category(id) }
}

/**
 * Imports pages and waits until all were read.
 * @param onImported called at the last answer of the import; returns the seconds until a few other entries were read
 */
async function measureImport(
  { pid }: ServiceProcess,
  importer: Tenant,
  pages: readonly BenchEntry[],
  onImported: () => Promise<number>,
): Promise<Omit<ReadingFigures, 'model' | 'memory' | 'searches' | 'lost'>> {
  const last = { ...pages.at(-1)!, content: `${pages.at(-1)!.content} ${MARK}` }
  const cpuBefore = cpuSeconds(pid)
  const began = performance.now()
  const since = (): number => (performance.now() - began) / 1_000
  await importPages(importer, pages.slice(0, -1))
  await importPages(importer, [last])
  const importSeconds = since()
  const importCpuSeconds = cpuSeconds(pid) - cpuBefore
  const few = onImported()
  await untilFound(importer.api, { query: MARK, mode: 'keyword' }, last.title)
  const wordsSeconds = since()
  await untilFound(importer.api, { query: last.title, mode: 'semantic' }, last.title)
  const meaningSeconds = since()
  const fewSeconds = await few
  await untilRead(importer.api)
  return {
    importSeconds,
    fewSeconds,
    wordsSeconds,
    meaningSeconds,
    readSeconds: since(),
    importCpuSeconds,
    cpuSeconds: cpuSeconds(pid) - cpuBefore,
  }
}

async function importPages({ api, category }: Tenant, pages: readonly BenchEntry[]): Promise<void> {
  let next = 0
  const stream = async (): Promise<void> => {
    while (next < pages.length) {
      const from = next
      next += PER_IMPORT
      await api.importEntries(
        pages.slice(from, from + PER_IMPORT).map((page) => ({ ...page, category_id: category, category: undefined })),
      )
    }
  }
  await Promise.all(Array.from({ length: STREAMS }, stream))
}

/** Writes entries, and returns the seconds until all of them were read. */
async function readFew(tenant: Tenant, entries: readonly BenchEntry[]): Promise<number> {
  const began = performance.now()
  await importPages(tenant, entries)
  await untilRead(tenant.api, FEW_POLL_MS)
  return (performance.now() - began) / 1_000
}

async function untilFound(api: ApiClient, body: object, title: string): Promise<void> {
  for (;;) {
    const hits = await api.call<{ entry: { title: string } }[]>('POST', '/knowledge-entries/search', body)
    if (hits.some(({ entry }) => entry.title === title)) return
    await sleep(FOUND_POLL_MS)
  }
}

async function untilRead(api: ApiClient, pollMs = READ_POLL_MS): Promise<void> {
  for (;;) {
    const { pending, failing, last_error: error } = await api.call<EmbeddingStatus>('GET', '/embedding-status')
    if (failing > 0) throw new Error(`Reading fails: ${error}`)
    if (pending === 0) return
    await sleep(pollMs)
  }
}

/** Records the highest resident memory, without mapped files. */
function watchMemory({ pid }: ServiceProcess): { now(): number; stop(): number } {
  const now = (): number => memoryMb(pid).own
  let peak = now()
  const timer = setInterval(() => (peak = Math.max(peak, now())), SAMPLE_MS)
  return {
    now,
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}
