/** Reads from the headers of a search for which write it waits, how long, and whether a part of an index will do. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, TextsWanted } from '../access/caller.ts'
import { invalid } from '../faults.ts'
import { runSearch } from './waiting-searches.ts'

/** `wait` among the preferences, in seconds (RFC 7240, section 4.3). */
const WAIT = /(?:^|,)\s*wait\s*=\s*(?<quote>"?)(?<seconds>\d{1,6})\k<quote>\s*(?:$|[,;])/i
/** `partial` among the preferences, which this service defines. */
const PARTIAL = /(?:^|,)\s*partial\s*(?:$|[,;])/i
/** Longest wait in seconds. */
const WAIT_MAX = 60

/**
 * Runs the searches of a request with the texts that its headers ask for. Names in the answer the preferences that the
 * searches follow.
 * @param count number of searches in the request
 * @throws Fault invalid for a watermark that no write of the tenant has had; and the faults of `runSearch`
 */
export function searchAsAsked<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  search: (caller: Caller) => Promise<Result>,
  count = 1,
): Promise<Result> {
  return runSearch(request, searchingCaller(request, reply), search, { count })
}

function searchingCaller(request: FastifyRequest, reply: FastifyReply): Caller {
  const { caller, headers } = request
  const named = headers['x-min-watermark']
  const prefer = headers.prefer === undefined ? '' : String(headers.prefer)
  const isPartial = PARTIAL.test(prefer)
  if (named === undefined && !isPartial) return caller
  const watermark = named === undefined ? null : readWatermark(request, String(named), ['header', 'x-min-watermark'])
  const seconds = watermark === null ? undefined : WAIT.exec(prefer)?.groups?.seconds
  const waitMs = seconds === undefined ? null : Math.min(WAIT_MAX, Number(seconds)) * 1_000
  const applied = [...(waitMs === null ? [] : [`wait=${waitMs / 1_000}`]), ...(isPartial ? ['partial'] : [])]
  if (applied.length > 0) reply.header('preference-applied', applied.join(', '))
  const texts: TextsWanted = { watermark, waitMs, isPartial }
  return { ...caller, texts }
}

/**
 * Returns the watermark that a name stands for.
 * @param place location of the name, for the fault
 * @throws Fault invalid for a name that no write of the tenant was answered
 */
export function readWatermark({ caller, server }: FastifyRequest, name: string, place: readonly string[]): number {
  const { id, watermark: newest } = caller.tenant
  const watermark = server.watermarks.read(id, name)
  if (watermark !== null && watermark <= newest) return watermark
  throw invalid(place, 'value_error', 'This is no watermark that a write of the tenant was answered')
}
