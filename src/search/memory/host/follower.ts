/**
 * Lets indexes follow the writes of their tenants, so that a search finds little left to wait for. This process says of
 * which tenants it has written; for the writes of others the watermarks are read from time to time.
 */
import type { TenantState } from '../../engine.ts'
import type { IndexHost } from './index-host.ts'

/** Milliseconds between two looks for writes of other processes. */
const LOOK_MS = 250

export interface FollowerOptions {
  readonly host: Pick<IndexHost, 'tenantIds' | 'follow' | 'begin'>
  /** Reads the present state of tenants; unknown ids are absent. */
  readonly statesOf: (tenantIds: readonly string[]) => Promise<readonly TenantState[]>
  /** Tells whether this process holds a tenant. */
  readonly isOurs: (tenantId: string) => boolean
  /** Milliseconds between two looks; by default a quarter of a second. */
  readonly lookMs?: number
}

export class Follower {
  readonly #options: FollowerOptions
  readonly #written = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(options.host.tenantIds), options.lookMs ?? LOOK_MS).unref()
  }

  /** Notes that this process has written something of these tenants. */
  noteWritten(tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) this.#written.add(tenantId)
    void this.#look([])
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Reads the states of tenants and brings their indexes up to them. A failure is left to the next look. */
  async #look(tenantIds: readonly string[]): Promise<void> {
    const { host, statesOf, isOurs } = this.#options
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      let ids = [...new Set([...tenantIds, ...this.#written])]
      while (ids.length > 0) {
        const written = new Set(this.#written)
        this.#written.clear()
        for (const state of await statesOf(ids)) {
          host.follow(state)
          const mayBegin = state.engine !== 'pgvector' && isOurs(state.tenantId)
          if (mayBegin && written.has(state.tenantId)) await host.begin(state)
        }
        ids = [...this.#written]
      }
    } catch {
      // The database is away. A search says so, and the next look tries again.
    } finally {
      this.#isLooking = false
    }
  }
}
