import type { FastifyRequest } from 'fastify'
import type { FaultKind } from '../../faults.ts'
import type { FaultOf } from '../../lines/push-batches.ts'
import { faultOf } from '../../storage-faults.ts'

/** What is wrong with the service, and not with a line or its sender. */
const OURS: ReadonlySet<FaultKind> = new Set(['unavailable', 'storage_full', 'search_capacity'])

/**
 * Like `faultOf`, for the lines of a request: each batch that the service could not store has a warning in the log. The
 * request itself is answered with 200 whatever becomes of its lines.
 */
export function loggedFaultOf({ log, record, routeOptions }: FastifyRequest): FaultOf {
  return (error) => {
    const fault = faultOf(error)
    if (fault !== null && OURS.has(fault.kind) && !fault.isLogged) {
      const { tenantId, credentialId } = record
      log.warn({ err: error, route: routeOptions.url, tenantId, credentialId }, 'a batch of lines could not be stored')
    }
    return fault
  }
}
