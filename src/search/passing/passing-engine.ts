import { spending } from '../../platform/telemetry/work-record.ts'
import {
  type EngineForRequests,
  type EngineStatus,
  EngineUnavailable,
  IndexRefused,
  type RefusalReason,
  type SearchAnswer,
  type SearchRequest,
} from '../engine.ts'
import type { ProcessIdentity } from './frames.ts'
import { HolderGone, HolderLink } from './holder-link.ts'
import { holdersOf, type TenantShare } from '../tenant-share.ts'
import type { Line, LineTrouble } from './line.ts'

/** How often it is looked whether memory of other processes' tenants can be given back. */
const GIVE_BACK_MS = 10_000

/** This process's own engine, and what it can do beyond a search engine. */
interface OwnEngine extends EngineForRequests {
  /** Gives back the memory of tenants that are not of the share. @returns false when some is still in use */
  keepOnly(share: TenantShare): Promise<boolean>
}

/** For metrics: what became of a search that was passed on. */
export type PassingOutcome = 'answered' | 'failed'

export interface PassingOptions {
  readonly engine: OwnEngine
  /** This process's name among those that share tenants, as far as it is known. */
  readonly own: string
  readonly identity: ProcessIdentity
  /** How many processes hold a tenant's indexes. */
  readonly holders: number
  readonly noted?: (outcome: PassingOutcome) => void
  /** Told why a process cannot be asked. */
  readonly onTrouble?: (process: string, trouble: LineTrouble) => void
}

interface Refusal {
  readonly reason: RefusalReason
  readonly untilMs: number
}

/**
 * The engine of a process that shares tenants with others: each tenant's indexes live in few of them, so that the memory
 * of all adds up. A search of a tenant that others hold is passed on to one of them, with its watermark, so that it sees
 * every write that it would see here. If that process is gone, does not answer or has no search thread, the own engine
 * answers. What it builds for that is given back once the tenant's process is there again.
 *
 * A process that gets a search never passes it on, so that processes which disagree for a moment about who is there
 * cannot send it in a circle.
 */
export class PassingEngine implements EngineForRequests {
  readonly #options: PassingOptions
  readonly #links = new Map<string, HolderLink>()
  /** Refusals of other processes, by tenant and index. */
  readonly #refusals = new Map<string, Refusal>()
  #share: TenantShare
  /** Whether the own engine may have indexes of other processes' tenants. */
  #hasForeign = false
  #wasChanged = false
  #turn = 0
  readonly #timer: NodeJS.Timeout

  constructor(options: PassingOptions) {
    this.#options = options
    this.#share = { own: options.own, processes: [options.own], holders: options.holders }
    this.#timer = setInterval(() => void this.#giveBack(), GIVE_BACK_MS).unref()
  }

  /** Names of the processes that are there, this one among them. */
  get processes(): readonly string[] {
    return this.#share.processes
  }

  /** @param peers the other processes by name; this one may be among them */
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
      this.#options.noted?.('answered')
      return answer
    } catch (error) {
      if (!isOutage(error)) throw this.#noteRefusal(tenantId, index, error)
    }
    this.#options.noted?.('failed')
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

  /** Of one tenant where it is held, and of all tenants in all processes together. */
  async status(tenantId?: string): Promise<EngineStatus> {
    if (tenantId !== undefined) {
      const there = await this.#linkFor(tenantId)?.status(tenantId).catch(ignoreOutage)
      return there ?? this.#options.engine.status(tenantId)
    }
    const links = [...this.#links.values()].filter(({ isUp }) => isUp)
    const others = await Promise.all(links.map((link) => link.status(null).catch(ignoreOutage)))
    const sum: Record<string, number> = { ...(await this.#options.engine.status()) }
    for (const each of others) for (const [field, value] of Object.entries(each ?? {})) sum[field] += value
    return sum as unknown as EngineStatus
  }

  /** Ends the lines to other processes. The own engine is closed by whoever opened it. */
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

  /** What others call this process decides which tenants they look for here. */
  #takeName(name: string): void {
    this.#links.get(name)?.close()
    this.#links.delete(name)
    this.#share = { ...this.#share, own: name }
    this.#onChange()
  }

  /** The line to a process that holds the tenant; null when this one does. Several holders take turns. */
  #linkFor(tenantId: string): HolderLink | null {
    const found = this.#holdersElsewhere(tenantId)
    return found === null ? null : (this.#links.get(found[this.#turn++ % found.length]) ?? null)
  }

  /** The processes that hold the tenant; null when this one does. */
  #holdersElsewhere(tenantId: string): string[] | null {
    const { own, processes, holders } = this.#share
    if (processes.length <= holders) return null
    const found = holdersOf(tenantId, processes, holders)
    return found.includes(own) ? null : found
  }

  #noteRefusal(tenantId: string, index: string, error: unknown): unknown {
    if (error instanceof IndexRefused) {
      const now = performance.now()
      for (const [key, { untilMs }] of this.#refusals) if (untilMs <= now) this.#refusals.delete(key)
      this.#refusals.set(keyOf(tenantId, index), { reason: error.reason, untilMs: now + error.retryAfterMs })
    }
    return error
  }

  #onChange(): void {
    const there = [...this.#links].filter(([, { isUp }]) => isUp).map(([name]) => name)
    this.#share = { ...this.#share, processes: [this.#share.own, ...there].toSorted() }
    this.#hasForeign = true
    this.#wasChanged = true
    // What one process refuses need not be refused by the one that holds the tenant from now on.
    this.#refusals.clear()
  }

  /** Only once the processes have been the same for a while: one that restarts is soon back. */
  async #giveBack(): Promise<void> {
    if (this.#wasChanged) this.#wasChanged = false
    else if (this.#hasForeign) {
      this.#hasForeign = false
      // A thread that is down has no indexes.
      const areGone = await this.#options.engine.keepOnly(this.#share).catch(ignoreOutage)
      if (areGone === false) this.#hasForeign = true
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof HolderGone || error instanceof EngineUnavailable
}

function ignoreOutage(error: unknown): null {
  if (!isOutage(error)) throw error
  return null
}

function keyOf(tenantId: string, index: string): string {
  return `${index} ${tenantId}`
}
