import type { Database } from '../database/database.ts'
import { advanceWatermark } from '../search/watermark.ts'
import { type Embedder, EmbeddingRejected, EmbeddingUnavailable } from './embedder.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { claimJobs, deleteJob, type EmbeddingJob, nextDueAt, postponeJob } from './jobs.ts'
import type { EmbeddingItem, EmbeddingTarget, EmbeddingTargets } from './targets.ts'

/** Items per transaction: small enough that other writers get their turn, large enough to share one sync. */
const CLAIM_MAX = 32
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 5 * 60_000
/** A text the provider refuses may be accepted after a change of its settings, so it is tried again, rarely. */
const REJECTED_RETRY_MS = 60 * 60_000
/** How long an idle queue sleeps at most; other processes may have added jobs. */
const IDLE_MAX_MS = 1_000

export interface QueueLog {
  warn(details: object, message: string): void
}

/**
 * Works off the embedding jobs in the database. Any number of queues, in any number of processes, may
 * run at once; stopping one at any moment loses nothing.
 */
export class EmbeddingQueue {
  readonly #database: Database
  readonly #embedders: EmbedderPool
  readonly #targets: EmbeddingTargets
  readonly #log: QueueLog
  #lastTenant = ''

  constructor(options: { database: Database; embedders: EmbedderPool; targets: EmbeddingTargets; log: QueueLog }) {
    this.#database = options.database
    this.#embedders = options.embedders
    this.#targets = options.targets
    this.#log = options.log
  }

  /**
   * Works until nothing of the model is due.
   * @returns how many items got vectors
   */
  async drain(model: string, signal?: AbortSignal): Promise<number> {
    let done = 0
    for (;;) {
      if (signal?.aborted) return done
      const jobs = await claimJobs(this.#database, model, this.#lastTenant, CLAIM_MAX)
      if (jobs.length === 0) return done
      this.#lastTenant = jobs[0].tenant_id
      done += await this.#work(jobs, model, signal)
    }
  }

  /** Milliseconds until it is worth looking again. */
  async idleMs(model: string): Promise<number> {
    const next = await nextDueAt(this.#database.queries, model)
    return next === null ? IDLE_MAX_MS : Math.min(IDLE_MAX_MS, Math.max(10, next - Date.now()))
  }

  async #work(jobs: readonly EmbeddingJob[], model: string, signal?: AbortSignal): Promise<number> {
    const embedder = this.#embedders.of(model)
    if (embedder === null) return this.#postpone(jobs, REJECTED_RETRY_MS, `no provider for ${model} is configured`)
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
    const items = await target.load(this.#database.queries, tenantId, ids)
    let vectors: Float32Array[][]
    try {
      vectors = await embedItems(embedder, items, signal)
    } catch (error) {
      if (signal?.aborted) return this.#postpone(jobs, 0, null)
      // One text that is refused must not hold back the others of its batch.
      if (error instanceof EmbeddingRejected && jobs.length > 1)
        return this.#oneByOne(target, jobs, embedder, model, signal)
      return this.#failed(jobs, error as Error)
    }
    return this.#save(target, jobs, items, vectors, model)
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
    items: readonly EmbeddingItem[],
    vectors: readonly Float32Array[][],
    model: string,
  ): Promise<number> {
    const tenantId = jobs[0].tenant_id
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      const stale = new Set<string>()
      for (const [i, item] of items.entries()) {
        if (!(await target.save(tx, tenantId, model, item, vectors[i], seq))) stale.add(item.id)
      }
      for (const job of jobs) {
        if (stale.has(job.item_id)) await postponeJob(tx, { ...job, attempts: -1 }, 0, null)
        else await deleteJob(tx, job)
      }
      return items.length - stale.size
    })
  }

  async #failed(jobs: readonly EmbeddingJob[], error: Error): Promise<number> {
    this.#log.warn({ err: error, items: jobs.length }, 'embedding failed, it will be tried again')
    const attempts = Math.max(...jobs.map((job) => job.attempts))
    const backoff = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempts, 20))
    const wanted = error instanceof EmbeddingUnavailable ? error.retryAfterMs : 0
    const delay = error instanceof EmbeddingRejected ? REJECTED_RETRY_MS : Math.max(wanted, backoff * (0.5 + Math.random() / 2))
    return this.#postpone(jobs, delay, error.message.slice(0, 500))
  }

  async #postpone(jobs: readonly EmbeddingJob[], delayMs: number, error: string | null): Promise<0> {
    await this.#database.write(async (tx) => {
      for (const job of jobs) await postponeJob(tx, job, delayMs, error)
    })
    return 0
  }
}

/** Vectors of each item's texts, in batches as large as the provider takes. */
async function embedItems(
  embedder: Embedder,
  items: readonly EmbeddingItem[],
  signal?: AbortSignal,
): Promise<Float32Array[][]> {
  const texts = items.flatMap((item) => item.texts)
  const vectors: Float32Array[] = []
  for (let i = 0; i < texts.length; i += embedder.batchSize) {
    vectors.push(...(await embedder.embed(texts.slice(i, i + embedder.batchSize), 'passage', signal)))
  }
  let next = 0
  return items.map((item) => vectors.slice(next, (next += item.texts.length)))
}
