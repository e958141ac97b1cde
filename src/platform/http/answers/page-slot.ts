import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import { pageSlots } from '../../threads/page-slots.ts'

/** Whether a route answers with a page of a list: those that take a cursor. */
export function isList({ schema }: Pick<RouteOptions, 'schema'>): boolean {
  const { properties } = (schema?.querystring ?? {}) as { properties?: object }
  return properties !== undefined && 'cursor' in properties
}

/** The handler of a list, which waits until its tenant may have one more page made. */
export function inPageSlot(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    return pageSlots.run(request.caller.tenant.id, async () => handler.call(this, request, reply))
  }
}
