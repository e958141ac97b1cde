import type { ConnectionError } from 'fastify'
import type { Socket } from 'node:net'
import { errorBody } from './errors.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

/** Answers what Node's HTTP parser refuses, in the body of every error, and closes the connection. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const [status, type, msg, loc] = refusalOf(error)
  const body = errorBody([{ loc, msg, type }])
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** An answer has begun on this socket; a second one would be read as part of it. */
function isAnswering(socket: Socket): boolean {
  const message = (socket as { _httpMessage?: { _headerSent?: boolean } | null })._httpMessage
  return message?._headerSent === true
}

function refusalOf(error: ConnectionError): [number, string, string, string[]] {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'request_timeout', 'Request took too long to arrive', []]
  if (error.code !== 'HPE_HEADER_OVERFLOW') return [400, 'bad_request', 'Request is not valid HTTP', []]
  return isStillInFirstLine(error)
    ? [414, 'url_too_long', 'URL is too long', ['path']]
    : [431, 'headers_too_large', 'Headers are too large', ['header']]
}

function isStillInFirstLine(error: ConnectionError): boolean {
  const packet = (error as { rawPacket?: unknown }).rawPacket as Buffer | undefined
  if (packet === undefined || !/^[A-Z]{3,10} \//.test(packet.toString('latin1', 0, 16))) return false
  const end = packet.indexOf('\r\n')
  return end < 0 || end > packet.length / 2
}
