import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../support/child.ts'
import { memoryMb } from '../support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import type { FromAbuser, ToAbuser } from './abuser-process.ts'
import type { NeighbourFigures, ToNeighbour } from './neighbour.ts'
import { GROWTH_MAX_MB, type ScenarioFigures } from './report.ts'
import type { Scenario, ScenarioGroup } from './scenario.ts'
import type { SilentResolver } from './silent-resolver.ts'
import { fillNeighbour, makeAbuser } from './tenants.ts'

export interface RunOptions {
  /** URL of an empty database; null for SQLite. */
  readonly databaseUrl: string | null
  readonly everyMs: number
  readonly aloneMs: number
  /** Milliseconds for which an open-ended load runs. */
  readonly leastMs: number
  readonly isQuick: boolean
  readonly resolver: SilentResolver | null
  readonly nodeFlags: readonly string[]
  readonly say: (text: string) => void
}

/** Seconds after which an abuse without its own limit ends. */
const MOST_SECONDS = 20
const RECOVERY_MS = 30_000
const SAMPLE_MS = 100
/** Milliseconds between two readings of the metrics; they are rare, because a reading takes time of the service. */
const ASK_EVERY_MS = 1_000
/**
 * Niceness of the abuser. A real abuser has its own machine; this one gives way if the service wants the same
 * processor.
 */
const ABUSER_NICENESS = 10
/** Milliseconds for the first requests of each connection and all that they warm up. */
const WARM_UP_MS = 1_000
const BYTES_PER_MB = 1_024 * 1_024

/** A service, its working neighbour, and the abuser with its data stored. */
interface Stage {
  readonly service: ServiceProcess
  readonly abuser: Child<ToAbuser, FromAbuser>
  readonly neighbour: Child<ToNeighbour, NeighbourFigures>
  readonly alone: NeighbourFigures
  close(): Promise<void>
}

/**
 * Runs the scenarios of a group on one service process. If the process ends, a new one with an empty database replaces
 * it.
 * @param newDatabase returns the URL of an empty database; null for SQLite
 * @throws Error when the abuser cannot store its data in advance
 */
export async function runGroup(
  group: ScenarioGroup,
  scenarios: readonly Scenario[],
  options: Omit<RunOptions, 'databaseUrl'>,
  newDatabase: () => Promise<string | null>,
  done: (figures: ScenarioFigures, seconds: number) => void,
): Promise<void> {
  let stage: Stage | null = null
  try {
    for (const scenario of scenarios) {
      stage ??= await openStage(group, { ...options, databaseUrl: await newDatabase() })
      const { figures, seconds } = await runScenario(stage, scenario, options)
      done(figures, seconds)
      if (figures.isAlive) continue
      await stage.close()
      stage = null
    }
  } finally {
    await stage?.close()
  }
}

async function openStage(group: ScenarioGroup, options: RunOptions): Promise<Stage> {
  const { databaseUrl, resolver, say, nodeFlags } = options
  const open: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const each of open.splice(0).reverse()) await each()
  }
  try {
    // The service logs its own problems only. Thousands of lines about faults of its clients would hide them.
    const settings = {
      LOG_LEVEL: 'error',
      ...group.settings,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    }
    const wrapper = group.hasSilentResolver === true ? (resolver?.wrapper ?? []) : []
    const service = await startServiceProcess(settings, nodeFlags, wrapper)
    open.push(() => service.stop())
    const { key } = await service.tenant('neighbour')
    const { ids, queries } = await fillNeighbour(service.url, key)
    const place = { dataDir: service.dataDir, databaseUrl }
    const keys = await makeAbuser(place, 'abuser', group.tenantSettings ?? {})
    const abuser = new Child<ToAbuser, FromAbuser>(new URL('./abuser-process.ts', import.meta.url), ABUSER_NICENESS)
    open.push(() => abuser.close())
    const target = { url: service.url, tenant: 'abuser', ...keys, place, isQuick: options.isQuick }
    const began = performance.now()
    abuser.send({ kind: 'prepare', group: group.name, target })
    const prepared = await abuser.next()
    if (prepared.kind === 'failed') throw new Error(`${group.name}: ${prepared.message}`)
    say(`${group.name}: everything is stored, ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    const neighbour = new Child<ToNeighbour, NeighbourFigures>(new URL('./neighbour-process.ts', import.meta.url))
    open.push(() => neighbour.close())
    neighbour.send({ kind: 'start', url: service.url, key, ids, queries, everyMs: options.everyMs })
    await sleep(WARM_UP_MS)
    neighbour.send({ kind: 'phase' })
    await sleep(options.aloneMs)
    return { service, abuser, neighbour, alone: await reportOf(neighbour), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function runScenario(
  { service, abuser, neighbour, alone: { p50, p99, max } }: Stage,
  { name, what, mostSeconds = MOST_SECONDS }: Scenario,
  { leastMs }: Pick<RunOptions, 'leastMs'>,
): Promise<{ readonly figures: ScenarioFigures; readonly seconds: number }> {
  const beforeMb = memoryOf(service)
  const indexBefore = await indexMb(service)
  const highest = watchMemory(service)
  neighbour.send({ kind: 'phase' })
  abuser.send({ kind: 'abuse', scenario: name, leastMs, mostMs: mostSeconds * 1_000 })
  const abused = await abuser.next()
  const beside = await reportOf(neighbour)
  const peakMb = highest.stop()
  if (abused.kind !== 'abused') throw new Error(`${name}: ${abused.kind === 'failed' ? abused.message : abused.kind}`)
  const { statuses, failure, seconds } = abused
  const memory = { beforeMb, peakMb, ...(await recovered(service, beforeMb, indexBefore)) }
  const alone = { p50, p99, max }
  return { figures: { name, what, alone, beside, statuses, failure, isAlive: service.isAlive(), memory }, seconds }
}

function reportOf(neighbour: Stage['neighbour']): Promise<NeighbourFigures> {
  neighbour.send({ kind: 'report' })
  return neighbour.next()
}

/** Waits, while the neighbour goes on, until the service's memory is about as low as before. */
async function recovered(
  service: ServiceProcess,
  beforeMb: number,
  indexBeforeMb: number,
): Promise<Pick<ScenarioFigures['memory'], 'afterMb' | 'indexGrowthMb'>> {
  const began = performance.now()
  for (;;) {
    const indexGrowthMb = (await indexMb(service)) - indexBeforeMb
    const afterMb = memoryOf(service)
    const isBack = afterMb - beforeMb - Math.max(0, indexGrowthMb) <= GROWTH_MAX_MB
    if (isBack || performance.now() - began > RECOVERY_MS) return { afterMb, indexGrowthMb }
    await sleep(ASK_EVERY_MS)
  }
}

/** Records the highest resident memory. */
function watchMemory(service: ServiceProcess): { stop(): number } {
  let peak = 0
  const sample = (): void => {
    peak = Math.max(peak, memoryOf(service))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  sample()
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

/**
 * Returns the resident memory in megabytes without mapped files such as SQLite's database; 0 if the process has ended.
 */
function memoryOf(service: ServiceProcess): number {
  try {
    return memoryMb(service.pid).own || 0
  } catch {
    return 0
  }
}

/** Returns the megabytes of the search indexes, as the service reports; 0 if it cannot. */
async function indexMb(service: ServiceProcess): Promise<number> {
  try {
    const answer = await fetch(`${service.url}/metrics`, { signal: AbortSignal.timeout(5_000) })
    return Number(/^search_index_bytes (\S+)$/m.exec(await answer.text())?.[1] ?? 0) / BYTES_PER_MB
  } catch {
    return 0
  }
}
