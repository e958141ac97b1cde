import type { FastifyRequest } from 'fastify'
import type { FaultDetail } from '../../platform/faults.ts'

const refusal = (status: number, loc: readonly string[], type: string, msg: string) => ({
  status,
  detail: { loc, msg, type },
})

export const METHOD_NOT_ALLOWED = refusal(405, ['path'], 'method_not_allowed', 'Send a message with POST')
export const FOREIGN_ORIGIN = refusal(403, ['header', 'origin'], 'forbidden', 'Pages of other origins are not allowed')
export const NO_MESSAGE = refusal(400, ['body'], 'json_invalid', 'The body is empty')
export const BATCH = refusal(400, ['body'], 'batch', 'Send one message at a time')
export const NO_SUBSCRIPTIONS = refusal(404, ['body', 'method'], 'method_not_found', 'Method not found')

/** Returns the refusal of parameters that are wrong for their method. */
export function badParams({ loc, msg }: FaultDetail) {
  return refusal(400, loc, 'invalid_params', `${loc.slice(1).join('.')}: ${msg}`)
}

/** Error codes of JSON-RPC 2.0, section 5.1. */
const CODES: Readonly<Record<string, number>> = {
  json_invalid: -32_700,
  string_unicode: -32_700,
  batch: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal: -32_603,
}
const OTHER_REFUSAL = -32_000

/** Writes a refusal as a JSON-RPC error, with the same details as the errors of other routes. */
export function refusalBody(details: readonly FaultDetail[], _status: number, request: FastifyRequest): string {
  const [first] = details
  const error = {
    code: CODES[first.type] ?? OTHER_REFUSAL,
    message: details.map(({ msg }) => msg).join('; '),
    data: { detail: details.map(({ loc, msg, type }) => ({ loc, msg, type })) },
  }
  return JSON.stringify({ jsonrpc: '2.0', id: idOf(request.body), error })
}

function idOf(body: unknown): string | number | null {
  const id: unknown = body !== null && typeof body === 'object' && 'id' in body ? body.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
