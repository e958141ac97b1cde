/**
 * Searches replicas in PostgreSQL, after it has brought each up to the watermark of the search. While a replica is
 * being built, its searches fail with `IndexBuilding`. Searches of a tenant that has another engine by its settings use
 * a replica that exists, and build none.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database } from '../../platform/database/database.ts'
import { workFor } from '../../platform/hidden-parameters.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import {
  type EngineStatus,
  EngineUnavailable,
  IndexBuilding,
  type IndexChange,
  type IndexSource,
  type IndexVersion,
  type SearchAnswer,
  type SearchRequest,
} from '../engine.ts'
import { Arena } from '../memory/columns/arena.ts'
import { type PreparedDocument, preparing } from '../indexing/prepared-document.ts'
import { languageAnalyser, type TextAnalyser } from '../indexing/text-analyser.ts'
import { createVectorMemory } from '../memory/columns/vector-column.ts'
import { loadKernel } from '../memory/columns/vector-kernel.ts'
import { beginSearch } from './candidates-store.ts'
import { nearestPassages } from './choose-candidates.ts'
import { type Ranking, searchReplica } from './replica-search.ts'
import { adoptVectors } from './passages-store.ts'
import {
  applyChanges,
  countReplicas,
  createReplica,
  dropReplicas,
  dropReplicaWithMark,
  findReadyModel,
  findState,
  finishBuild,
  prepareSchema,
  type ReplicaChange,
  type ReplicaState,
} from './replica-store.ts'
import { tablesOf } from './tables-store.ts'
import { TotalsMemory } from './totals-memory.ts'

export interface ReplicaHostOptions {
  readonly analyser?: TextAnalyser
  /** Milliseconds that a search may look for words that are not in its query; by default two seconds. */
  readonly expansionMaxMs?: number
  /** Most findable documents that are all ranked. */
  readonly exactMax?: number
  /** Milliseconds that a search waits for a replica that is being built; by default until it is built. */
  readonly buildWaitMs?: number
  /** Milliseconds that a search waits for a replica that only reads the latest changes; by default until it has. */
  readonly catchUpWaitMs?: number
}

/** Milliseconds between two attempts to change a replica that another process changes. */
const BUSY_MS = 20
/** Milliseconds in which others may change the replica between two steps of adopting vectors. */
const ADOPT_PAUSE_MS = 2 * BUSY_MS
/** Longest time after which a client is asked to try again. */
const RETRY_MAX_MS = 60_000

type Waits = Required<Pick<ReplicaHostOptions, 'buildWaitMs' | 'catchUpWaitMs'>>

/** The progress of a build in this process. */
interface Building {
  /** Share that is done, from 0 to 1. */
  done: number
  /** Share that was done when this process began. */
  readonly from: number
  /** When this process began. */
  readonly began: number
}

/** Largest share of a build that counts as done before its indexes are made, which takes an unknown time. */
const NEARLY_DONE = 0.99
/** PostgreSQL's codes for a missing table and a missing schema. */
const MISSING_CODES: ReadonlySet<unknown> = new Set(['42P01', '3F000'])

export class ReplicaHost {
  readonly #database: Database
  readonly #sources: ReadonlyMap<string, IndexSource>
  readonly #ranking: Ranking
  readonly #options: ReplicaHostOptions
  /** By replica, the run of catching up that this process has begun. */
  readonly #catchUps = new Map<string, Promise<void>>()
  /** By replica, the run that adopts vectors. */
  readonly #adoptions = new Map<string, Promise<void>>()
  readonly #buildings = new Map<string, Building>()
  readonly #totals = new TotalsMemory()
  /** Replicas whose mark this process has found in the history of their source. */
  readonly #checked = new Set<string>()
  #prepared: Promise<void> | null = null

  constructor(database: Database, sources: readonly IndexSource[], options: ReplicaHostOptions = {}) {
    const arena = new Arena()
    this.#database = database
    this.#sources = new Map(sources.map((source) => [source.definition.name, source]))
    const memory = createVectorMemory(arena, loadKernel(arena.memory))
    const { analyser = languageAnalyser, expansionMaxMs } = options
    this.#ranking = { memory, analyser, expansionMaxMs }
    this.#options = options
  }

  /** Answers a search. @throws IndexBuilding, EngineUnavailable, RangeError */
  search(request: SearchRequest): Promise<SearchAnswer> {
    return workFor(request.version.tenantId, () => this.#search(request)).catch((cause: unknown) => {
      if (MISSING_CODES.has((cause as { code?: unknown }).code)) this.#forgetAll()
      throw isEngineError(cause) ? cause : unavailableFor(cause)
    })
  }

  /**
   * Brings a replica up to its watermark, however long that takes.
   * @throws IndexBuilding where the replica has to be built and the tenant has the engine in memory
   */
  async warm(version: IndexVersion): Promise<void> {
    await workFor(version.tenantId, async () => {
      const waits = { buildWaitMs: Infinity, catchUpWaitMs: Infinity }
      const { isAdopting } = await this.#reach(version, waits, version.engine !== 'memory')
      if (isAdopting) await this.#startAdopting(version)
    })
  }

  /** Returns what the replicas hold, and which of them this process builds. How far others are behind is not known. */
  async status(tenantId: string | null = null): Promise<EngineStatus> {
    await this.#prepare()
    const { names, ...counted } = await countReplicas(this.#database.queries, tenantId)
    const builds = names.flatMap((name) => this.#buildings.get(name) ?? [])
    return {
      ...counted,
      documentsBehind: 0,
      behind: 0,
      behindMs: 0,
      building: builds.length,
      builtPercent: Math.min(100, ...builds.map(({ done }) => Math.floor(done * 100))),
      refused: 0,
      bytes: 0,
      fileBytes: 0,
      pagedOut: 0,
      bytesMax: 0,
    }
  }

  async #search(request: SearchRequest): Promise<SearchAnswer> {
    try {
      return await this.#searchBuilt(request, request.version.engine === 'pgvector')
    } catch (error) {
      if (!(error instanceof IndexBuilding)) throw error
      return this.#searchFormer(request, error)
    }
  }

  /**
   * Searches by words in the replica of the former model, while the replica of a new model is being built.
   * @throws `building` when there is no former replica
   */
  async #searchFormer(request: SearchRequest, building: IndexBuilding): Promise<SearchAnswer> {
    const model = await findReadyModel(this.#database.queries, request.version)
    if (model === undefined) throw building
    const version = { ...request.version, model }
    const mode = request.mode === 'semantic' ? 'keyword' : request.mode
    const answer = await this.#searchBuilt({ ...request, version, mode, vector: null, minSimilarity: null }, false)
    return { ...answer, isExact: false }
  }

  /** Searches the replica of the request's version. @param mayBuild whether to build a missing replica */
  async #searchBuilt(request: SearchRequest, mayBuild: boolean): Promise<SearchAnswer> {
    const { version } = request
    const started = performance.now()
    const { buildWaitMs = Infinity, catchUpWaitMs = Infinity } = this.#options
    const { isAdopting } = await this.#reach(version, { buildWaitMs, catchUpWaitMs }, mayBuild)
    if (isAdopting) void this.#startAdopting(version)
    const caughtUp = performance.now()
    const { definition } = this.#sources.get(version.index)!
    const tables = tablesOf(version)
    const answer = await this.#reading(nearestPassages(request), async (queries) => {
      // Other processes may have changed the replica meanwhile, also the dimensions of its vectors.
      const state = await findState(queries, version)
      if (state === null || !state.isReady) throw this.#buildingError(version, state)
      const { dimensions, reached } = state
      if (reached < version.watermark) throw new EngineUnavailable('the replica was built anew by another process')
      return searchReplica(
        { queries, definition, tables, dimensions },
        request,
        this.#ranking,
        ({ shape, bounds }, make) => this.#totals.get(`${tables.name} ${shape}`, bounds, reached, make),
        this.#options.exactMax,
      )
    })
    return { ...answer, timing: { refresh: caughtUp - started, search: performance.now() - caughtUp } }
  }

  /** Does the work of a search in a transaction, so that all statements see the same documents. */
  async #reading<T>(nearest: number, work: (queries: Database['queries']) => Promise<T>): Promise<T> {
    const { queries } = this.#database
    return queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await beginSearch(tx, nearest)
        return work(tx)
      })
  }

  /**
   * Brings a replica up to a watermark.
   * @throws IndexBuilding when the replica is not built in time; EngineUnavailable when it has not read the latest
   *   changes in time
   */
  async #reach(version: IndexVersion, waits: Waits, mayBuild = true): Promise<ReplicaState> {
    if (!this.#sources.has(version.index)) throw new RangeError(`no index is called ${version.index}`)
    await this.#prepare()
    for (const began = performance.now(); ;) {
      const state = await this.#stateOf(version)
      if (state?.isReady && state.reached >= version.watermark) return state
      const isBuilding = state === null || !state.isReady
      if (isBuilding && !mayBuild) throw this.#buildingError(version, state)
      const ended = this.#startCatchUp(version, mayBuild)
      const leftMs = (isBuilding ? waits.buildWaitMs : waits.catchUpWaitMs) - (performance.now() - began)
      if (leftMs === Infinity) await ended
      else if (leftMs > 0) await Promise.race([ended, sleep(leftMs, undefined, { ref: false })])
      else if (isBuilding) throw this.#buildingError(version, state)
      else throw new EngineUnavailable('the replica still reads what was written last')
    }
  }

  /**
   * Returns the error of a search whose replica is being built.
   * @param state of the replica, of which another process may be the builder
   */
  #buildingError(version: IndexVersion, state: ReplicaState | null): IndexBuilding {
    const building = this.#buildings.get(tablesOf(version).name)
    const { done, from, began } = building ?? buildingFrom(state?.reached ?? 0, version.watermark)
    const isPaceKnown = done > from && done < NEARLY_DONE
    const leftMs = isPaceKnown ? ((performance.now() - began) / (done - from)) * (1 - done) : RETRY_MAX_MS
    return new IndexBuilding(Math.floor(done * 100), Math.min(RETRY_MAX_MS, leftMs))
  }

  /** Forgets all replicas, because the schema was dropped. The next search makes the schema again. */
  #forgetAll(): void {
    this.#prepared = null
    this.#checked.clear()
    this.#totals.forget()
  }

  /** Returns the state of a replica. Drops a replica whose mark is not in the history of its source. */
  async #stateOf(version: IndexVersion): Promise<ReplicaState | null> {
    const state = await findState(this.#database.queries, version)
    const key = tablesOf(version).name
    if (state === null || state.mark === null || this.#checked.has(key)) return state
    const { history } = this.#sources.get(version.index)!
    if (history === undefined || (await history.follows(version.tenantId, state.mark))) {
      this.#checked.add(key)
      return state
    }
    this.#totals.forget()
    await dropReplicaWithMark(this.#database, version, state.mark)
    return this.#stateOf(version)
  }

  /** Starts to catch a replica up, unless that runs. @returns the run. @throws EngineUnavailable */
  #startCatchUp(version: IndexVersion, mayBuild: boolean): Promise<void> {
    const key = tablesOf(version).name
    const running = this.#catchUps.get(key)
    if (running !== undefined) return running
    const ended = this.#catchUp(version, mayBuild)
      .catch((cause: unknown) => {
        throw new EngineUnavailable(`the search replica cannot be brought up to date: ${messageOf(cause)}`, { cause })
      })
      .finally(() => {
        this.#catchUps.delete(key)
        this.#buildings.delete(key)
      })
    this.#catchUps.set(key, ended)
    // Where no search waits any more, a failure is dropped, and the next search meets it again.
    ended.catch(() => undefined)
    return ended
  }

  /**
   * Starts to adopt the vectors that waited until no document had vectors of the former dimensions, unless that runs.
   * Searches go on meanwhile. After a failure, the next search starts again.
   */
  #startAdopting(version: IndexVersion): Promise<void> {
    const key = tablesOf(version).name
    const running = this.#adoptions.get(key)
    if (running !== undefined) return running
    const adopt = async (): Promise<void> => {
      while (await adoptVectors(this.#database, version)) await sleep(ADOPT_PAUSE_MS, undefined, { ref: false })
    }
    const ended = adopt().finally(() => this.#adoptions.delete(key))
    this.#adoptions.set(key, ended)
    ended.catch(() => undefined)
    return ended
  }

  /**
   * Applies all changes up to the watermark, and builds a missing replica. Ends early where another process changes it.
   */
  async #catchUp(version: IndexVersion, mayBuild: boolean): Promise<void> {
    const source = this.#sources.get(version.index)!
    const { definition } = source
    let state = await this.#stateOf(version)
    if (state === null) {
      if (!mayBuild) return
      await createReplica(this.#database, definition, version)
      state = (await findState(this.#database.queries, version))!
    }
    let from = state.reached
    const target = Math.max(version.watermark, from)
    if (!state.isReady) this.#buildings.set(tablesOf(version).name, buildingFrom(from, target))
    const markOf = async (last: number) => (await source.history?.mark(version.tenantId, last)) ?? null
    let mark: string | null = null
    for await (const batch of source.changes(version, from)) {
      const last = batch.at(-1)?.seq ?? 0
      // The source may have more changes with the last number, and beyond the target it may not have listed all of
      // them.
      const to = Math.max(from, Math.min(target, last - 1))
      const changes = await this.#analysed(definition, batch, version.tenantId)
      mark = await markOf(last)
      if (!(await applyChanges(this.#database, definition, version, changes, { from, to, mark }))) return sleep(BUSY_MS)
      from = to
      const building = this.#buildings.get(tablesOf(version).name)
      if (building !== undefined && target > 0) building.done = Math.min(NEARLY_DONE, last / target)
    }
    if (from < target) {
      mark ??= await markOf(target)
      const step = { from, to: target, mark }
      if (!(await applyChanges(this.#database, definition, version, [], step))) return sleep(BUSY_MS)
    }
    if (state.isReady) return
    if (!(await finishBuild(this.#database, version, target))) return sleep(BUSY_MS)
    this.#checked.add(tablesOf(version).name)
    await dropReplicas(this.#database, version.tenantId, version)
  }

  /** Analyses the documents of a batch. */
  async #analysed(
    definition: IndexSource['definition'],
    batch: readonly IndexChange[],
    tenantId: string,
  ): Promise<ReplicaChange[]> {
    const changes: ReplicaChange[] = []
    for (const change of batch) {
      if ('put' in change) {
        let put: PreparedDocument | undefined
        const steps = preparing(definition, change.put, this.#ranking.analyser)
        while (put === undefined) {
          const step = steps.next()
          if (step.done) put = step.value
          else await threadSlices.pause(tenantId)
        }
        changes.push({ seq: change.seq, put })
      } else {
        const isUnreadable = 'unreadable' in change
        changes.push({ seq: change.seq, remove: isUnreadable ? change.unreadable : change.remove, isUnreadable })
      }
    }
    return changes
  }

  #prepare(): Promise<void> {
    this.#prepared ??= prepareSchema(this.#database).catch((error: unknown) => {
      this.#prepared = null
      throw error
    })
    return this.#prepared
  }
}

function buildingFrom(reached: number, target: number): Building {
  const done = target === 0 ? 0 : Math.min(NEARLY_DONE, reached / target)
  return { done, from: done, began: performance.now() }
}

/** Tells whether the callers of an engine know an error. */
function isEngineError(error: unknown): boolean {
  return error instanceof EngineUnavailable || error instanceof IndexBuilding || error instanceof RangeError
}

/** Returns the error of a search for a failure of the database: it is away, too slow, or has lost pgvector. */
function unavailableFor(cause: unknown): EngineUnavailable {
  return new EngineUnavailable(`the search replica cannot be searched: ${messageOf(cause)}`, { cause })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
