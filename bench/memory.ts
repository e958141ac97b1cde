/**
 * Measures the memory that entries take: one tenant with 100,000 of about 120 words, and 100 tenants with 1,000 each.
 * The real service is started on a filled database, and its resident memory is read when it is idle, after the first
 * search of every tenant, and at rest, once all indexes lie on disk too and the heap was collected; all that twice. Then
 * the 100 tenants are searched under budgets that hold them all, or few. `--data FOLDER` keeps the filled databases for the
 * next run, `--only one`, `many` or `budgets` measures a part, `--write` updates docs/benchmarks.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { judgeMemory, type MemoryMoment, type MemoryReport, type MemoryRun, memoryText } from './memory-report.ts'
import { makeCorpus } from './search-corpus.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { memoryMb } from './support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const CASES = [
  { name: 'one', tenants: 1, entries: 100_000, kbMax: 3 },
  { name: 'many', tenants: 100, entries: 1_000, kbMax: 4 },
] as const
const [, MANY] = CASES
const BUDGETS_MB = [64, 128, 256, 512]
const PER_IMPORT = 500
const PATIENCE_MS = 10 * 60_000
/** The service is at rest once its memory has stayed the same for so long, while its heap was looked at. */
const REST_MS = 25_000
const REST_MB = 3

const { values } = parseArgs({
  options: { data: { type: 'string' }, only: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const corpus = makeCorpus(100_000, 100)
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'knowledge-bench-memory-'))
const rows: MemoryReport['rows'][number][] = []
const budgets: MemoryReport['budgets'][number][] = []
const isAsked = (part: string): boolean => (values.only ?? part) === part
try {
  for (const each of CASES)
    if (isAsked(each.name)) rows.push({ ...each, runs: [await measure(each), await measure(each)] })
  if (isAsked('budgets')) for (const each of BUDGETS_MB) budgets.push(await measureBudget(each))
} finally {
  if (values.data === undefined) rmSync(folder, { recursive: true })
}
const report: MemoryReport = { machine: machineFacts(), rows, budgets, requirements: judgeMemory(rows) }
console.log(memoryText(report))
if (values.write) {
  saveReport('memory', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

async function measure(which: (typeof CASES)[number]): Promise<MemoryRun> {
  const dataDir = join(folder, which.name)
  const keys = await filled(dataDir, which)
  rmSync(join(dataDir, 'search-snapshots'), { recursive: true, force: true })
  const service = await startServiceProcess({ DATA_DIR: dataDir })
  try {
    const idle = await restOf(service)
    for (const [i, key] of keys.entries()) await search(service, key, corpus.queries[i])
    const searched = await momentOf(service)
    const began = performance.now()
    while ((await metric(service, 'search_snapshots_total{event="saved"}')) < keys.length) {
      if (performance.now() - began > PATIENCE_MS) throw new Error('Not every index was written to disk')
      await sleep(1_000)
    }
    return { idle, searched, rest: await restOf(service) }
  } finally {
    await service.stop()
  }
}

/** Searches every tenant twice, so that those that made room come back. */
async function measureBudget(budgetMb: number): Promise<MemoryReport['budgets'][number]> {
  const dataDir = join(folder, MANY.name)
  const keys = await filled(dataDir, MANY)
  const service = await startServiceProcess({ DATA_DIR: dataDir, SEARCH_MEMORY_MB: String(budgetMb) })
  try {
    for (const [i, key] of [...keys, ...keys].entries()) await search(service, key, corpus.queries[i % keys.length])
    const searched = await momentOf(service)
    const rest = await restOf(service)
    return { budgetMb, indexes: await metric(service, 'search_index_indexes'), searched, rest }
  } finally {
    await service.stop()
  }
}

/** Fills a data directory unless it is filled. @returns a key for each tenant */
async function filled(dataDir: string, { tenants, entries }: (typeof CASES)[number]): Promise<string[]> {
  const keyFile = join(dataDir, 'bench-keys.json')
  if (existsSync(keyFile)) return JSON.parse(readFileSync(keyFile, 'utf8')) as string[]
  const service = await startServiceProcess({ DATA_DIR: dataDir, SEARCH_SNAPSHOT_MB: '0' })
  try {
    const keys: string[] = []
    for (let i = 0; i < tenants; i++) {
      const { key } = await service.tenant(`bench-${i}`)
      keys.push(key)
      const api = new ApiClient(service.url, key)
      const category = await api.category('General')
      for (let from = i * entries; from < (i + 1) * entries; from += PER_IMPORT) {
        const lines = corpus.entries.slice(from, from + PER_IMPORT)
        await api.importEntries(lines.map((entry) => ({ ...entry, category: undefined, category_id: category })))
      }
      await api.embedded()
      await api.close()
    }
    writeFileSync(keyFile, JSON.stringify(keys))
    return keys
  } finally {
    await service.stop()
  }
}

async function search(service: ServiceProcess, key: string, query: string): Promise<void> {
  const api = new ApiClient(service.url, key)
  await api.call('POST', '/knowledge-entries/search', { query, mode: 'hybrid' })
  await api.close()
}

/** The service's memory once it does not change any more (`platform/threads/heap-release.ts` looks every ten seconds). */
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
  return { ownMb: own, residentMb: now, indexMb: (await metric(service, 'search_index_bytes')) / 2 ** 20 }
}

/** A figure of the service's metrics. @param name with its labels */
async function metric({ url }: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`There is no metric ${name}`)
  return Number(line.slice(name.length))
}
