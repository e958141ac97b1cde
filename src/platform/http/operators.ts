import type { onRequestHookHandler } from 'fastify'
import type { Operator, ResolveOperator } from '../access/operator.ts'
import { Fault } from '../faults.ts'
import { clientAddress } from '../throttling/client-address.ts'
import { type IpNetwork, isWithin, parseIpAddress } from '../throttling/ip-address.ts'
import { sendDetails } from './errors.ts'
import type { RateLimits } from './rate-limit.ts'
import type { Turns } from './transport/turns.ts'

/** Beginning of all paths that operators call, and of no others. */
const OPERATOR_PATHS = '/api/operator/'

/**
 * Returns the hook of every route of operators. The hook checks the credential (401) and its rate (429) before the body
 * is read.
 * @param limits null when there are no limits
 */
export function protectOperators(
  resolve: ResolveOperator,
  limits: RateLimits | null,
  turns: Turns,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const admit = (operator: Operator) => {
      request.record.credentialId = operator.id
      try {
        limits?.countRequest(operator.id, Date.now())
      } catch (error) {
        return done(error as Error)
      }
      request.operator = operator
      return turns.enterRequest(request, done)
    }
    const refuse = (error: Error) => {
      try {
        if (error instanceof Fault && error.kind === 'unauthorized')
          limits?.countRefusal(clientAddress(request.ip), Date.now())
      } catch (tooMany) {
        return done(tooMany as Error)
      }
      return done(error)
    }
    resolve(request.raw.headers.authorization).then(admit, refuse)
  }
}

/**
 * Returns a hook of every request that answers 404 for the paths of operators to addresses outside of some networks,
 * whatever the method.
 */
export function hideOperators(networks: readonly IpNetwork[]): onRequestHookHandler {
  return (request, reply, done) => {
    // The router decodes percent signs, so it also finds a path that does not begin like this. A path without a route is
    // recognised by its beginning.
    const isOperators =
      request.routeOptions.config.operator === true || (request.raw.url as string).startsWith(OPERATOR_PATHS)
    if (!isOperators) return done()
    const address = parseIpAddress(request.ip)
    if (address !== null && networks.some((network) => isWithin(address, network))) return done()
    return sendDetails(reply, 404, [{ loc: ['path'], msg: 'Path not found', type: 'not_found' }])
  }
}
