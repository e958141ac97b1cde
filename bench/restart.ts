/**
 * Measures the first search after a restart, with snapshots of search indexes and without: one service with the
 * built-in model and one tenant of each size; that of size 0 shows what a first search takes in any case. The search
 * is sent as soon as the service says that it is ready. Exits with 1 if it takes too long or answers otherwise.
 * `--sizes 1000,20000` chooses sizes, `--rounds 3` how often each is tried, `--write` updates docs/benchmarks.md.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { judgeRestarts, type RestartFigures, type RestartReport, type Restarts, restartText } from './restart-report.ts'
import { makeCorpus } from './search-corpus.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { cpuSeconds, memoryMb } from './support/process-figures.ts'
import { startServiceProcess } from './support/service-process.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '0,1000,20000,100000' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})
const KEY = `ks_${'r'.repeat(40)}`
const PER_IMPORT = 500
const SEARCH = '/knowledge-entries/search'
const PATIENCE_MS = 10 * 60_000

const sizes = values.sizes.split(',').map(Number)
const corpus = makeCorpus(Math.max(...sizes), 1)
const body = { query: corpus.queries[0], mode: 'hybrid' }
const rows: RestartReport['rows'][number][] = []
for (const size of sizes) rows.push(await measureSize(size))
const report: RestartReport = { machine: machineFacts(), rows, requirements: judgeRestarts(rows) }
console.log(restartText(report))
if (values.write) {
  saveReport('restart', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

async function measureSize(size: number): Promise<RestartReport['rows'][number]> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-restart-'))
  try {
    await fill(folder, size)
    const runs: { database: RestartFigures[]; snapshot: RestartFigures[] } = { database: [], snapshot: [] }
    const answers = new Set<string>()
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const from of size === 0 ? (['database'] as const) : (['database', 'snapshot'] as const)) {
        const { figures, answer } = await restart(folder, from)
        runs[from].push(figures)
        answers.add(answer)
      }
    }
    const database = median(runs.database)
    const snapshot = size === 0 ? null : median(runs.snapshot)
    return { size, snapshotMb: snapshotBytes(folder) / 2 ** 20, database, snapshot, areSame: answers.size === 1 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Imports entries, and waits until their index lies on disk. */
async function fill(folder: string, size: number): Promise<void> {
  const service = await startServiceProcess({ DATA_DIR: folder, BOOTSTRAP_API_KEY: KEY })
  try {
    const api = new ApiClient(service.url, KEY)
    const category = await api.category('General')
    for (let from = 0; from < size; from += PER_IMPORT) {
      const entries = corpus.entries.slice(from, Math.min(size, from + PER_IMPORT))
      await api.importEntries(entries.map((entry) => ({ ...entry, category: undefined, category_id: category })))
    }
    await api.embedded()
    await api.call('POST', SEARCH, body)
    await api.close()
    if (size === 0) return
    const began = performance.now()
    while (snapshotBytes(folder) === 0) {
      if (performance.now() - began > PATIENCE_MS) throw new Error('No snapshot was written')
      await sleep(100)
    }
  } finally {
    await service.stop()
  }
}

async function restart(
  folder: string,
  from: 'database' | 'snapshot',
): Promise<{ figures: RestartFigures; answer: string }> {
  const settings: Record<string, string> = from === 'database' ? { SEARCH_SNAPSHOT_MB: '0' } : {}
  const service = await startServiceProcess({ DATA_DIR: folder, BOOTSTRAP_API_KEY: KEY, ...settings })
  try {
    const api = new ApiClient(service.url, KEY)
    const cpuBefore = cpuSeconds(service.pid)
    const began = performance.now()
    const answer = JSON.stringify(await api.call('POST', SEARCH, body))
    const searchMs = performance.now() - began
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    const seconds = new RegExp(`^search_index_build_seconds_total\\{from="${from}"\\} (.*)$`, 'm').exec(metrics)
    const indexMs = Number(seconds?.[1]) * 1_000
    const figures = {
      searchMs,
      indexMs,
      cpuS: cpuSeconds(service.pid) - cpuBefore,
      memoryMb: memoryMb(service.pid).own,
    }
    await api.close()
    return { figures, answer }
  } finally {
    await service.stop()
  }
}

function snapshotBytes(folder: string): number {
  const snapshots = join(folder, 'search-snapshots')
  const names = existsSync(snapshots) ? readdirSync(snapshots) : []
  return names
    .filter((name) => name.endsWith('.snapshot'))
    .reduce((sum, name) => sum + statSync(join(snapshots, name)).size, 0)
}

function median(runs: readonly RestartFigures[]): Restarts {
  const sorted = runs.toSorted((a, b) => a.searchMs - b.searchMs)
  const middle = sorted[Math.floor(runs.length / 2)]
  return { ...middle, shortestMs: sorted[0].searchMs, longestMs: sorted[runs.length - 1].searchMs }
}
