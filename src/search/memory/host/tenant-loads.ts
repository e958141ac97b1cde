import type { IndexLoad } from './protocol.ts'
import type { MemorySize } from '../columns/memory-size.ts'

/** Collects what the thread does for each tenant, until it is told to the process. */
export class TenantLoads {
  readonly #workMs = new Map<string, number>()
  /** Bytes that were told last, of tenants with any. */
  readonly #told = new Map<string, number>()

  /** Adds milliseconds of work for a tenant. */
  add(tenantId: string, ms: number): void {
    this.#workMs.set(tenantId, (this.#workMs.get(tenantId) ?? 0) + ms)
  }

  /** Returns the work since the last call, and the memory of tenants that worked or whose memory has changed. */
  take(sizes: ReadonlyMap<string, MemorySize>): IndexLoad[] {
    const tenantIds = new Set(this.#workMs.keys())
    for (const [tenantId, { bytes }] of sizes) if (this.#told.get(tenantId) !== bytes) tenantIds.add(tenantId)
    for (const tenantId of this.#told.keys()) if (!sizes.has(tenantId)) tenantIds.add(tenantId)
    const loads = [...tenantIds].map((tenantId) => {
      const bytes = sizes.get(tenantId)?.bytes ?? 0
      if (bytes === 0) this.#told.delete(tenantId)
      else this.#told.set(tenantId, bytes)
      return { tenantId, workMs: this.#workMs.get(tenantId) ?? 0, bytes }
    })
    this.#workMs.clear()
    return loads
  }
}
