/**
 * Measures searches of many tenants at random, with memory for all of their indexes and for a third. `--tenants 1000`
 * and `--entries 1000` say how many there are (200 and 1,000 by default), `--data FOLDER` keeps the filled database for
 * the next run, `--write` updates docs/benchmarks.md. Exits with 1 if the requirement is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { filledTenants, type MemoryData, searchTenants } from './memory-data.ts'
import { judgeScattered, type ScatteredReport, type ScatteredRow, scatteredText } from './scattered-report.ts'
import { makeCorpus } from './search-corpus.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { LoadProcess } from './support/load.ts'
import { machineFacts } from './support/machine.ts'
import { metricOf } from './support/metric.ts'
import { cpuSeconds, memoryMb } from './support/process-figures.ts'
import { randomSource } from './support/random.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

/** Number of entries beyond which texts repeat; within a tenant they do not. */
const TEXTS_MAX = 100_000
const QUERIES = 100
const CONNECTIONS = 8
const REQUESTS = 20_000
const LOAD = { warmUpMs: 2_000, measureMs: 15_000, countMax: 1_000_000 }
/** Most megabytes that the setting of the service allows. */
const WHOLE_MB = 4_096
/**
 * Factor of memory for all indexes. Indexes grow while they are searched, and from four fifths of the memory on, parts
 * of them go to files.
 */
const ROOM = 1.4
const PATIENCE_MS = 20 * 60_000
const READ = ['database', 'snapshot'].map((from) => `search_index_builds_total{from="${from}"}`)

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '200' },
    entries: { type: 'string', default: '1000' },
    data: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [tenants, entries] = [Number(values.tenants), Number(values.entries)]
const corpus = makeCorpus(Math.min(TEXTS_MAX, tenants * entries), QUERIES)
const data: MemoryData = {
  name: 'scattered',
  words: 'real words',
  tenants,
  entries,
  entryOf: (i) => corpus.entries[i % corpus.entries.length],
  queryOf: (tenant) => corpus.queries[tenant % QUERIES],
}
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'knowledge-bench-scattered-'))
const load = new LoadProcess()
try {
  process.stderr.write(`filling ${tenants} tenants, unless they are there\n`)
  const keys = await filledTenants(folder, data)
  const indexMb = await allIndexesMb(keys)
  const budgets = [
    { budgetMb: Math.min(WHOLE_MB, Math.ceil(indexMb * ROOM)), isWarm: true },
    { budgetMb: Math.ceil(indexMb / 3), isWarm: false },
  ]
  const rows: ScatteredRow[] = []
  for (const budget of [...budgets, ...budgets]) rows.push(await measure(keys, budget))
  const report: ScatteredReport = { machine: machineFacts(), tenants, entries, indexMb, rows }
  console.log(scatteredText(report))
  if (values.write) {
    saveReport('scattered', report)
    writeDocument()
  }
  if (judgeScattered(report).some(({ met }) => !met)) process.exitCode = 1
} finally {
  await load.close()
  if (values.data === undefined) rmSync(folder, { recursive: true })
}

/**
 * Searches every tenant, until all indexes lie on disk.
 * @returns the megabytes of the indexes
 */
async function allIndexesMb(keys: readonly string[]): Promise<number> {
  process.stderr.write('indexing\n')
  const service = await startServiceProcess(settingsOf(WHOLE_MB))
  try {
    await searchTenants(service, keys, data)
    const began = performance.now()
    // Those of an earlier run are read, not written.
    while ((await saved(service)) + (await metricOf(service, READ[1])) < keys.length) {
      if (performance.now() - began > PATIENCE_MS) throw new Error('Not every index was written to disk')
      await sleep(1_000)
    }
  } finally {
    await service.stop()
  }
  // Indexes that were built just now are larger than those that are read from disk.
  const restarted = await startServiceProcess(settingsOf(WHOLE_MB))
  try {
    await searchTenants(restarted, keys, data)
    return (await metricOf(restarted, 'search_index_bytes')) / 2 ** 20
  } finally {
    await restarted.stop()
  }
}

function saved(service: ServiceProcess): Promise<number> {
  return metricOf(service, 'search_snapshots_total{event="saved"}')
}

async function measure(
  keys: readonly string[],
  { budgetMb, isWarm }: Pick<ScatteredRow, 'budgetMb' | 'isWarm'>,
): Promise<ScatteredRow> {
  const service = await startServiceProcess(settingsOf(budgetMb))
  try {
    await searchTenants(service, keys, data)
    const random = randomSource(1)
    const tenantNumbers = Array.from({ length: REQUESTS }, () => Math.floor(random() * keys.length))
    const job = {
      kind: 'closed' as const,
      url: service.url,
      path: '/api/knowledge/knowledge-entries/search',
      headers: {},
      headersInTurns: tenantNumbers.map((tenant) => ({
        'content-type': 'application/json',
        authorization: `Bearer ${keys[tenant]}`,
      })),
      bodies: tenantNumbers.map((tenant) => JSON.stringify({ query: data.queryOf(tenant), mode: 'hybrid', limit: 10 })),
      connections: CONNECTIONS,
      ...LOAD,
    }
    const cpu = { began: 0, ended: 0 }
    const reads = await readsOf(service)
    const { seconds, failures, latencies } = await load.runClosed(job, (moment) => {
      cpu[moment] = cpuSeconds(service.pid)
    })
    if (failures > 0) throw new Error(`${failures} searches failed`)
    const row = {
      budgetMb,
      isWarm,
      perSecond: latencies.count / seconds,
      p50Ms: latencies.p50,
      p99Ms: latencies.p99,
      cpuPer1000: ((cpu.ended - cpu.began) / latencies.count) * 1_000,
      // The warm-up counts too, at the same rate.
      readPer100:
        (((await readsOf(service)) - reads) / latencies.count) *
        100 *
        (LOAD.measureMs / (LOAD.measureMs + LOAD.warmUpMs)),
      pagedOutPercent: ((await metricOf(service, 'search_index_paged_out')) / keys.length) * 100,
      residentMb: memoryMb(service.pid).now,
    }
    process.stderr.write(`${JSON.stringify(row)}\n`)
    return row
  } finally {
    await service.stop()
  }
}

async function readsOf(service: ServiceProcess): Promise<number> {
  let sum = 0
  for (const name of READ) sum += await metricOf(service, name)
  return sum
}

function settingsOf(budgetMb: number): Record<string, string> {
  return { DATA_DIR: folder, SEARCH_MEMORY_MB: String(budgetMb) }
}
