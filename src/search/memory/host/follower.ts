/**
 * Lets indexes follow the writes of their tenants, so that a search finds little left to wait for. This process says of
 * which tenants it has written; a look at all tenants, a part at a time, finds what other processes have written.
 */
import type { TenantState } from '../../engine.ts'
import type { IndexHost } from './index-host.ts'

/** Milliseconds between two looks for writes of other processes. */
const LOOK_MS = 250
/** Tenants of one look, so that many tenants do not hold up searches. */
const LOOK_TENANTS = 250

/** Reads the present states of tenants. */
export interface StateReader {
  /** Returns the states of these tenants; unknown ids are absent. */
  statesOf(tenantIds: readonly string[]): Promise<readonly TenantState[]>
  /** Returns the states of the tenants that follow `after` in the order of their ids, at most `limit`. */
  statesAfter(after: string, limit: number): Promise<readonly TenantState[]>
}

export interface FollowerOptions {
  readonly host: Pick<IndexHost, 'follow' | 'begin'>
  readonly reader: StateReader
  /** Tells whether this process holds a tenant. */
  readonly isOurs: (tenantId: string) => boolean
  /** Milliseconds between two looks; by default a quarter of a second. */
  readonly lookMs?: number
  /** Tenants of one look; by default 250. */
  readonly lookTenants?: number
}

export class Follower {
  readonly #options: FollowerOptions
  readonly #written = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #isFollowingWritten = false
  #isLooking = false
  /** Id of the tenant that was looked at last; empty before the first one. */
  #cursor = ''
  /** The tenants' watermarks as the last look at all tenants read them; null until it has seen all once. */
  #former: ReadonlyMap<string, number> | null = null
  /** The tenants' watermarks as the present look has read them so far. */
  #present = new Map<string, number>()

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(), options.lookMs ?? LOOK_MS).unref()
  }

  /** Notes that this process has written something of these tenants. */
  noteWritten(tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) this.#written.add(tenantId)
    void this.#followWritten()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Updates the indexes of the tenants that this process has written. A failure is left to the next look. */
  async #followWritten(): Promise<void> {
    if (this.#isFollowingWritten) return
    this.#isFollowingWritten = true
    try {
      while (this.#written.size > 0) {
        const tenantIds = [...this.#written]
        this.#written.clear()
        for (const state of await this.#options.reader.statesOf(tenantIds)) {
          await this.#follow(state, true).catch(() => undefined)
        }
      }
    } catch {
      // The database is away. A search says so, and the next look tries again.
    } finally {
      this.#isFollowingWritten = false
    }
  }

  /** Updates the indexes of the next tenants. A failure is left to the next look. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { reader, lookTenants = LOOK_TENANTS } = this.#options
    try {
      const states = await reader.statesAfter(this.#cursor, lookTenants)
      for (const state of states) {
        const { tenantId, watermark } = state
        const isWritten = this.#former !== null && watermark > (this.#former.get(tenantId) ?? 0)
        this.#present.set(tenantId, watermark)
        // Another tenant's failure, such as of damaged settings, must not end the look.
        await this.#follow(state, isWritten).catch(() => undefined)
      }
      if (states.length < lookTenants) this.#beginRound()
      else this.#cursor = states.at(-1)!.tenantId
    } catch {
      // The database is away. The next look tries again.
    } finally {
      this.#isLooking = false
    }
  }

  #beginRound(): void {
    this.#cursor = ''
    this.#former = this.#present
    this.#present = new Map()
  }

  /** Updates a tenant's indexes. @param isWritten whether the tenant has changed, so that missing indexes are begun */
  async #follow(state: TenantState, isWritten: boolean): Promise<void> {
    const { host, isOurs } = this.#options
    host.follow(state)
    if (isWritten && isOurs(state.tenantId) && state.engine !== 'pgvector') await host.begin(state)
  }
}
