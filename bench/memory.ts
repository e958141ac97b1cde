/**
 * Measures the memory that entries take: one tenant with 100,000 of about 120 words, and 100 tenants with 1,000 each.
 * The real service is started on a filled database, and its resident memory is read when it is idle, after the first
 * search of every tenant, and at rest, once all indexes lie on disk too and the heap was collected; all that twice. Then
 * the 100 tenants are searched under budgets that hold them all, or few. At last these tenants, and others whose words
 * hardly repeat, are searched and written in a control group of the size that docs/operations/grow.md states for each budget.
 * `--data FOLDER` keeps the filled databases for the next run, `--only one`, `many`, `budgets` or `containers` measures a
 * part, `--write` updates docs/benchmarks.md and keeps what was not measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { inContainer } from './memory-containers.ts'
import { BUDGETS_MB, filledTenants, type MemoryData, pressTenants, rareWords, searchTenants } from './memory-data.ts'
import {
  type ContainerRow,
  judgeContainers,
  judgeMemory,
  type MemoryMoment,
  type MemoryReport,
  type MemoryRun,
  memoryText,
} from './memory-report.ts'
import { makeCorpus } from './search-corpus.ts'
import { readReport, saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { metricOf, untilSaved } from './support/metric.ts'
import { memoryMb } from './support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'
import { grouped } from './support/table.ts'

const CASES = [
  { name: 'one', tenants: 1, entries: 100_000, kbMax: 3 },
  { name: 'many', tenants: 100, entries: 1_000, kbMax: 4 },
] as const
const [, MANY] = CASES
/** Number of tenants of rare words whose indexes exceed a budget of this size. */
const RARE = { tenants: 10, budgetMb: 64 }
const PATIENCE_MS = 10 * 60_000
/**
 * Milliseconds for which the service's memory must stay the same, while its heap is checked, until the service is at
 * rest.
 */
const REST_MS = 25_000
const REST_MB = 3

const { values } = parseArgs({
  options: { data: { type: 'string' }, only: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const corpus = makeCorpus(100_000, 100)
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'knowledge-bench-memory-'))
const rows: MemoryReport['rows'][number][] = []
const budgets: MemoryReport['budgets'][number][] = []
const containers: ContainerRow[] = []
const isAsked = (part: string): boolean => (values.only ?? part) === part
try {
  for (const each of CASES)
    if (isAsked(each.name)) rows.push({ ...each, runs: [await measure(each), await measure(each)] })
  if (isAsked('budgets')) for (const each of BUDGETS_MB) budgets.push(await measureBudget(each))
  if (isAsked('containers')) for (const each of BUDGETS_MB) containers.push(...(await measureContainers(each)))
} finally {
  if (values.data === undefined) rmSync(folder, { recursive: true })
}
const report = reportOf()
console.log(memoryText(report))
if (values.write) {
  const before = readReport('memory') as MemoryReport | null
  saveReport('memory', before === null || values.only === undefined ? report : withParts(before, report))
  writeDocument()
}
const required = [...report.requirements, ...(report.containers?.requirements ?? [])]
if (required.some(({ met }) => !met)) process.exitCode = 1

function reportOf(): MemoryReport {
  const machine = machineFacts()
  return {
    machine,
    rows,
    budgets,
    requirements: judgeMemory(rows),
    ...(containers.length === 0
      ? {}
      : { containers: { machine, rows: containers, requirements: judgeContainers(containers) } }),
  }
}

/** Returns a report in which the new measurements replace those of an earlier report. */
function withParts(before: MemoryReport, now: MemoryReport): MemoryReport {
  const isNow = new Set(now.rows.map(({ name }) => name))
  const together = [...before.rows.filter(({ name }) => !isNow.has(name)), ...now.rows]
  const all = CASES.flatMap(({ name }) => together.filter((row) => row.name === name))
  return {
    machine: now.rows.length + now.budgets.length > 0 ? now.machine : before.machine,
    rows: all,
    budgets: now.budgets.length > 0 ? now.budgets : before.budgets,
    requirements: judgeMemory(all),
    containers: now.containers ?? before.containers,
  }
}

async function measure(which: (typeof CASES)[number]): Promise<MemoryRun> {
  const dataDir = join(folder, which.name)
  const keys = await filledTenants(dataDir, dataOf(which))
  rmSync(join(dataDir, 'search-snapshots'), { recursive: true, force: true })
  const service = await startServiceProcess({ DATA_DIR: dataDir })
  try {
    const idle = await restOf(service)
    await searchTenants(service, keys, dataOf(which))
    const searched = await momentOf(service)
    await untilSaved(service, keys.length, PATIENCE_MS)
    return { idle, searched, rest: await restOf(service) }
  } finally {
    await service.stop()
  }
}

/** Searches every tenant twice, so that evicted indexes come back. */
async function measureBudget(budgetMb: number): Promise<MemoryReport['budgets'][number]> {
  const dataDir = join(folder, MANY.name)
  const keys = await filledTenants(dataDir, dataOf(MANY))
  const service = await startServiceProcess({ DATA_DIR: dataDir, SEARCH_MEMORY_MB: String(budgetMb) })
  try {
    for (let round = 0; round < 2; round++) await searchTenants(service, keys, dataOf(MANY))
    const searched = await momentOf(service)
    const rest = await restOf(service)
    return { budgetMb, indexes: await metricOf(service, 'search_index_indexes'), searched, rest }
  } finally {
    await service.stop()
  }
}

/** Searches and writes tenants whose indexes take more than the budget, in a container of the stated size. */
async function measureContainers(budgetMb: number): Promise<ContainerRow[]> {
  const rare = rareWords((RARE.tenants * Math.max(...BUDGETS_MB)) / RARE.budgetMb)
  const measured: ContainerRow[] = []
  for (const [data, tenants] of [
    [dataOf(MANY), MANY.tenants],
    [rare, (RARE.tenants * budgetMb) / RARE.budgetMb],
  ] as const) {
    const dataDir = join(folder, data.name)
    const keys = (await filledTenants(dataDir, data)).slice(0, tenants)
    rmSync(join(dataDir, 'search-snapshots'), { recursive: true, force: true })
    const figures = await inContainer(budgetMb, { DATA_DIR: dataDir }, (service) => pressTenants(service, keys, data))
    const row = { data: `${tenants} tenants of ${grouped(data.entries)}, ${data.words}`, ...figures }
    process.stderr.write(`${JSON.stringify(row)}\n`)
    measured.push(row)
  }
  return measured
}

function dataOf({ name, tenants, entries }: (typeof CASES)[number]): MemoryData {
  return {
    name,
    words: 'real words',
    tenants,
    entries,
    entryOf: (i) => corpus.entries[i],
    queryOf: (tenant) => corpus.queries[tenant],
  }
}

/**
 * Returns the service's memory once it no longer changes (`platform/threads/heap-release.ts` checks every ten seconds).
 */
async function restOf(service: ServiceProcess): Promise<MemoryMoment> {
  const began = performance.now()
  let moment = await momentOf(service)
  for (let since = began; performance.now() - since < REST_MS && performance.now() - began < PATIENCE_MS;) {
    await sleep(1_000)
    const now = await momentOf(service)
    if (Math.abs(now.ownMb - moment.ownMb) <= REST_MB) continue
    moment = now
    since = performance.now()
  }
  return momentOf(service)
}

async function momentOf(service: ServiceProcess): Promise<MemoryMoment> {
  const { now, own } = memoryMb(service.pid)
  return { ownMb: own, residentMb: now, indexMb: (await metricOf(service, 'search_index_bytes')) / 2 ** 20 }
}
