import type { FastifyRequest } from 'fastify'
import type { FaultKind } from '../../faults.ts'
import type { FaultOf } from '../../lines/push-batches.ts'
import { faultOf } from '../../storage-faults.ts'

/** Kinds of faults of the service itself, rather than of a line or its sender. */
const SERVICE_FAULTS: ReadonlySet<FaultKind> = new Set(['unavailable', 'storage_full', 'search_capacity'])

/**
 * Returns a `faultOf` for the lines of a request that logs a warning for each batch that the service could not store.
 * The request itself is answered with 200 whatever becomes of its lines.
 */
export function loggedFaultOf({ log, record, routeOptions }: FastifyRequest): FaultOf {
  return (error) => {
    const fault = faultOf(error)
    if (fault !== null && SERVICE_FAULTS.has(fault.kind) && !fault.isLogged) {
      const { tenantId, credentialId } = record
      log.warn({ err: error, route: routeOptions.url, tenantId, credentialId }, 'a batch of lines could not be stored')
    }
    return fault
  }
}
