/**
 * Searches replicas in PostgreSQL, after it has brought each up to the watermark of the search. While a replica is
 * being built, its searches fail with `IndexBuilding`. Searches of a tenant that has another engine by its settings use
 * a replica that exists, and build none.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TextsWanted } from '../../platform/access/caller.ts'
import { type Database } from '../../platform/database/database.ts'
import { workFor } from '../../platform/hidden-parameters.ts'
import {
  type EngineStatus,
  EngineUnavailable,
  IndexBehind,
  IndexBuilding,
  type IndexSource,
  type IndexVersion,
  type SearchAnswer,
  type SearchHit,
  type SearchRequest,
  SearchTimedOut,
  type TenantState,
} from '../engine.ts'
import { within } from '../../platform/within.ts'
import { languageAnalyser, type TextAnalyser } from '../indexing/text-analyser.ts'
import { areTooManyDue, isNamedMissing, RETRY_MS, textWaitMs } from '../indexing/text-wait.ts'
import { Arena } from '../memory/columns/arena.ts'
import { createVectorMemory } from '../memory/columns/vector-column.ts'
import { loadKernel } from '../memory/columns/vector-kernel.ts'
import { withoutPassage } from '../hits/without-passage.ts'
import { awaitedAmong, countAwaited } from './awaited-store.ts'
import { beginSearch } from './candidates-store.ts'
import { BUSY_MS, CatchUp } from './catch-up.ts'
import { nearestPassages } from './choose-candidates.ts'
import { withFollowLock } from './follow-lock-store.ts'
import { adoptVectors } from './passages-store.ts'
import { ReplicaLags } from './replica-lags.ts'
import { type Ranking, searchReplica } from './replica-search.ts'
import {
  type CountedReplica,
  countReplicas,
  dropReplicaWithMark,
  findReadyModel,
  prepareSchema,
} from './replica-store.ts'
import { findState, type ReplicaState } from './state-store.ts'
import { type ReplicaTables, tablesOf } from './tables-store.ts'
import { TotalsMemory } from './totals-memory.ts'

export interface ReplicaHostOptions {
  readonly analyser?: TextAnalyser
  /**
   * Reads the present state of tenants; unknown ids are absent. Without it, the status does not know how far replicas
   * are behind.
   */
  readonly statesOf?: (tenantIds: readonly string[]) => Promise<readonly TenantState[]>
  /** Called when texts of a tenant may be left that no search waits for. */
  readonly onTextsDue?: (tenantId: string) => void
  /** Milliseconds that a search may look for words that are not in its query; by default two seconds. */
  readonly expansionMaxMs?: number
  /** Most findable documents that are all ranked. */
  readonly exactMax?: number
  /** Milliseconds that a search waits for a replica that is being built; by default until it is built. */
  readonly buildWaitMs?: number
  /** Milliseconds that a search waits for a replica that reads the latest values; by default until it has them. */
  readonly catchUpWaitMs?: number
  /** Milliseconds that a search waits for the latest texts; by default until the replica has them. */
  readonly freshWaitMs?: number
}

/** Milliseconds that a search may take beyond its wait to learn how far its replica is. */
const LATE_MS = 1_000
/** Milliseconds that the statements of a search may take together. PostgreSQL gives up a single one after ten seconds. */
const READING_MAX_MS = 15_000
/** Milliseconds in which others may change the replica between two steps of adopting vectors. */
const ADOPT_PAUSE_MS = 2 * BUSY_MS
/** Milliseconds between two looks of a search that waits for texts, which another process may be reading. */
const LOOK_MS = 50
/** Milliseconds that reading, analysing and storing a text takes at least. */
const TEXT_MS = 2

/** Batches of texts of one turn of a tenant, so that other tenants and processes have theirs. */
const TURN_BATCHES = 5
/** Most turns for searches at the same time: each holds a connection for its lock beside those that it works with. */
const TURNS_MAX = 2

/** Milliseconds that searches wait. */
interface Waits {
  /** For a replica that is being built. */
  readonly buildMs: number
  /** For values, and for the text of a write that the request names. */
  readonly catchUpMs: number
  /** For the latest texts. */
  readonly freshMs: number
}

const FOREVER: Waits = { buildMs: Infinity, catchUpMs: Infinity, freshMs: Infinity }

/** PostgreSQL's codes for a missing table and a missing schema. */
const MISSING_CODES: ReadonlySet<unknown> = new Set(['42P01', '3F000'])

export class ReplicaHost {
  readonly #database: Database
  readonly #sources: ReadonlyMap<string, IndexSource>
  readonly #ranking: Ranking
  readonly #exactMax: number | undefined
  readonly #waits: Waits
  readonly #catchUp: CatchUp
  /** By replica, the reading of texts for searches that wait a moment. */
  readonly #turns = new Map<string, Promise<void>>()
  /** By replica, the run that adopts vectors. */
  readonly #adoptions = new Map<string, Promise<void>>()
  readonly #totals = new TotalsMemory()
  readonly #statesOf: NonNullable<ReplicaHostOptions['statesOf']>
  readonly #onTextsDue: NonNullable<ReplicaHostOptions['onTextsDue']>
  readonly #lags = new ReplicaLags()
  /** Replicas whose mark this process has found in the history of their source. */
  readonly #checked = new Set<string>()
  #prepared: Promise<void> | null = null

  constructor(database: Database, sources: readonly IndexSource[], options: ReplicaHostOptions = {}) {
    const arena = new Arena()
    this.#database = database
    this.#sources = new Map(sources.map((source) => [source.definition.name, source]))
    const memory = createVectorMemory(arena, loadKernel(arena.memory))
    const { analyser = languageAnalyser, expansionMaxMs, exactMax } = options
    const { statesOf = () => Promise.resolve([]), onTextsDue = () => undefined } = options
    this.#statesOf = statesOf
    this.#onTextsDue = onTextsDue
    this.#ranking = { memory, analyser, expansionMaxMs }
    this.#exactMax = exactMax
    const { buildWaitMs: buildMs, catchUpWaitMs: catchUpMs, freshWaitMs: freshMs } = options
    this.#waits = { buildMs: buildMs ?? Infinity, catchUpMs: catchUpMs ?? Infinity, freshMs: freshMs ?? Infinity }
    this.#catchUp = new CatchUp({
      database,
      sources: this.#sources,
      analyser,
      stateOf: (version) => this.#stateOf(version),
      onBuilt: (version) => void this.#checked.add(tablesOf(version).name),
    })
  }

  /** Answers a search. @throws IndexBuilding, IndexBehind, EngineUnavailable, RangeError */
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
      const { isAdopting } = await this.#reach(version, FOREVER, null, version.engine !== 'memory')
      if (isAdopting) await this.#startAdopting(version)
    })
  }

  /**
   * Reads all values and some texts up to a tenant's watermark into its whole replicas. Begins no replica, and does
   * nothing while another process, or a search, does the same for the tenant.
   * @returns whether the replicas have reached the watermark
   */
  async follow({ tenantId, model, watermark }: TenantState): Promise<boolean> {
    await this.#prepare()
    const work = async (): Promise<boolean> => {
      let isDone = true
      for (const index of this.#sources.keys()) {
        const version: IndexVersion = { tenantId, index, model, watermark, engine: 'pgvector' }
        if (!(await this.#followIndex(version))) isDone = false
      }
      return isDone
    }
    return (await withFollowLock(this.#database, tenantId, work)) ?? false
  }

  /** Returns whether the replica has reached its watermark, or there is no whole replica. */
  async #followIndex(version: IndexVersion): Promise<boolean> {
    const { watermark } = version
    const isDone = (state: ReplicaState | null): boolean =>
      state === null || !state.isReady || state.reached >= watermark
    let state = await this.#noteLag(version)
    if (state !== null && state.isReady && state.valuesReached < watermark) {
      await this.#catchUp.freshen(version)
      state = await this.#noteLag(version)
    }
    if (isDone(state)) return true
    // A run for a search that names a write reads all texts.
    if (this.#catchUp.isReadingTexts(version)) return false
    await this.#catchUp.readTexts(version, TURN_BATCHES)
    return isDone(await this.#noteLag(version))
  }

  /** Returns the state of a replica, and notes since when it is behind. */
  async #noteLag(version: IndexVersion): Promise<ReplicaState | null> {
    const state = await this.#stateOf(version)
    if (state !== null) this.#lags.note(tablesOf(version).name, state.reached, version.watermark)
    return state
  }

  /**
   * Returns what the replicas hold, which of them this process builds, and how far they are behind. A replica counts as
   * behind where its tenant searches it and it is whole or is being built here: no other one is brought up to date. Of
   * the documents that are behind, those are counted whose values have been read and whose texts wait, at most 10,000
   * of a replica. For how long changes have waited is counted from when this process first saw that they are missing.
   */
  async status(tenantId: string | null = null): Promise<EngineStatus> {
    await this.#prepare()
    const replicas = await countReplicas(this.#database.queries, tenantId)
    const behind = await this.#behindAmong(replicas)
    if (tenantId === null) this.#lags.keepOnly(replicas.map(({ name }) => name))
    const builds = replicas.flatMap(({ name }) => this.#catchUp.shareOf(name) ?? [])
    const sum = (of: (replica: CountedReplica) => number, among = replicas): number =>
      among.reduce((total, replica) => total + of(replica), 0)
    return {
      indexes: replicas.length,
      documents: sum(({ documents }) => documents),
      passages: sum(({ passages }) => passages),
      unreadable: sum(({ unreadable }) => unreadable),
      documentsBehind: sum(({ awaited }) => awaited, behind),
      behind: behind.length,
      behindMs: Math.max(0, ...behind.map(({ name }) => this.#lags.ageOf(name))),
      building: builds.length,
      builtPercent: Math.min(100, ...builds.map((done) => Math.floor(done * 100))),
      leftOut: 0,
      leftOutDocuments: [],
      refused: 0,
      bytes: 0,
      fileBytes: 0,
      pagedOut: 0,
      bytesMax: 0,
    }
  }

  /** Returns the replicas that lack changes which searches of their tenants would have to wait for. */
  async #behindAmong(replicas: readonly CountedReplica[]): Promise<CountedReplica[]> {
    if (replicas.length === 0) return []
    const states = await this.#statesOf([...new Set(replicas.map((replica) => replica.tenantId))])
    const byTenant = new Map(states.map((state) => [state.tenantId, state]))
    return replicas.filter(({ tenantId, model, name, reached, isReady }) => {
      const state = byTenant.get(tenantId)
      if (state === undefined || state.engine !== 'pgvector' || state.model !== model) return false
      if (!isReady && this.#catchUp.shareOf(name) === undefined) return false
      this.#lags.note(name, reached, state.watermark)
      return reached < state.watermark
    })
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
    const { isAdopting } = await within(
      this.#waitOf(request) + LATE_MS,
      this.#reach(version, this.#waits, request.texts ?? null, mayBuild),
      () => new SearchTimedOut('the database does not say in time how far the replica is'),
    )
    if (isAdopting) void this.#startAdopting(version)
    const caughtUp = performance.now()
    const { definition } = this.#sources.get(version.index)!
    const tables = tablesOf(version)
    const reading = this.#reading(nearestPassages(request), async (queries) => {
      // Other processes may have changed the replica meanwhile, also the dimensions of its vectors.
      const state = await findState(queries, version)
      if (state === null || !state.isReady) throw this.#catchUp.buildingError(version, state)
      if (state.valuesReached < version.watermark) {
        throw new EngineUnavailable('the replica was built anew by another process')
      }
      const answer = await searchReplica(
        { queries, definition, tables, dimensions: state.dimensions },
        request,
        this.#ranking,
        ({ shape, bounds }, make) => this.#totals.get(`${tables.name} ${shape}`, bounds, state.changes, make),
        this.#exactMax,
      )
      const hits = await withoutStalePassages(queries, tables, request, answer.hits)
      const behind = version.watermark <= state.reached ? 0 : await countAwaited(queries, tables)
      return behind === 0 ? { ...answer, hits } : { ...answer, hits, behind }
    })
    const answer = await within(
      READING_MAX_MS,
      reading,
      () => new SearchTimedOut('the database does not answer the search in time'),
    )
    return { ...answer, timing: { refresh: caughtUp - started, search: performance.now() - caughtUp } }
  }

  /** Returns for how many milliseconds a search may wait for its replica. */
  #waitOf({ texts }: SearchRequest): number {
    const { buildMs, catchUpMs } = this.#waits
    return Math.max(buildMs, catchUpMs, texts?.waitMs ?? 0)
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
   * Waits until a replica has the values of every change up to a watermark, and for the texts that `texts` asks for; by
   * default for a moment for the latest texts.
   * @throws IndexBuilding when the replica is not built in time; EngineUnavailable when it has not read the latest
   *   values in time; IndexBehind when it has not read the named text in time
   */
  async #reach(
    version: IndexVersion,
    waits: Waits,
    texts: TextsWanted | null,
    mayBuild: boolean,
  ): Promise<ReplicaState> {
    if (!this.#sources.has(version.index)) throw new RangeError(`no index is called ${version.index}`)
    await this.#prepare()
    for (const began = performance.now(); ;) {
      const state = await this.#stateOf(version)
      const left = (waitMs: number): number => waitMs - (performance.now() - began)
      if (state === null || !state.isReady) {
        if (!mayBuild) throw this.#catchUp.buildingError(version, state)
        const ended = this.#catchUp.build(version)
        if (!(await hasWaited(ended, left(waits.buildMs)))) throw this.#catchUp.buildingError(version, state)
      } else if (state.valuesReached < version.watermark) {
        const ended = this.#catchUp.freshen(version)
        if (!(await hasWaited(ended, left(waits.catchUpMs)))) {
          throw new EngineUnavailable('the replica still reads what was written last')
        }
      } else {
        const isNamed = isNamedMissing(texts, state.reached)
        if (!isNamed && state.reached >= version.watermark) return state
        const { freshMs, catchUpMs: namedMs } = waits
        const leftMs = left(textWaitMs(texts, state.reached, { freshMs, namedMs }))
        const named = isNamed ? texts!.watermark : null
        if (await this.#waitForTexts(version, state, { named, leftMs })) continue
        if (isNamed) throw new IndexBehind(RETRY_MS)
        return state
      }
    }
  }

  /**
   * Waits a moment for a replica to read texts.
   * @param named number of the change whose text the search must see; null for none
   * @returns false where the search should not wait any longer
   * @throws EngineUnavailable when the texts cannot be read, and the search cannot do without
   */
  async #waitForTexts(
    version: IndexVersion,
    state: ReplicaState,
    { named, leftMs }: { readonly named: number | null; readonly leftMs: number },
  ): Promise<boolean> {
    const hasValues = state.valuesReached >= (named ?? 0)
    const ended = named === null ? this.#readSome(version) : this.#readForNamed(version, hasValues)
    if (leftMs <= 0) return false
    if (named === null && leftMs < Infinity) {
      const count = await countAwaited(this.#database.queries, tablesOf(version))
      if (areTooManyDue(count, TEXT_MS, leftMs)) return false
    }
    try {
      const isOver = ended.then(() => (hasValues ? undefined : sleep(BUSY_MS)))
      await Promise.race([isOver, sleep(Math.min(leftMs, LOOK_MS), undefined, { ref: false })])
    } catch (error) {
      if (named !== null || leftMs === Infinity) throw error
      return false
    }
    return true
  }

  #readForNamed(version: IndexVersion, hasValues: boolean): Promise<void> {
    return hasValues ? this.#catchUp.readTexts(version) : this.#catchUp.freshen(version)
  }

  /**
   * Reads some texts of a replica for searches that wait a moment, unless another process reads texts of the tenant.
   * Searches share what runs in this process.
   * @returns a promise that resolves when it is time to look at the replica again
   */
  #readSome(version: IndexVersion): Promise<void> {
    if (this.#catchUp.isReadingTexts(version)) return this.#catchUp.readTexts(version)
    const key = tablesOf(version).name
    const running = this.#turns.get(key)
    if (running !== undefined) return running
    if (this.#turns.size >= TURNS_MAX) {
      this.#onTextsDue(version.tenantId)
      return sleep(BUSY_MS)
    }
    const read = async (): Promise<void> => {
      const isAlone = await withFollowLock(this.#database, version.tenantId, async () => {
        await this.#catchUp.readTexts(version, TURN_BATCHES)
        return true
      })
      if (isAlone === undefined) await sleep(BUSY_MS)
      this.#onTextsDue(version.tenantId)
    }
    const ended = read().finally(() => this.#turns.delete(key))
    this.#turns.set(key, ended)
    ended.catch(() => undefined)
    return ended
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

  #prepare(): Promise<void> {
    this.#prepared ??= prepareSchema(this.#database).catch((error: unknown) => {
      this.#prepared = null
      throw error
    })
    return this.#prepared
  }
}

/**
 * Waits for a run, for a bounded time.
 * @returns false, without waiting, where no time is left
 * @throws the run's error
 */
async function hasWaited(ended: Promise<void>, leftMs: number): Promise<boolean> {
  if (leftMs <= 0) return false
  if (leftMs === Infinity) await ended
  else await Promise.race([ended, sleep(leftMs, undefined, { ref: false })])
  return true
}

/**
 * Takes the passages from hits whose text has changed, if the request asks for passages: their offsets are of the
 * former text.
 */
async function withoutStalePassages(
  queries: Database['queries'],
  tables: ReplicaTables,
  { passages, explain }: SearchRequest,
  hits: readonly SearchHit[],
): Promise<readonly SearchHit[]> {
  if (hits.length === 0 || !(passages || explain)) return hits
  const ids = hits.map(({ id }) => id)
  const awaited = await awaitedAmong(queries, tables, ids)
  return hits.map((hit) => (awaited.has(hit.id) ? withoutPassage(hit) : hit))
}

/** Tells whether the callers of an engine know an error. */
function isEngineError(error: unknown): boolean {
  return [EngineUnavailable, IndexBuilding, IndexBehind, RangeError].some((kind) => error instanceof kind)
}

/** Returns the error of a search for a failure of the database: it is away, too slow, or has lost pgvector. */
function unavailableFor(cause: unknown): EngineUnavailable {
  return new EngineUnavailable(`the search replica cannot be searched: ${messageOf(cause)}`, { cause })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
