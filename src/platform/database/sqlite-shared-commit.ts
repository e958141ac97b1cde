import { workOwner } from '../hidden-parameters.ts'
import type { FairLock } from './fair-lock.ts'
import type { PreparedConnection } from './sqlite-connection.ts'

/** Most writes of one commit. */
const WRITES_MAX = 64
/** Time after the beginning of a transaction in which further writes may join it. */
const JOIN_WITHIN_MS = 5

/** The transaction that writes share now. */
interface OpenTransaction {
  readonly sinceMs: number
  /** Whether a write is running, within its savepoint. */
  isWriting: boolean
  /** Writes that have ended and wait for the commit. */
  readonly done: { readonly owner: string; readonly resolve: () => void; readonly reject: (error: unknown) => void }[]
}

/**
 * A transaction that short writes share: each is a savepoint of it, and one COMMIT with one sync of the disk makes all
 * of them durable (group commit: D. DeWitt et al., SIGMOD 1984). The writes run one after the other, each with the
 * writer's lock. The commit comes once no write has the lock and no further one has arrived, so that requests that came
 * together share it.
 */
export class SharedCommit {
  readonly #writer: PreparedConnection
  readonly #turns: FairLock
  #open: OpenTransaction | null = null
  #isScheduled = false

  constructor(writer: PreparedConnection, turns: FairLock) {
    this.#writer = writer
    this.#turns = turns
  }

  /** Whether there are writes that are not committed yet. */
  get isOpen(): boolean {
    return this.#open !== null
  }

  /** Begins a write. Call it with the writer's lock. @throws SQLite's error, such as SQLITE_BUSY */
  begin(): void {
    if (this.#isFull()) this.commit()
    if (this.#open === null) {
      this.#writer.run('begin immediate')
      this.#open = { sinceMs: performance.now(), isWriting: false, done: [] }
    }
    try {
      this.#writer.run('savepoint one_write')
      this.#open.isWriting = true
    } catch (error) {
      this.#abandon(error)
      throw error
    }
  }

  /**
   * Ends the running write.
   * @returns a promise that resolves when the write is durable, and rejects if it is taken back
   */
  end(): Promise<void> {
    try {
      this.#writer.run('release one_write')
    } catch (error) {
      this.#abandon(error)
      throw error
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#open!.isWriting = false
    this.#open!.done.push({ owner: workOwner(), resolve, reject })
    this.#schedule()
    return promise
  }

  /** Takes back the running write. Earlier writes stay, unless SQLite cannot take it back alone. */
  undo(): void {
    if (this.#open === null) return
    try {
      this.#writer.run('rollback to one_write')
      this.#writer.run('release one_write')
    } catch (error) {
      // SQLite takes back all writes: the caller of this one gets its own error, and the others get this error.
      return this.#abandon(error)
    }
    this.#open.isWriting = false
    this.#schedule()
  }

  /** Makes all writes durable that have ended, if there are any. Call it while no write is running. */
  commit(): void {
    if (this.#open === null) return
    const { done } = this.#open
    const startedMs = performance.now()
    try {
      this.#writer.run('commit')
    } catch (error) {
      return this.#abandon(error)
    }
    this.#open = null
    this.#turns.charge(
      done.map(({ owner }) => owner),
      performance.now() - startedMs,
    )
    for (const { resolve } of done) resolve()
  }

  /** Commits before the connection closes. A write that is still running is taken back, and fails at its next step. */
  close(): void {
    if (this.#open?.isWriting === true) this.undo()
    this.commit()
  }

  /** Fails all writes that have ended, because SQLite has taken back their transaction. */
  fail(error: unknown): void {
    const done = this.#open?.done ?? []
    this.#open = null
    for (const { reject } of done) reject(error)
  }

  #abandon(error: unknown): void {
    if (this.#writer.inTransaction) this.#writer.run('rollback')
    this.fail(error)
  }

  #isFull(): boolean {
    if (this.#open === null) return false
    return this.#open.done.length >= WRITES_MAX || performance.now() - this.#open.sinceMs >= JOIN_WITHIN_MS
  }

  /**
   * Commits once a turn of the event loop has brought no further write, so that writes that arrive meanwhile can join.
   */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    let count = 0
    const look = (): void => {
      const done = this.#open?.done.length ?? 0
      // Work that has the lock joins the commit and schedules it anew, or commits before it begins.
      if (done > count && !this.#turns.isHeld) {
        count = done
        setImmediate(look)
        return
      }
      this.#isScheduled = false
      if (!this.#turns.isHeld) this.commit()
    }
    setImmediate(look)
  }
}
