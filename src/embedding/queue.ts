import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../platform/database/database.ts'
import { workFor } from '../platform/hidden-parameters.ts'
import type { Tracing } from '../platform/telemetry/tracing.ts'
import { tracedWork } from '../platform/telemetry/work-record.ts'
import { advanceWatermark } from '../platform/database/watermark.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { type Embedder, EmbeddingRejected, EmbeddingUnavailable } from './embedder.ts'
import {
  claimJobs,
  deleteJob,
  type EmbeddingJob,
  hasDueJobs,
  LEASE_MS,
  nextDueAt,
  postponeJob,
  renewJobs,
} from './job-store.ts'
import { isLengthOpen } from './providers.ts'
import type { EmbeddingItem, EmbeddingTarget, EmbeddingTargets, VectorsToSave } from './targets.ts'
import { textHash } from './text-hashes.ts'
import { requireStoredLength, WrongVectorLength } from './vector-length.ts'

/** Most items that are claimed and embedded together. */
const CLAIM_MAX = 32
/** The same for a model that takes long to read. Between two claims, other tenants get their turn. */
const CLAIM_READING_MAX = 4
/** Most texts that are read in one turn, about half a second. A longer item goes on where it was in its next turn. */
const READ_MAX = 24
/** Most characters of these, of texts that are longer than a passage, such as those of products. The first is read whole. */
const READ_CHARACTERS_MAX = 20_000
/**
 * Most characters of the items that one transaction stores; a longer item gets its own transaction. Storing vectors
 * rewrites the item's row too. So the bound is low enough for other writers to get their turn, and high enough to share
 * one sync. About a hundred ordinary items fit.
 */
const SAVE_CHARACTERS_MAX = 200_000
/** Milliseconds between two such transactions. A writer in another thread tries again within 5 ms. */
const GIVE_WAY_MS = 10
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 5 * 60_000
/** Most milliseconds without a call to a provider that is down, and so until its recovery is noticed. */
const PAUSE_MAX_MS = 30_000
/** Milliseconds until a refused text is tried again: the provider may accept it after a change of its settings. */
const REJECTED_RETRY_MS = 60 * 60_000
/** Most milliseconds that an idle queue sleeps. Then the thread also looks for tenants to move. */
const IDLE_MAX_MS = 1_000

interface QueueLog {
  warn(details: object, message: string): void
}

/**
 * Works off the embedding jobs in the database. Any number of queues in any number of processes may run at once, and
 * stopping one at any time loses nothing.
 */
export class EmbeddingQueue {
  readonly #database: Database
  readonly #embedders: EmbedderPool
  readonly #targets: EmbeddingTargets
  readonly #log: QueueLog
  readonly #idleMaxMs: number
  readonly #tracing: Tracing | null
  /** Id of the tenant whose turn was last, by model. */
  readonly #lastTenants = new Map<string, string>()
  /** By model, for a provider that is down: its failures in a row, and the time at which it is called again. */
  readonly #pauses = new Map<string, { failures: number; until: number }>()

  constructor(options: {
    database: Database
    embedders: EmbedderPool
    targets: EmbeddingTargets
    log: QueueLog
    /** Most milliseconds of a sleep without work; by default a second. */
    idleMaxMs?: number
    /** Receives the traces of batches; by default there are none. */
    tracing?: Tracing | null
  }) {
    this.#database = options.database
    this.#embedders = options.embedders
    this.#targets = options.targets
    this.#log = options.log
    this.#idleMaxMs = options.idleMaxMs ?? IDLE_MAX_MS
    this.#tracing = options.tracing ?? null
  }

  /**
   * Works until no job of the models is due, but for at most `forMs`. Models and tenants take turns with one batch
   * each, so a long backlog does not delay others.
   * @returns how many items got vectors
   */
  async drain(models: readonly string[], signal?: AbortSignal, forMs = Infinity): Promise<number> {
    const deadline = performance.now() + forMs
    let done = 0
    for (let isDue = true; isDue && performance.now() < deadline;) {
      isDue = false
      for (const model of models) {
        if (signal?.aborted) return done
        if (this.#pausedUntil(model) > Date.now()) continue
        const claimMax = this.#embedders.of(model)?.standIn === undefined ? CLAIM_MAX : CLAIM_READING_MAX
        const jobs = await claimJobs(this.#database, model, this.#lastTenants.get(model) ?? '', claimMax)
        if (jobs.length === 0) continue
        isDue = true
        this.#lastTenants.set(model, jobs[0].tenant_id)
        done += await this.#traced(jobs, model, signal)
      }
    }
    return done
  }

  /** Returns the milliseconds until new work is possible. */
  async idleMs(models: readonly string[]): Promise<number> {
    let at = Date.now() + this.#idleMaxMs
    for (const model of models) {
      const next = await nextDueAt(this.#database.queries, model)
      if (next !== null) at = Math.min(at, Math.max(next, this.#pausedUntil(model)))
    }
    return Math.max(10, at - Date.now())
  }

  /** Tells whether a job of the models can begin now. It costs little when there is none. */
  async isDue(models: readonly string[]): Promise<boolean> {
    const now = Date.now()
    const working = models.filter((model) => this.#pausedUntil(model) <= now)
    return working.length > 0 && hasDueJobs(this.#database.queries, working, now)
  }

  #pausedUntil(model: string): number {
    return this.#pauses.get(model)?.until ?? 0
  }

  /** Works on jobs of one tenant, inside a span if there is tracing. @returns how many items got vectors */
  #traced(jobs: readonly EmbeddingJob[], model: string, signal?: AbortSignal): Promise<number> {
    if (this.#tracing === null) return this.#work(jobs, model, signal)
    const tenantId = jobs[0].tenant_id
    const span = this.#tracing.begin('embedding jobs', 'internal', {
      'knowledge.tenant.id': tenantId,
      'knowledge.embedding.jobs': jobs.length,
    })
    return workFor(tenantId, () => tracedWork(span, () => this.#work(jobs, model, signal)))
  }

  async #work(jobs: readonly EmbeddingJob[], model: string, signal?: AbortSignal): Promise<number> {
    const embedder = this.#embedders.of(model)
    if (embedder === null)
      return this.#postpone(jobs, () => REJECTED_RETRY_MS, `no provider is configured for ${model}`)
    let done = 0
    for (const target of this.#targets) {
      const own = jobs.filter((job) => job.kind === target.kind)
      if (own.length > 0) done += await this.#embed(target, own, embedder, model, signal)
    }
    return done
  }

  async #embed(
    target: EmbeddingTarget,
    jobs: readonly EmbeddingJob[],
    embedder: Embedder,
    model: string,
    signal?: AbortSignal,
  ): Promise<number> {
    const tenantId = jobs[0].tenant_id
    const ids = jobs.map((job) => job.item_id)
    const items = await target.load(this.#database.queries, tenantId, ids, embedder)
    let embedded: EmbeddedItem[]
    try {
      const embed = () =>
        embedder.standIn === undefined
          ? this.#embedItems(embedder, tenantId, items, signal)
          : this.#readItems(embedder, tenantId, items, signal)
      embedded = await this.#whileClaimed(jobs, embed)
      this.#pauses.delete(model)
    } catch (error) {
      if (signal?.aborted) return this.#postpone(jobs, () => 0, null)
      // A refused text must not delay the other texts of its batch.
      if (error instanceof EmbeddingRejected && jobs.length > 1)
        return this.#oneByOne(target, jobs, embedder, model, signal)
      await this.#saveStandIns(target, tenantId, items, embedder)
      return this.#failed(jobs, model, error as Error)
    }
    return this.#save(target, jobs, embedded, model)
  }

  /** Stores what stands in for the vectors of items that have none, so that searches find them until they are read. */
  async #saveStandIns(
    target: EmbeddingTarget,
    tenantId: string,
    items: readonly EmbeddingItem[],
    { id: model, standIn }: Embedder,
  ): Promise<void> {
    const without = items.filter(({ stored }) => stored === null)
    if (standIn === undefined || without.length === 0) return
    // Made before the transaction, which other writers wait for.
    const standing = without.map((item) => withRead(item, NOTHING_READ, standIn))
    await this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      for (const { item, saved } of standing) await target.save(tx, tenantId, model, item, saved, seq)
    })
  }

  async #oneByOne(
    target: EmbeddingTarget,
    jobs: readonly EmbeddingJob[],
    embedder: Embedder,
    model: string,
    signal?: AbortSignal,
  ): Promise<number> {
    let done = 0
    for (const job of jobs) done += await this.#embed(target, [job], embedder, model, signal)
    return done
  }

  async #save(
    target: EmbeddingTarget,
    jobs: readonly EmbeddingJob[],
    embedded: readonly EmbeddedItem[],
    model: string,
  ): Promise<number> {
    const ids = new Set(embedded.map(({ item }) => item.id))
    const jobsOfDeleted = jobs.filter((job) => !ids.has(job.item_id))
    if (jobsOfDeleted.length > 0) await this.#database.write((tx) => deleteAll(tx, jobsOfDeleted))
    let done = 0
    for (const [i, some] of shares(embedded).entries()) {
      if (i > 0) await sleep(GIVE_WAY_MS)
      const idsOfShare = new Set(some.map(({ item }) => item.id))
      const own = jobs.filter((job) => idsOfShare.has(job.item_id))
      try {
        done += await this.#saveTogether(target, own, some, model)
      } catch (error) {
        if (!(error instanceof WrongVectorLength)) throw error
        await this.#failed(own, model, error)
      }
    }
    return done
  }

  /**
   * Stores vectors in one transaction. Items that have changed meanwhile are embedded again.
   * @returns how many items it stored
   * @throws WrongVectorLength, with nothing stored, when the stored vectors of the model have another length
   */
  async #saveTogether(
    target: EmbeddingTarget,
    jobs: readonly EmbeddingJob[],
    embedded: readonly EmbeddedItem[],
    model: string,
  ): Promise<number> {
    const tenantId = jobs[0].tenant_id
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      if (isLengthOpen(model)) {
        const vectorsOfAll = embedded.flatMap(({ saved }) => saved.vectors)
        await requireStoredLength(tx, this.#targets, tenantId, model, vectorsOfAll)
      }
      const unfinished = new Set<string>()
      for (const { item, saved, isDone } of embedded) {
        if (!(await target.save(tx, tenantId, model, item, saved, seq)) || !isDone) unfinished.add(item.id)
      }
      for (const job of jobs.filter((each) => unfinished.has(each.item_id))) {
        await postponeJob(tx, { ...job, attempts: -1 }, 0, null)
      }
      await deleteAll(
        tx,
        jobs.filter((job) => !unfinished.has(job.item_id)),
      )
      return embedded.length - unfinished.size
    })
  }

  async #failed(jobs: readonly EmbeddingJob[], model: string, error: Error): Promise<0> {
    this.#log.warn({ err: error, items: jobs.length }, 'embedding failed and will be tried again')
    const isWrongLength = error instanceof WrongVectorLength
    const isRefused = error instanceof EmbeddingRejected && !isWrongLength
    const atLeastMs = error instanceof EmbeddingUnavailable ? this.#pause(model, error) : 0
    // A provider that erred once is right the next time. One that has another model now costs money at each attempt,
    // until the operator acts, so these attempts become rare.
    const maxMs = isWrongLength ? REJECTED_RETRY_MS : RETRY_MAX_MS
    const delayMs = (job: EmbeddingJob): number =>
      isRefused ? REJECTED_RETRY_MS : atLeastMs + backoffMs(job.attempts, maxMs)
    return this.#postpone(jobs, delayMs, error.message.slice(0, 500), isRefused)
  }

  /**
   * Stops calls to the provider for a while, because the rest of the backlog would fail too.
   * @returns the milliseconds
   */
  #pause(model: string, error: EmbeddingUnavailable): number {
    const failures = (this.#pauses.get(model)?.failures ?? 0) + 1
    const ms = Math.min(PAUSE_MAX_MS, Math.max(error.retryAfterMs, backoffMs(failures - 1, PAUSE_MAX_MS)))
    this.#pauses.set(model, { failures, until: Date.now() + ms })
    return ms
  }

  async #postpone(
    jobs: readonly EmbeddingJob[],
    delayMs: (job: EmbeddingJob) => number,
    error: string | null,
    isRefused = false,
  ): Promise<0> {
    await this.#database.write(async (tx) => {
      for (const job of jobs) await postponeJob(tx, job, delayMs(job), error, isRefused)
    })
    return 0
  }

  /** Makes the vectors of each item's texts, in batches as large as the provider allows. */
  async #embedItems(
    embedder: Embedder,
    tenantId: string,
    items: readonly EmbeddingItem[],
    signal?: AbortSignal,
  ): Promise<EmbeddedItem[]> {
    const texts = items.flatMap((item) => item.texts)
    const vectors = await this.#embedTexts(embedder, tenantId, texts, signal)
    let next = 0
    return items.map((item) => {
      const own = vectors.slice(next, (next += item.texts.length))
      return { item, saved: { vectors: own, hashes: null, isSearched: true }, isDone: true }
    })
  }

  /**
   * Reads texts of the items that the model has not read yet, as many as a turn allows. The others keep the vectors that
   * are stored, or get stand-ins. Of long items without vectors nothing is read in their first turn, so that those behind
   * them get their stand-ins soon.
   */
  async #readItems(
    embedder: Embedder,
    tenantId: string,
    items: readonly EmbeddingItem[],
    signal?: AbortSignal,
  ): Promise<EmbeddedItem[]> {
    const isLongAndNew = ({ texts, stored }: EmbeddingItem): boolean => stored === null && texts.length > READ_MAX
    const waiting = items.some(isLongAndNew) ? [] : textsOfTurn(items)
    const texts = new Map(waiting)
    const vectors = await this.#embedTexts(embedder, tenantId, [...texts.values()], signal)
    const read = new Map(Array.from(texts.keys(), (hash, i) => [hash, vectors[i]]))
    return items.map((item) => withRead(item, read, embedder.standIn!))
  }

  async #embedTexts(
    embedder: Embedder,
    tenantId: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    for (let i = 0; i < texts.length; i += embedder.batchSize) {
      const some = texts.slice(i, i + embedder.batchSize)
      vectors.push(...(await this.#embedders.embed(embedder, tenantId, some, signal)))
    }
    return vectors
  }

  /** Renews the claim of jobs while `work` runs. */
  async #whileClaimed<T>(jobs: readonly EmbeddingJob[], work: () => Promise<T>): Promise<T> {
    // A failed renewal does little harm: at worst the work is done twice.
    const renewal = setInterval(() => void renewJobs(this.#database, jobs).catch(() => undefined), LEASE_MS / 4)
    try {
      return await work()
    } finally {
      clearInterval(renewal)
    }
  }
}

/** An item with the vectors of its texts. */
interface EmbeddedItem {
  readonly item: EmbeddingItem
  readonly saved: VectorsToSave
  /** Whether no text of the item waits any more. */
  readonly isDone: boolean
}

const NOTHING_READ: ReadonlyMap<string, Float32Array> = new Map()

/** Returns the texts of an item that the model has not read, with their hashes in front. */
function textsToRead({ texts, stored }: EmbeddingItem): [hash: string, text: string][] {
  const hashed = texts.map((text): [string, string] => [textHash(text), text])
  return hashed.filter(([hash]) => stored?.byHash.has(hash) !== true)
}

/** Returns texts that the model has not read, with their hashes in front: as many as a turn allows, at least one. */
function textsOfTurn(items: readonly EmbeddingItem[]): [hash: string, text: string][] {
  const texts = items.flatMap((item) => textsToRead(item)).slice(0, READ_MAX)
  let characters = 0
  const tooMany = texts.findIndex(([, text]) => (characters += text.length) > READ_CHARACTERS_MAX)
  return tooMany < 0 ? texts : texts.slice(0, Math.max(1, tooMany))
}

/**
 * Returns an item with the vectors of its texts: those that were read before or now, and for the others what is stored
 * or what stands in.
 * @param read vectors that were read now, by the hashes of their texts
 */
function withRead(
  item: EmbeddingItem,
  read: ReadonlyMap<string, Float32Array>,
  standIn: NonNullable<Embedder['standIn']>,
): EmbeddedItem {
  const { texts, stored } = item
  const own = texts.map(textHash)
  const known = own.map((hash) => stored?.byHash.get(hash) ?? read.get(hash) ?? null)
  const isFirst = stored === null || stored.vectors.length !== texts.length
  const vectors = known.map((vector, i) => vector ?? (isFirst ? standIn(texts[i], 'passage') : stored.vectors[i]))
  const isDone = known.every((vector) => vector !== null)
  const hashes = own.map((hash, i) => (known[i] === null ? null : hash))
  return { item, saved: { vectors, hashes, isSearched: isDone || isFirst }, isDone }
}

/** Divides the items, in order, into shares that one transaction stores. */
function shares(embedded: readonly EmbeddedItem[]): EmbeddedItem[][] {
  const all: EmbeddedItem[][] = []
  let characters = Infinity
  for (const one of embedded) {
    const length = one.item.texts.reduce((sum, text) => sum + text.length, 0)
    characters += length
    if (characters > SAVE_CHARACTERS_MAX) {
      all.push([one])
      characters = length
    } else all.at(-1)?.push(one)
  }
  return all
}

async function deleteAll(tx: Tx, jobs: readonly EmbeddingJob[]): Promise<void> {
  for (const job of jobs) await deleteJob(tx, job)
}

/**
 * Returns an exponential backoff with a random part, so that jobs that failed together are not tried together again.
 */
function backoffMs(attempts: number, maxMs: number): number {
  return Math.min(maxMs, RETRY_FIRST_MS * 2 ** Math.min(attempts, 20)) * (0.5 + Math.random() / 2)
}
