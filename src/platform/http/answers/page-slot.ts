import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import { pageSlots } from '../../threads/page-slots.ts'

/** Whether a route answers with pages of a list, recognised by its `cursor` parameter. */
export function isList({ schema }: Pick<RouteOptions, 'schema'>): boolean {
  const { properties } = (schema?.querystring ?? {}) as { properties?: object }
  return properties !== undefined && 'cursor' in properties
}

/** Makes a list's handler wait until its tenant may have another page made. */
export function inPageSlot(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    return pageSlots.run(request.caller.tenant.id, async () => handler.call(this, request, reply))
  }
}
