import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { PAGE_BYTES_MAX } from '../../database/page.ts'
import type { ListPosition } from '../../database/walk.ts'
import { pageSlots } from '../../threads/page-slots.ts'
import { threadSlices } from '../../threads/slices.ts'
import { type CursorValue, encodeCursor, nextLink } from '../../contract/paging.ts'

/** Tells whether a route answers with pages of a list, recognised by its `cursor` parameter. */
export function isList({ schema }: Pick<RouteOptions, 'schema'>): boolean {
  const { properties } = (schema?.querystring ?? {}) as { properties?: object }
  return properties !== undefined && 'cursor' in properties
}

/** Returns the owner that the work on a page counts for: the tenant, or the empty text for an operator's request. */
function pageOwner({ caller }: { readonly caller: Caller | null }): string {
  return caller?.tenant.id ?? ''
}

/** Returns a handler of a list that waits until its tenant may have another page made. */
export function inPageSlot(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    return pageSlots.run(pageOwner(request), async () => handler.call(this, request, reply))
  }
}

interface PageToSend<T> {
  readonly items: readonly T[]
  /** Position of the last item; null on the last page. */
  readonly next: readonly CursorValue[] | null
  /** Returns the position of an item in the list's order. */
  readonly keyOf: (item: T) => readonly CursorValue[]
  /** Serialises an item by its contract. */
  readonly write: (item: T) => string
}

/**
 * Answers with a page of a list and the link to the next page. Text can grow to six times its length as JSON, so the
 * page ends before its JSON exceeds `PAGE_BYTES_MAX`. It has at least one item.
 */
export async function sendPage<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, next, keyOf, write }: PageToSend<T>,
): Promise<FastifyReply> {
  const { json, count } = await writeList(pageOwner(request), items, write)
  const last = count < items.length ? keyOf(items[count - 1]) : next
  if (last !== null) reply.header('link', nextLink(request.url, encodeCursor(last)))
  return sendPrepared(reply, json)
}

/** Answers like `sendPage`, for a list whose newest items come first. */
export function sendNewest<T extends { readonly created_at: string; readonly id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, next, write }: Pick<PageToSend<T>, 'items' | 'write'> & { readonly next: ListPosition | null },
): Promise<FastifyReply> {
  return sendPage(request, reply, {
    items,
    next: next === null ? null : [next.createdAt, next.id],
    keyOf: ({ created_at: createdAt, id }) => [Date.parse(createdAt), id],
    write,
  })
}

/** Answers with a whole list of small items, however many there are, written in slices. */
export async function sendAll<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, write }: Pick<PageToSend<T>, 'items' | 'write'>,
): Promise<FastifyReply> {
  const { json } = await writeList(request.caller.tenant.id, items, write, Number.POSITIVE_INFINITY)
  return sendPrepared(reply, json)
}

/**
 * Answers with JSON bytes that skip the serialiser. The calling code ensures that they contain only what the contract
 * declares.
 */
export function sendPrepared(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

/**
 * Writes as many items as fit on a page, in slices.
 * @param owner the tenant that the page is for
 */
async function writeList<T>(
  owner: string,
  items: readonly T[],
  write: (item: T) => string,
  bytesMax = PAGE_BYTES_MAX,
): Promise<{ json: Buffer; count: number }> {
  const parts: Buffer[] = []
  let [bytes, count] = [0, 0]
  for (const item of items) {
    const pause = threadSlices.pause(owner)
    if (pause !== undefined) await pause
    const part = Buffer.from(`${count === 0 ? '[' : ','}${write(item)}`)
    if (count > 0 && bytes + part.length > bytesMax) break
    parts.push(part)
    bytes += part.length
    count += 1
  }
  return { json: Buffer.concat([...parts, Buffer.from(count === 0 ? '[]' : ']')]), count }
}
