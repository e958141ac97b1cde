import type { onRequestHookHandler } from 'fastify'
import { type Fault, rateLimited } from '../../faults.ts'

/** Bulk requests of one tenant that may run at once in a process: as many streams as the benchmarks load with. */
export const BULKS_PER_TENANT_MAX = 16
const RETRY_AFTER_MS = 5_000

/**
 * Bounds the bulk requests that run at once for each tenant: each holds batches in memory and waits for the write
 * lock for as long as its sender likes. One too many is refused instead of waiting as for `FairSlots`: its body would be
 * on its way meanwhile.
 */
export class BulkSlots {
  readonly #running = new Map<string, number>()

  /** A hook behind the one that resolves the caller. The slot is free again when the answer has ended. */
  readonly enter: onRequestHookHandler = (request, reply, done) => {
    const tenantId = request.caller.tenant.id
    const running = this.#running.get(tenantId) ?? 0
    if (running >= BULKS_PER_TENANT_MAX) return done(tooMany())
    this.#running.set(tenantId, running + 1)
    // `close` always comes, also when the client goes away.
    reply.raw.once('close', () => {
      const left = this.#running.get(tenantId)! - 1
      if (left > 0) this.#running.set(tenantId, left)
      else this.#running.delete(tenantId)
    })
    done()
  }
}

function tooMany(): Fault {
  const msg = `At most ${BULKS_PER_TENANT_MAX} bulk requests of a tenant run at once, try again`
  return rateLimited(['header', 'authorization'], msg, RETRY_AFTER_MS)
}
