import { spending } from '../../platform/telemetry/work-record.ts'
import {
  type EngineForRequests,
  type EngineStatus,
  EngineUnavailable,
  IndexRefused,
  type RefusalReason,
  type SearchAnswer,
  type SearchRequest,
  SearchTimedOut,
} from '../engine.ts'
import type { ProcessIdentity } from './frames.ts'
import { HolderGone, HolderLink } from './holder-link.ts'
import { sumOfStatuses } from '../status-sum.ts'
import { holdersOf, type TenantShare } from '../tenant-share.ts'
import type { Line, LineTrouble } from './line.ts'

/** Milliseconds between two checks whether memory of tenants that other processes hold can be given back. */
const GIVE_BACK_MS = 10_000

/** This process's own engine, which can also give back memory. */
interface OwnEngine extends EngineForRequests {
  /** Drops the indexes of tenants outside the share. @returns false when some of their memory is still in use */
  keepOnly(share: TenantShare): Promise<boolean>
}

/** The outcome of a search that was passed on, for metrics. */
export type PassingOutcome = 'answered' | 'failed'

export interface PassingOptions {
  readonly engine: OwnEngine
  /** Name of this process among the processes that share tenants. It may change when the process reaches itself. */
  readonly own: string
  readonly identity: ProcessIdentity
  /** How many processes hold each tenant. */
  readonly holders: number
  /** Receives the outcome of each search that was passed on. */
  readonly onOutcome?: (outcome: PassingOutcome) => void
  /** Receives the reason why no searches are passed on to a process. */
  readonly onTrouble?: (process: string, trouble: LineTrouble) => void
}

/** A holder's refusal of an index, and until when it holds, on the clock of `performance.now`. */
interface Refusal {
  readonly reason: RefusalReason
  readonly untilMs: number
}

/**
 * Searches for a process that shares tenants with other processes. Each tenant's indexes are in few processes, its
 * holders, so that the memory of all processes adds up. A search of a tenant that other processes hold is passed on to
 * one of them, with the watermark, so that it sees every write that it would see in this process. If the holder has
 * ended, does not answer or has no search thread, this process's own engine answers. The indexes that it builds for
 * that are dropped once the holder runs again.
 *
 * A process never passes on a search that another process passed on to it. So a search cannot go round in a circle
 * while processes disagree about the processes that run.
 */
export class PassingEngine implements EngineForRequests {
  readonly #options: PassingOptions
  readonly #links = new Map<string, HolderLink>()
  /** Refusals of other processes, by tenant and index. */
  readonly #refusals = new Map<string, Refusal>()
  #share: TenantShare
  /** Whether the own engine may have indexes of tenants that other processes hold. */
  #hasForeign = false
  /** Whether the list of running processes changed since the last check of memory. */
  #wasChanged = false
  /** Counts searches, so that the holders of a tenant take turns. */
  #turn = 0
  readonly #timer: NodeJS.Timeout

  constructor(options: PassingOptions) {
    this.#options = options
    this.#share = { own: options.own, processes: [options.own], holders: options.holders }
    this.#timer = setInterval(() => void this.#giveBack(), GIVE_BACK_MS).unref()
  }

  /** Names of the running processes, with this one. */
  get processes(): readonly string[] {
    return this.#share.processes
  }

  /**
   * Connects to the other processes.
   * @param peers lines by the names of the processes; this process may be among them
   */
  setPeers(peers: ReadonlyMap<string, Line>): void {
    for (const [name, link] of this.#links) {
      if (peers.get(name)?.address === link.address) continue
      link.close()
      this.#links.delete(name)
    }
    for (const [name, line] of peers) {
      if (name !== this.#share.own && !this.#links.has(name)) this.#links.set(name, this.#linkTo(name, line))
    }
    this.#onChange()
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const { tenantId, index } = request.version
    const { engine } = this.#options
    const link = this.#linkFor(tenantId)
    if (link === null) return engine.search(request)
    try {
      const answer = await spending('search', () => link.search(request))
      this.#options.onOutcome?.('answered')
      return answer
    } catch (error) {
      if (!isOutage(error)) throw this.#noteRefusal(tenantId, index, error)
    }
    this.#options.onOutcome?.('failed')
    this.#hasForeign = true
    return engine.search(request)
  }

  requireRoom(tenantId: string, index: string): void {
    if (this.#holdersElsewhere(tenantId) === null) return this.#options.engine.requireRoom(tenantId, index)
    const refusal = this.#refusals.get(keyOf(tenantId, index))
    if (refusal === undefined) return
    const remainingMs = refusal.untilMs - performance.now()
    if (remainingMs > 0) throw new IndexRefused(refusal.reason, remainingMs)
    this.#refusals.delete(keyOf(tenantId, index))
  }

  /** Returns the status of one tenant, from its holder; without `tenantId`, that of all running processes together. */
  async status(tenantId?: string): Promise<EngineStatus> {
    if (tenantId !== undefined) {
      const status = await this.#linkFor(tenantId)?.status(tenantId).catch(ignoreOutage)
      return status ?? this.#options.engine.status(tenantId)
    }
    const links = [...this.#links.values()].filter(({ isUp }) => isUp)
    const others = await Promise.all(links.map((link) => link.status(null).catch(ignoreOutage)))
    return sumOfStatuses(
      await this.#options.engine.status(),
      others.filter((status) => status !== null),
    )
  }

  /** Ends the connections to other processes. The own engine stays open; its opener closes it. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const link of this.#links.values()) link.close()
    this.#links.clear()
    this.#onChange()
  }

  #linkTo(name: string, line: Line): HolderLink {
    return new HolderLink(line, this.#options.identity, {
      onChange: () => this.#onChange(),
      onSelf: () => this.#takeName(name),
      onTrouble: (trouble) => this.#options.onTrouble?.(name, trouble),
    })
  }

  /** Takes the name by which other processes call this one, because that name decides the tenants they expect here. */
  #takeName(name: string): void {
    this.#links.get(name)?.close()
    this.#links.delete(name)
    this.#share = { ...this.#share, own: name }
    this.#onChange()
  }

  /** Returns the link to a holder of the tenant; null when this process is one. Several holders take turns. */
  #linkFor(tenantId: string): HolderLink | null {
    const holders = this.#holdersElsewhere(tenantId)
    return holders === null ? null : (this.#links.get(holders[this.#turn++ % holders.length]) ?? null)
  }

  /** Returns the names of the tenant's holders; null when this process is one of them. */
  #holdersElsewhere(tenantId: string): string[] | null {
    const { own, processes, holders } = this.#share
    if (processes.length <= holders) return null
    const names = holdersOf(tenantId, processes, holders)
    return names.includes(own) ? null : names
  }

  /** Remembers a holder's refusal, so that `requireRoom` can refuse early. @returns the error, to be thrown */
  #noteRefusal(tenantId: string, index: string, error: unknown): unknown {
    if (error instanceof IndexRefused) {
      const now = performance.now()
      for (const [key, { untilMs }] of this.#refusals) if (untilMs <= now) this.#refusals.delete(key)
      this.#refusals.set(keyOf(tenantId, index), { reason: error.reason, untilMs: now + error.retryAfterMs })
    }
    return error
  }

  #onChange(): void {
    const others = [...this.#links].filter(([, { isUp }]) => isUp).map(([name]) => name)
    this.#share = { ...this.#share, processes: [this.#share.own, ...others].toSorted() }
    this.#hasForeign = true
    this.#wasChanged = true
    // The tenant's next holder need not refuse an index that its former holder refused.
    this.#refusals.clear()
  }

  /**
   * Drops indexes of tenants that other processes hold, once the running processes have been the same for a while: a
   * process that restarts is soon back.
   */
  async #giveBack(): Promise<void> {
    if (this.#wasChanged) this.#wasChanged = false
    else if (this.#hasForeign) {
      this.#hasForeign = false
      // A thread that is down has no indexes.
      const isFree = await this.#options.engine.keepOnly(this.#share).catch(ignoreOutage)
      if (isFree === false) this.#hasForeign = true
    }
  }
}

function isOutage(error: unknown): boolean {
  // A search that has waited in vain would wait as long again here, where its index is not even built.
  if (error instanceof SearchTimedOut) return false
  return error instanceof HolderGone || error instanceof EngineUnavailable
}

/** Turns an outage of a process into null. @throws every other error */
function ignoreOutage(error: unknown): null {
  if (!isOutage(error)) throw error
  return null
}

function keyOf(tenantId: string, index: string): string {
  return `${index} ${tenantId}`
}
