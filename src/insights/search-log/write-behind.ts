import type { QueuedBatch, QueuedClick, QueuedSearch } from './queued.ts'

/** Most rows of each kind in the queue. A row takes up to about 10 kB. */
const PENDING_MAX = 20_000
/** Most rows of each kind in a batch. */
const BATCH_ROWS_MAX = 2_000
const FLUSH_INTERVAL_MS = 1_000
const RETRY_AFTER_MS = 1_000

export type EventKind = 'search' | 'click'
type DropReason = 'overflow' | 'refused' | 'stopping' | 'unidentified'

/** Counts the outcome of each row. */
export interface EventCounter {
  written(kind: EventKind, rows: number): void
  dropped(kind: EventKind, reason: DropReason, rows: number): void
}

/** Numbers of rows of a batch that the database refused for good. */
export interface BatchOutcome {
  readonly refusedSearches: number
  readonly refusedClicks: number
}

/** Writes a batch. @throws when the batch cannot be written now; the same batch is then sent again later */
export type WriteLog = (batch: QueuedBatch) => Promise<BatchOutcome>

export interface WriteBehindOptions {
  readonly pendingMax?: number
  readonly flushIntervalMs?: number
  readonly retryAfterMs?: number
}

/**
 * Queue of rows that are written in the background, one batch at a time. Adding a row never waits and never fails:
 * when the queue is full, the row is dropped and counted. A batch that fails is kept and sent again.
 */
export class WriteBehind {
  readonly #write: WriteLog
  readonly #counter: EventCounter
  readonly #pendingMax: number
  readonly #retryAfterMs: number
  readonly #timer: NodeJS.Timeout
  #searches: QueuedSearch[] = []
  #clicks: QueuedClick[] = []
  /** The batch that is being written or waits to be sent again. */
  #batch: QueuedBatch | null = null
  #running: Promise<void> | null = null
  #pausedUntilMs = 0
  #closed = false

  constructor(write: WriteLog, counter: EventCounter, options: WriteBehindOptions = {}) {
    this.#write = write
    this.#counter = counter
    this.#pendingMax = options.pendingMax ?? PENDING_MAX
    this.#retryAfterMs = options.retryAfterMs ?? RETRY_AFTER_MS
    this.#timer = setInterval(() => this.#wake(), options.flushIntervalMs ?? FLUSH_INTERVAL_MS)
    this.#timer.unref()
  }

  /** Number of rows that wait to be written. */
  get waiting(): number {
    const { searches = [], clicks = [] } = this.#batch ?? {}
    return this.#searches.length + this.#clicks.length + searches.length + clicks.length
  }

  search(row: QueuedSearch): void {
    if (this.#admits('search', this.#searches)) this.#searches.push(row)
    if (this.#searches.length >= BATCH_ROWS_MAX) this.#wake()
  }

  click(row: QueuedClick): void {
    if (this.#admits('click', this.#clicks)) this.#clicks.push(row)
    if (this.#clicks.length >= BATCH_ROWS_MAX) this.#wake()
  }

  /** Writes the waiting rows. Resolves when all are written, or a batch has failed. */
  async flush(): Promise<void> {
    await this.#running
    this.#running ??= this.#drain().finally(() => (this.#running = null))
    await this.#running
  }

  /** Writes the waiting rows for at most `timeoutMs`. The rest counts as dropped. */
  async close(timeoutMs: number): Promise<void> {
    clearInterval(this.#timer)
    let late: NodeJS.Timeout | undefined
    await Promise.race([this.flush(), new Promise((resolve) => (late = setTimeout(resolve, timeoutMs)))])
    clearTimeout(late)
    this.#closed = true
    const rest = { searches: this.#batch?.searches.length ?? 0, clicks: this.#batch?.clicks.length ?? 0 }
    this.#drop('search', 'stopping', this.#searches.length + rest.searches)
    this.#drop('click', 'stopping', this.#clicks.length + rest.clicks)
    this.#searches = []
    this.#clicks = []
    this.#batch = null
  }

  /** Tells whether the queue takes another row, and counts a refused row as dropped. */
  #admits(kind: EventKind, rows: readonly unknown[]): boolean {
    if (!this.#closed && rows.length < this.#pendingMax) return true
    this.#counter.dropped(kind, this.#closed ? 'stopping' : 'overflow', 1)
    return false
  }

  #wake(): void {
    if (this.#running !== null || performance.now() < this.#pausedUntilMs) return
    this.#running = this.#drain().finally(() => (this.#running = null))
  }

  /** Writes the rows that wait now. Rows that arrive meanwhile are written only if they fill a batch. */
  async #drain(): Promise<void> {
    let due = this.#searches.length + this.#clicks.length
    while (!this.#closed) {
      if (this.#batch === null) {
        const isFull = Math.max(this.#searches.length, this.#clicks.length) >= BATCH_ROWS_MAX
        if (due <= 0 && !isFull) return
        this.#batch = this.#take()
        due -= (this.#batch?.searches.length ?? 0) + (this.#batch?.clicks.length ?? 0)
      }
      const batch = this.#batch
      if (batch === null) return
      try {
        const { refusedSearches, refusedClicks } = await this.#write(batch)
        if (this.#closed) return
        this.#batch = null
        this.#counter.written('search', batch.searches.length - refusedSearches)
        this.#counter.written('click', batch.clicks.length - refusedClicks)
        this.#drop('search', 'refused', refusedSearches)
        this.#drop('click', 'refused', refusedClicks)
      } catch {
        this.#pausedUntilMs = performance.now() + this.#retryAfterMs
        return
      }
    }
  }

  /** Takes the next batch from the queue; null when the queue is empty. */
  #take(): QueuedBatch | null {
    if (this.#searches.length + this.#clicks.length === 0) return null
    return { searches: this.#searches.splice(0, BATCH_ROWS_MAX), clicks: this.#clicks.splice(0, BATCH_ROWS_MAX) }
  }

  #drop(kind: EventKind, reason: DropReason, rows: number): void {
    if (rows > 0) this.#counter.dropped(kind, reason, rows)
  }
}
