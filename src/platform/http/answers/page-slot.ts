import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { pageSlots } from '../../threads/page-slots.ts'

/** Tells whether a route answers with pages of a list, recognised by its `cursor` parameter. */
export function isList({ schema }: Pick<RouteOptions, 'schema'>): boolean {
  const { properties } = (schema?.querystring ?? {}) as { properties?: object }
  return properties !== undefined && 'cursor' in properties
}

/** Returns the owner that the work on a page counts for: the tenant, or the empty text for an operator's request. */
export function pageOwner({ caller }: { readonly caller: Caller | null }): string {
  return caller?.tenant.id ?? ''
}

/** Returns a handler of a list that waits until its tenant may have another page made. */
export function inPageSlot(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    return pageSlots.run(pageOwner(request), async () => handler.call(this, request, reply))
  }
}
