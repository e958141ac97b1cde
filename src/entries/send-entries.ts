import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListPosition } from '../database/walk.ts'
import { sendPage } from '../http/send-page.ts'
import { compileSerialiser } from '../http/serialise.ts'
import * as contract from './contract.ts'
import type { Entry } from './entry.ts'

const writeEntry = compileSerialiser(contract.Entry)

/** Answers with a page of entries. */
export function sendEntries(
  request: FastifyRequest,
  reply: FastifyReply,
  entries: readonly Entry[],
  next: ListPosition | null,
): Promise<FastifyReply> {
  return sendPage(request, reply, {
    items: entries,
    next: next === null ? null : [next.createdAt, next.id],
    keyOf: ({ created_at: createdAt, id }) => [Date.parse(createdAt), id],
    write: writeEntry,
  })
}
