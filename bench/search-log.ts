/**
 * Measures what the search log costs: a million searches of 90 days with their clicks in SQLite, counted for analytics
 * and learned from; and what recording a search costs the main thread. `--searches N` takes another number. `--write`
 * updates docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MessageChannel } from 'node:worker_threads'
import type { Caller } from '../src/platform/access/caller.ts'
import { analyse } from '../src/insights/analytics/analytics.ts'
import { learnTenant } from '../src/insights/learning/learn.ts'
import { SearchLog } from '../src/insights/search-log/search-log.ts'
import type { QueuedSearch } from '../src/insights/search-log/queued.ts'
import { writeBatch } from '../src/insights/search-log/store.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createTenant } from '../src/composition/new-tenant.ts'
import { DEFAULT_SETTINGS } from '../src/identity/tenants/settings.ts'
import { type SearchLogReport, searchLogText } from './search-log-report.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { memoryMb } from './support/process-figures.ts'
import { DAY_MS, TENANT, visitsFrom } from './support/visits.ts'

const BATCH_SEARCHES = 2_000
const HANDED = 500
const RECORDED = 20_000

const { values } = parseArgs({ options: { searches: { type: 'string' }, write: { type: 'boolean' } } })
const searches = Number(values.searches ?? 1_000_000)
const now = Date.now()

const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-bench-'))
const database = openDatabase({ dataDir, databaseUrl: null })
let report: SearchLogReport
try {
  await migrate(database)
  await createTenant(database, { id: TENANT, name: TENANT, host: null })
  await database.queries.updateTable('tenants').set({ settings: '{"clickLearning":true}' }).execute()
  report = await measure(database)
} finally {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(searchLogText(report))
if (values.write === true) {
  saveReport('search-log', report)
  writeDocument()
}

async function measure(db: Database): Promise<SearchLogReport> {
  const { clicks, queries } = await fill(db)
  const ranges = []
  for (const days of [1, 30, 90]) {
    const range = { from: now - days * DAY_MS, to: now, siteId: null, section: null, limit: 10 }
    const { result, cpuSeconds } = await timed(() => analyse(db.queries, TENANT, range))
    ranges.push({ days, searches: result.total.searches, cpuSeconds })
  }
  const before = memoryMb(process.pid).peak
  const learnt = await timed(() => learnTenant(db, TENANT, { now }))
  return {
    machine: machineFacts(),
    searches,
    clicks,
    queries,
    ranges,
    learning: {
      queries: learnt.result,
      cpuSeconds: learnt.cpuSeconds,
      peakGrowthMb: memoryMb(process.pid).peak - before,
    },
    ...remembering(),
    handed: HANDED,
  }
}

async function fill(db: Database): Promise<{ clicks: number; queries: number }> {
  const visits = visitsFrom(now - 90 * DAY_MS, now, searches)
  const keys = new Set<string>()
  let clicks = 0
  for (let at = 0; at < searches; at += BATCH_SEARCHES) {
    const batch = Array.from({ length: Math.min(BATCH_SEARCHES, searches - at) }, () => visits.next())
    const clicked = batch.flatMap(({ click }) => click ?? [])
    await writeBatch(db, { searches: batch.map(({ search }) => search), clicks: clicked })
    for (const { search } of batch) keys.add(search.query_key!)
    clicks += clicked.length
  }
  return { clicks, queries: keys.size }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; cpuSeconds: number }> {
  const started = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(started)
  return { result, cpuSeconds: (user + system) / 1_000_000 }
}

/** What a search costs the main thread: making its row, and handing rows to the log's thread. */
function remembering(): { recordMicroseconds: number; handingMs: number } {
  const rows: QueuedSearch[] = []
  const counter = { answered: () => undefined, written: () => undefined, dropped: () => undefined }
  const log = new SearchLog({ search: (row) => void rows.push(row), click: () => undefined }, counter)
  const caller = {
    tenant: { id: TENANT, settings: DEFAULT_SETTINGS },
    userId: null,
    audit: { clientId: null },
  } as Caller
  const visits = visitsFrom(now - DAY_MS, now, RECORDED)
  const answered = Array.from({ length: RECORDED }, () => {
    const { search } = visits.next()
    const shown = JSON.parse(search.shown) as string[]
    const section = 'products' as const
    const { mode, hits, duration_ms: durationMs } = search
    return {
      caller,
      section,
      siteId: null,
      mode,
      query: search.query!,
      offset: 0,
      hits,
      shown,
      durationMs,
      degraded: false,
    }
  })
  const recording = process.cpuUsage()
  for (const each of answered) log.record(each)
  const recorded = process.cpuUsage(recording)
  const { port1, port2 } = new MessageChannel()
  const handing = process.cpuUsage()
  for (let at = 0; at < RECORDED; at += HANDED) port1.postMessage({ searches: rows.slice(at, at + HANDED), clicks: [] })
  const handed = process.cpuUsage(handing)
  port1.close()
  port2.close()
  return {
    recordMicroseconds: (recorded.user + recorded.system) / RECORDED,
    handingMs: (handed.user + handed.system) / 1_000 / (RECORDED / HANDED),
  }
}
