import type { onRequestHookHandler } from 'fastify'
import { type Fault, rateLimited } from '../../faults.ts'

/** Bulk requests of one tenant that run at once in a process: the number of streams that the benchmarks use. */
export const BULKS_PER_TENANT_MAX = 16
const RETRY_AFTER_MS = 5_000

/**
 * Limits the concurrent bulk requests of each tenant. Each request holds batches in memory and waits for the write lock
 * for as long as its sender likes. A further request is refused instead of queued as in `FairSlots`, because its body
 * is already on its way.
 */
export class BulkSlots {
  readonly #running = new Map<string, number>()

  /** Takes a slot for a request until its answer ends. A hook that runs after the caller is set. */
  readonly enter: onRequestHookHandler = (request, reply, done) => {
    const tenantId = request.caller.tenant.id
    const running = this.#running.get(tenantId) ?? 0
    if (running >= BULKS_PER_TENANT_MAX) return done(tooMany())
    this.#running.set(tenantId, running + 1)
    // `close` always comes, even when the client goes away.
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
