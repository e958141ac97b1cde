import type { ConnectionError } from 'fastify'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, refusal, type Refusal, UNKNOWN_METHOD, URL_TOO_LONG } from '../errors.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
}

/** As much of a packet as a first line is looked for in. */
const FIRST_LINE_BYTES = 1_024

/** Answers what Node's HTTP parser refuses, in the body of every error, and closes the connection. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  endWith(refusalOf(error), socket)
}

/**
 * Takes what Node keeps from routes: a CONNECT, which it would hang up on, and expectations, which it refuses without a
 * word.
 */
export function answerOddRequests(server: Server): void {
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (isTaken(socket)) socket.destroy()
    else endWith(UNKNOWN_METHOD, socket)
  })
  // Refused like any other request, by `framingFault`.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Writes a refusal to a connection that no answer belongs to, and closes it. */
export function endWith({ status, detail }: Refusal, socket: Socket): void {
  const body = errorBody([detail])
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...(status === 429 ? ['Retry-After: 1'] : []),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

interface Answering {
  /** The answer that the socket is at, in Node's own keeping. */
  _httpMessage?: { _headerSent?: boolean } | null
}

/** An answer has begun on this socket; a second one would be read as part of it. */
function isAnswering(socket: Socket): boolean {
  return (socket as Answering)._httpMessage?._headerSent === true
}

/** An earlier request on this socket has its answer to come. */
function isTaken(socket: Socket): boolean {
  return ((socket as Answering)._httpMessage ?? null) !== null
}

function refusalOf(error: ConnectionError): Refusal {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return refusal(408, [], 'request_timeout', 'Request took too long to arrive')
  if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(error)) return UNKNOWN_METHOD
  if (error.code !== 'HPE_HEADER_OVERFLOW') return refusal(400, [], 'bad_request', 'Request is not valid HTTP')
  return isStillInFirstLine(error)
    ? URL_TOO_LONG
    : refusal(431, ['header'], 'headers_too_large', 'Headers are too large')
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\dA-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/

/** Whether only the method of a request is unknown, as opposed to bytes that are no HTTP at all. */
function isRequestLine(error: ConnectionError): boolean {
  const packet = packetOf(error)
  if (packet === undefined) return false
  const start = packet.lastIndexOf(0x0a, error.bytesParsed) + 1
  return REQUEST_LINE.test(packet.toString('latin1', start, start + FIRST_LINE_BYTES))
}

function packetOf(error: ConnectionError): Buffer | undefined {
  return (error as { rawPacket?: unknown }).rawPacket as Buffer | undefined
}

function isStillInFirstLine(error: ConnectionError): boolean {
  const packet = packetOf(error)
  if (packet === undefined || !/^[A-Z]{3,10} \//.test(packet.toString('latin1', 0, 16))) return false
  const end = packet.indexOf('\r\n')
  return end < 0 || end > packet.length / 2
}
