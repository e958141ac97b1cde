/** Reads from the headers of a search for which write it waits, how long, and whether a part of an index will do. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, TextsWanted } from '../access/caller.ts'
import { invalid } from '../faults.ts'

const PLACE = ['header', 'x-min-watermark']
/** `wait` among the preferences, in seconds (RFC 7240, section 4.3). */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:$|[,;])/i
/** `partial` among the preferences, which this service defines. */
const PARTIAL = /(?:^|,)\s*partial\s*(?:$|[,;])/i
/** Longest wait in seconds. */
const WAIT_MAX = 60

/**
 * Returns the caller of a search, with the texts that its headers ask for. Names in the answer the preferences that
 * the search follows.
 * @throws Fault invalid for a watermark that no write of the tenant has had
 */
export function searchingCaller({ caller, headers, server }: FastifyRequest, reply: FastifyReply): Caller {
  const named = headers['x-min-watermark']
  const prefer = headers.prefer === undefined ? '' : String(headers.prefer)
  const isPartial = PARTIAL.test(prefer)
  if (named === undefined && !isPartial) return caller
  const watermark =
    named === undefined ? null : readWatermark(caller, server.watermarks.read(caller.tenant.id, String(named)))
  const seconds = watermark === null ? undefined : WAIT.exec(prefer)?.[1]
  const waitMs = seconds === undefined ? null : Math.min(WAIT_MAX, Number(seconds)) * 1_000
  const applied = [...(waitMs === null ? [] : [`wait=${waitMs / 1_000}`]), ...(isPartial ? ['partial'] : [])]
  if (applied.length > 0) reply.header('preference-applied', applied.join(', '))
  const texts: TextsWanted = { watermark, waitMs, isPartial }
  return { ...caller, texts }
}

function readWatermark({ tenant }: Caller, watermark: number | null): number {
  if (watermark !== null && watermark <= tenant.watermark) return watermark
  throw invalid(PLACE, 'value_error', 'This is no X-Watermark that a write of the tenant was answered')
}
