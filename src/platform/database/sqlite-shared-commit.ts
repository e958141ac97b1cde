import { workOwner } from '../hidden-parameters.ts'
import type { FairLock } from './fair-lock.ts'
import type { PreparedConnection } from './sqlite-connection.ts'

/** Most writes of one commit, and how long after its beginning further ones may join it. */
const WRITES_MAX = 64
const JOIN_WITHIN_MS = 5

interface Opened {
  readonly sinceMs: number
  /** Whether a write is at work, which has its savepoint. */
  isWriting: boolean
  /** The writes that are done and wait for the commit. */
  readonly done: { readonly owner: string; readonly resolve: () => void; readonly reject: (error: unknown) => void }[]
}

/**
 * A transaction that short writes share: each is a savepoint of it, and one COMMIT with one sync of the disk makes all
 * of them durable (group commit: D. DeWitt et al., SIGMOD 1984). The writes run one after the other, each with the
 * writer's lock. The commit comes once no write holds the lock and no further one has arrived, so that requests that came
 * together share it.
 */
export class SharedCommit {
  readonly #writer: PreparedConnection
  readonly #turns: FairLock
  #opened: Opened | null = null
  #isScheduled = false

  constructor(writer: PreparedConnection, turns: FairLock) {
    this.#writer = writer
    this.#turns = turns
  }

  /** Whether writes are done or at work that are not committed yet. */
  get isOpen(): boolean {
    return this.#opened !== null
  }

  /** Begins a write, with the lock held. @throws SQLite's error, such as SQLITE_BUSY */
  begin(): void {
    if (this.#isFull()) this.commit()
    if (this.#opened === null) {
      this.#writer.run('begin immediate')
      this.#opened = { sinceMs: performance.now(), isWriting: false, done: [] }
    }
    try {
      this.#writer.run('savepoint one_write')
      this.#opened.isWriting = true
    } catch (error) {
      this.#abandon(error)
      throw error
    }
  }

  /** Ends the write that has the lock. @returns a promise that resolves when it is durable, and rejects if it is undone */
  end(): Promise<void> {
    try {
      this.#writer.run('release one_write')
    } catch (error) {
      this.#abandon(error)
      throw error
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#opened!.isWriting = false
    this.#opened!.done.push({ owner: workOwner(), resolve, reject })
    this.#schedule()
    return promise
  }

  /** Takes back the write that has the lock. Those before it stay, unless SQLite cannot take it back alone. */
  undo(): void {
    if (this.#opened === null) return
    try {
      this.#writer.run('rollback to one_write')
      this.#writer.run('release one_write')
    } catch (error) {
      // The write is taken back with the others, so its caller hears its own error and they hear this one.
      return this.#abandon(error)
    }
    this.#opened.isWriting = false
    this.#schedule()
  }

  /** Makes all writes durable that are done, if there are any. Call it while none is at work. */
  commit(): void {
    if (this.#opened === null) return
    const { done } = this.#opened
    const startedMs = performance.now()
    try {
      this.#writer.run('commit')
    } catch (error) {
      return this.#abandon(error)
    }
    this.#opened = null
    this.#turns.charge(
      done.map(({ owner }) => owner),
      performance.now() - startedMs,
    )
    for (const { resolve } of done) resolve()
  }

  /** Like `commit`, before the connection closes: a write that is still at work is taken back, and fails at its next step. */
  close(): void {
    if (this.#opened?.isWriting === true) this.undo()
    this.commit()
  }

  /** Tells all that are done that SQLite has taken back their transaction. */
  fail(error: unknown): void {
    const done = this.#opened?.done ?? []
    this.#opened = null
    for (const { reject } of done) reject(error)
  }

  #abandon(error: unknown): void {
    if (this.#writer.inTransaction) this.#writer.run('rollback')
    this.fail(error)
  }

  #isFull(): boolean {
    if (this.#opened === null) return false
    return this.#opened.done.length >= WRITES_MAX || performance.now() - this.#opened.sinceMs >= JOIN_WITHIN_MS
  }

  /** Commits once a turn of the event loop has brought no further write, so that what arrives meanwhile can join. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    let known = 0
    const look = (): void => {
      const done = this.#opened?.done.length ?? 0
      // Who has the lock joins, and schedules anew, or commits before it begins.
      if (done > known && !this.#turns.isHeld) {
        known = done
        setImmediate(look)
        return
      }
      this.#isScheduled = false
      if (!this.#turns.isHeld) this.commit()
    }
    setImmediate(look)
  }
}
