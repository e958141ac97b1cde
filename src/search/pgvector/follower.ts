/**
 * Lets replicas follow the writes of their tenants, so that a search finds little left to wait for. One tenant has its
 * turn at a time, and between two rounds the database and the thread have a pause.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantState } from '../engine.ts'

/** Milliseconds between two rounds. Writes that come meanwhile are read together. */
const PAUSE_MS = 250

export interface FollowerOptions {
  /**
   * Brings the replicas of a tenant nearer to its newest change.
   * @returns whether they have reached it, or cannot
   */
  readonly follow: (state: TenantState) => Promise<boolean>
  /** Reads the present state of tenants; unknown ids are absent. */
  readonly statesOf: (tenantIds: readonly string[]) => Promise<readonly TenantState[]>
  /** Milliseconds between two rounds; by default a quarter of a second. */
  readonly pauseMs?: number
}

export class ReplicaFollower {
  readonly #options: FollowerOptions
  /** Tenants that have a turn in the next round. */
  readonly #due = new Set<string>()
  #isRunning = false
  #isClosed = false

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  /** Notes that something of these tenants was written. */
  noteWritten(tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) this.#due.add(tenantId)
    void this.#run()
  }

  /** Begins no further turn. */
  close(): void {
    this.#isClosed = true
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#due.size > 0 && !this.#isClosed) {
      const tenantIds = [...this.#due]
      this.#due.clear()
      await this.#round(tenantIds)
      await sleep(this.#options.pauseMs ?? PAUSE_MS, undefined, { ref: false })
    }
    this.#isRunning = false
  }

  /** Gives each tenant a turn. A failure is left to the next write, look or search. */
  async #round(tenantIds: readonly string[]): Promise<void> {
    const { statesOf } = this.#options
    const states = await statesOf(tenantIds).catch(() => [])
    for (const state of states) {
      if (this.#isClosed) return
      const isDone = await this.#turn(state).catch(() => true)
      if (!isDone) this.#due.add(state.tenantId)
    }
  }

  /** Returns whether the tenant needs no further turn. @throws what reading throws, also for damaged settings */
  async #turn(state: TenantState): Promise<boolean> {
    return state.engine !== 'pgvector' || this.#options.follow(state)
  }
}
