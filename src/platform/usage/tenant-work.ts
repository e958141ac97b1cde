import { Counter, Gauge, type Registry } from 'prom-client'

/** What requests and background work of a tenant took. */
export interface TenantLoad {
  readonly requests: number
  /** Milliseconds of work. */
  readonly workMs: number
  /** Bytes of requests and answers, as they crossed the wire. */
  readonly transferred: number
}

/** What a tenant took since the process started. */
interface Sum {
  requests: number
  workMs: number
  transferred: number
  /** Memory of its search indexes when it was last measured. */
  indexBytes: number
  /** Milliseconds of work of which half is forgotten every `HALF_LIFE_MS`, as of `lastAtMs`. */
  lately: number
  lastAtMs: number
}

/** Tenants in the metrics. Labels for all would make the metrics grow with the installation. */
export const TOP_TENANTS = 10
/** Time in which half of a tenant's work is forgotten when the busiest tenants are chosen. */
const HALF_LIFE_MS = 5 * 60_000

/** Counts what each tenant took of this process since its start, and knows which tenants took most lately. */
export class TenantWork {
  readonly #sums = new Map<string, Sum>()
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  note(tenantId: string, { requests, workMs, transferred }: TenantLoad): void {
    const sum = this.#sumOf(tenantId)
    const now = this.#now()
    sum.requests += requests
    sum.workMs += workMs
    sum.transferred += transferred
    sum.lately = latelyOf(sum, now) + workMs
    sum.lastAtMs = now
  }

  /** Notes the memory of a tenant's search indexes. */
  noteIndex(tenantId: string, indexBytes: number): void {
    this.#sumOf(tenantId).indexBytes = indexBytes
  }

  /** Returns the tenants with most work in the last minutes, the busiest first. */
  busiest(count = TOP_TENANTS): readonly (readonly [tenantId: string, sum: Readonly<Sum>])[] {
    const now = this.#now()
    return [...this.#sums]
      .map((entry) => ({ entry, lately: latelyOf(entry[1], now) }))
      .toSorted((a, b) => b.lately - a.lately)
      .slice(0, count)
      .map(({ entry }) => entry)
  }

  #sumOf(tenantId: string): Sum {
    let sum = this.#sums.get(tenantId)
    if (sum === undefined) {
      sum = { requests: 0, workMs: 0, transferred: 0, indexBytes: 0, lately: 0, lastAtMs: 0 }
      this.#sums.set(tenantId, sum)
    }
    return sum
  }
}

function latelyOf({ lately, lastAtMs }: Sum, now: number): number {
  return lately === 0 ? 0 : lately * 2 ** ((lastAtMs - now) / HALF_LIFE_MS)
}

const COUNTERS = [
  {
    name: 'tenant_requests_total',
    help: 'Requests of the ten tenants with most work in the last minutes',
    read: (sum: Sum) => sum.requests,
  },
  {
    name: 'tenant_work_seconds_total',
    help: 'Seconds of work for the ten tenants with most work in the last minutes: requests, and the search thread',
    read: (sum: Sum) => sum.workMs / 1_000,
  },
  {
    name: 'tenant_transferred_bytes_total',
    help: 'Bytes of requests and answers of the ten tenants with most work in the last minutes',
    read: (sum: Sum) => sum.transferred,
  },
] as const

/** Publishes what the busiest tenants take. A tenant keeps its sums while it is not among them. */
export function watchTenants(registry: Registry, work: TenantWork): void {
  const labelNames = ['tenant'] as const
  for (const { name, help, read } of COUNTERS) {
    // oxlint-disable-next-line no-new -- registers itself
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset()
        for (const [tenant, sum] of work.busiest()) this.inc({ tenant }, read(sum))
      },
    })
  }
  // oxlint-disable-next-line no-new -- registers itself
  new Gauge({
    name: 'tenant_index_bytes',
    help: 'Memory of the search indexes of the ten tenants with most work in the last minutes, in this process',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const [tenant, { indexBytes }] of work.busiest()) this.set({ tenant }, indexBytes)
    },
  })
}
