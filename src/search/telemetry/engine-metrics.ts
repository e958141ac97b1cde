import { Counter, Gauge, type Registry } from 'prom-client'
import { publishGauge } from '../../platform/telemetry/gauges.ts'
import type { EngineStatus, RefusalReason, SearchEngine } from '../engine.ts'
import type { IndexEvent } from '../memory/index/index-event.ts'
import type { StatusNumber } from '../status-sum.ts'
import type { PassingOutcome } from '../passing/passing-engine.ts'

const REASONS: readonly RefusalReason[] = ['tenant', 'crowded', 'ended']

const GAUGES: Readonly<Record<Exclude<StatusNumber, 'behindMs'>, string>> = {
  indexes: 'Search indexes in memory',
  documents: 'Documents in the search indexes',
  passages: 'Passages with vectors in the search indexes',
  unreadable: 'Documents that are damaged and not found, or found by words alone since their vectors have a wrong size',
  documentsBehind: 'Documents whose latest text has not reached their search index',
  behind: 'Search indexes that lack some change',
  building: 'Search indexes that are being built, or read from disk',
  builtPercent: 'Percent that is done of the build of which least is done, 100 where no search index is being built',
  leftOut: 'Documents that search leaves out, since the memory of their tenant is full',
  refused: 'Search indexes that are not built for a while because they had no room',
  bytes: 'Bytes that the search indexes use',
  fileBytes: 'Bytes of search indexes that lie in files, since memory is short',
  pagedOut: 'Search indexes that are paged out to files, and come back to memory with their next search',
  bytesMax: 'Bytes that the search indexes may use',
}

/** Fields that count search replicas in PostgreSQL too. */
const OF_ALL_ENGINES: ReadonlySet<string> = new Set(['documentsBehind', 'behind', 'building', 'builtPercent'])

type Status = () => Promise<EngineStatus>

/**
 * Publishes the sizes of the search indexes in memory, and how far all indexes are behind, which the engines tell at
 * each reading of the metrics.
 */
export function watchEngine(
  registry: Registry,
  memory: Pick<SearchEngine, 'status'>,
  all: Pick<SearchEngine, 'status'>,
): void {
  const ofMemory = sharing(() => memory.status())
  // Where PostgreSQL does not answer, memory alone is counted.
  const ofAll = sharing(() => all.status().catch(() => memory.status()))
  for (const [field, help] of Object.entries(GAUGES)) {
    const name = `search_index_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    const read = OF_ALL_ENGINES.has(field) ? ofAll : ofMemory
    // oxlint-disable-next-line no-new -- registers itself
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const status = await read().catch(() => null)
        if (status !== null) this.set(status[field as StatusNumber])
      },
    })
  }
  const help = 'Seconds for which the oldest change has waited that a search index lacks, 0 where none waits'
  publishGauge(registry, { name: 'search_index_behind_seconds', help }, async () => [
    { value: (await ofAll()).behindMs / 1_000 },
  ])
}

/** Returns a function whose callers share a call that is under way, since all metrics are read at the same time. */
function sharing(read: Status): Status {
  let running: Promise<EngineStatus> | null = null
  return () =>
    (running ??= read().finally(() => {
      running = null
    }))
}

/** Registers a counter of answers without the latest texts. @returns a function to call once for each */
export function countAnswersBehind(registry: Registry): () => void {
  const answers = new Counter({
    name: 'search_behind_total',
    help: 'Searches that this process answered without the latest texts, since its index lacked them',
    registers: [registry],
  })
  return () => answers.inc()
}

/** Registers a counter of refused indexes. @returns a function to call once for each refusal, not for each search */
export function countRefusals(registry: Registry): (reason: RefusalReason) => void {
  const refusals = new Counter({
    name: 'search_index_refusals_total',
    help:
      'Search indexes given up because the tenant would exceed its memory (tenant), no memory was left that others ' +
      'could free (crowded), or the search thread ended while it built the index (ended)',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  for (const reason of REASONS) refusals.inc({ reason }, 0)
  return (reason) => refusals.inc({ reason })
}

/** Registers a counter of searches that were passed on to a process that holds the tenant. */
export function countPassedSearches(registry: Registry): (outcome: PassingOutcome) => void {
  const searches = new Counter({
    name: 'search_passed_total',
    help: 'Searches passed on to another process, which answered, or failed to, so that they were answered here',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  for (const outcome of ['answered', 'failed']) searches.inc({ outcome }, 0)
  return (outcome) => searches.inc({ outcome })
}

/** Registers counters of how indexes come into memory and leave it, and of their snapshots. */
export function countIndexEvents(registry: Registry): (event: IndexEvent) => void {
  const registers = [registry]
  const labelNames = ['from'] as const
  const builds = new Counter({
    name: 'search_index_builds_total',
    help: 'Search indexes brought into memory, built from the database or read from a snapshot',
    labelNames,
    registers,
  })
  const seconds = new Counter({
    name: 'search_index_build_seconds_total',
    help: 'Seconds that this took, from the first search that waited',
    labelNames,
    registers,
  })
  const evictions = new Counter({
    name: 'search_index_evictions_total',
    help: 'Search indexes dropped because another needed their memory',
    registers,
  })
  const tight = new Counter({
    name: 'search_tenants_tight_total',
    help: 'How often the search indexes of a tenant came to take nine tenths of what they may',
    registers,
  })
  const snapshots = new Counter({
    name: 'search_snapshots_total',
    help:
      'Snapshots of search indexes written (saved), deleted as stale or damaged (discarded), or damaged or not to be ' +
      'written or read (failed)',
    labelNames: ['event'] as const,
    registers,
  })
  for (const from of ['database', 'snapshot']) {
    builds.inc({ from }, 0)
    seconds.inc({ from }, 0)
  }
  for (const event of ['saved', 'discarded', 'failed']) snapshots.inc({ event }, 0)
  return (event) => {
    if (event.kind === 'evicted') evictions.inc()
    else if (event.kind === 'tight') tight.inc()
    else if (event.kind === 'built') {
      builds.inc({ from: event.from })
      seconds.inc({ from: event.from }, event.ms / 1_000)
    } else if (event.kind !== 'rebuilding') snapshots.inc({ event: event.kind })
  }
}
