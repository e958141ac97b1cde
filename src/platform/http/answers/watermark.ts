/** Tells by which watermark a search can wait for a write. */
import type { FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'

/**
 * Returns the name of the watermark of the last change that a request made; where the request changed nothing, of the
 * newest change that it knows of.
 */
export function watermarkOf({ record, caller, server }: FastifyRequest): string {
  const { id, watermark } = caller.tenant
  return server.watermarks.nameOf(id, record.watermark ?? watermark)
}

/** Returns answers to lines that were stored; the last one names the watermark. */
export function withWatermark(answers: readonly object[], request: FastifyRequest): readonly object[] {
  return answers.map((each, i) => (i === answers.length - 1 ? { ...each, watermark: watermarkOf(request) } : each))
}

/** Tells whether a route answers the header X-Watermark. */
export function answersWatermark({ config }: RouteOptions): boolean {
  return config?.answerHeaders?.includes('X-Watermark') === true
}

/** Sets the header X-Watermark of a write that succeeded. An onSend hook. */
export const sendWatermark: onSendHookHandler = (request, reply, _payload, done) => {
  if (reply.statusCode < 300) reply.header('x-watermark', watermarkOf(request))
  done()
}
