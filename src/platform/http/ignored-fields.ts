import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { shorten } from '../contract/check-faults.ts'
import { type Undeclared, undeclaredFaults, undeclaredIn } from '../contract/undeclared.ts'
import { Fault } from '../faults.ts'

/** Most names in a header, and most characters after which a further name begins. */
const NAMED_MAX = 20
const CHARACTERS_MAX = 2_000

/** `handling=strict` among the preferences (RFC 7240, section 4.4). */
const STRICT = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i

/** Tells whether the caller prefers undeclared fields to be refused. */
export function prefersStrict({ headers: { prefer } }: FastifyRequest): boolean {
  return prefer !== undefined && STRICT.test(String(prefer))
}

/**
 * Names in the header X-Ignored the fields of query and body that nothing reads, or refuses them for a caller who
 * prefers that. A preHandler hook.
 */
export const nameIgnored: preHandlerHookHandler = (request, reply, done) => {
  const fault = ignoredFault(request, reply)
  if (fault === null) done()
  // Marked as a fault of the body, so that `sendError` adds the body's other faults.
  else done(Object.assign(fault, { validationContext: 'body' }))
}

/**
 * Sets the headers that name the ignored fields of a request.
 * @returns the fault for a caller who prefers ignored fields to be refused; null when there is nothing to refuse
 */
export function ignoredFault(request: FastifyRequest, reply: FastifyReply): Fault | null {
  const inQuery = ignoredInQuery(request)
  const inBody = undeclaredIn(request.body)
  const isStrict = prefersStrict(request)
  if (isStrict) reply.header('preference-applied', 'handling=strict')
  if (inQuery.length + inBody.length === 0) return null
  const ofQuery = isStrict ? undeclaredFaults(inQuery, ['query']) : []
  const ofBody = isStrict ? undeclaredFaults(inBody, ['body']) : []
  if (ofQuery.length + ofBody.length > 0) return new Fault('invalid', ofQuery.length > 0 ? ofQuery : ofBody)
  reply.header('x-ignored', namesOf([...inQuery, ...inBody]))
  return null
}

/** Returns the fields of the query that the route ignores: all of them when the route declares no parameters. */
function ignoredInQuery({ query, routeOptions }: FastifyRequest): readonly Undeclared[] {
  if (routeOptions.schema?.querystring !== undefined) return undeclaredIn(query)
  const names = Object.keys(query as object).slice(0, NAMED_MAX)
  return names.map((name) => ({ path: [name], known: [], isReadOnly: false }))
}

/** Returns the names of fields, percent-encoded, because the caller chose them and they may hold any character. */
function namesOf(fields: readonly Undeclared[]): string {
  let names = ''
  for (const { path } of fields.slice(0, NAMED_MAX)) {
    if (names.length > CHARACTERS_MAX) break
    const name = path.map((part) => shorten(part).toWellFormed()).join('.')
    names += `${names === '' ? '' : ', '}${encodeURIComponent(name)}`
  }
  return names
}
