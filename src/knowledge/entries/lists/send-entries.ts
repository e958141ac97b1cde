import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListPosition } from '../../../platform/database/walk.ts'
import { sendNewest } from '../../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import * as contract from '../contract.ts'
import type { Entry } from '../contract.ts'

const writeEntry = compileSerialiser(contract.Entry)

/** Answers with a page of entries. */
export function sendEntries(
  request: FastifyRequest,
  reply: FastifyReply,
  entries: readonly Entry[],
  next: ListPosition | null,
): Promise<FastifyReply> {
  return sendNewest(request, reply, { items: entries, next, write: writeEntry })
}
