import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { shorten } from '../contract/check-faults.ts'
import { type Undeclared, undeclaredFaults, undeclaredIn } from '../contract/undeclared.ts'
import { Fault } from '../faults.ts'

/** Names in a header, and characters after which no further name begins. */
const NAMED_MAX = 20
const CHARACTERS_MAX = 2_000

/** `handling=strict` among the preferences (RFC 7240, section 4.4). */
const STRICT = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i

/** Whether the caller prefers undeclared fields to be refused. */
export function prefersStrict({ headers: { prefer } }: FastifyRequest): boolean {
  return prefer !== undefined && STRICT.test(String(prefer))
}

/**
 * A preHandler hook: names the fields of query and body that nothing reads in the header X-Ignored, or refuses them for
 * a caller who prefers that.
 */
export const nameIgnored: preHandlerHookHandler = (request, reply, done) => {
  const fault = ignoredFault(request, reply)
  if (fault === null) done()
  // As a fault of the body it is completed with the others that the body has.
  else done(Object.assign(fault, { validationContext: 'body' }))
}

/**
 * Sets the headers that say what of a request is ignored.
 * @returns what the caller prefers to be refused for; null for nothing
 */
export function ignoredFault(request: FastifyRequest, reply: FastifyReply): Fault | null {
  const inQuery = ignoredInQuery(request)
  const inBody = undeclaredIn(request.body)
  const isStrict = prefersStrict(request)
  if (isStrict) reply.header('preference-applied', 'handling=strict')
  if (inQuery.length + inBody.length === 0) return null
  if (!isStrict) {
    reply.header('x-ignored', namesOf([...inQuery, ...inBody]))
    return null
  }
  const details = inQuery.length > 0 ? undeclaredFaults(inQuery, ['query']) : undeclaredFaults(inBody, ['body'])
  return new Fault('invalid', details)
}

/** A route without declared parameters ignores all of them. */
function ignoredInQuery({ query, routeOptions }: FastifyRequest): readonly Undeclared[] {
  if (routeOptions.schema?.querystring !== undefined) return undeclaredIn(query)
  const names = Object.keys(query as object).slice(0, NAMED_MAX)
  return names.map((name) => ({ path: [name], known: [] }))
}

/** The names, percent-encoded: they are the caller's, and may hold anything. */
function namesOf(fields: readonly Undeclared[]): string {
  let names = ''
  for (const { path } of fields.slice(0, NAMED_MAX)) {
    if (names.length > CHARACTERS_MAX) break
    const name = path.map((part) => shorten(part).toWellFormed()).join('.')
    names += `${names === '' ? '' : ', '}${encodeURIComponent(name)}`
  }
  return names
}
