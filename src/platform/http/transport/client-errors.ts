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

/** Bytes of a packet that are searched for the request line. */
const FIRST_LINE_BYTES = 1_024

/** Answers a request that Node's HTTP parser refuses with the common error body, and closes the connection. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  else refuseConnection(refusalOf(error), socket)
}

/** Closes a connection in the middle of a request, with a refusal unless an answer has begun. */
export function refuseConnection(reason: Refusal, socket: Socket): void {
  if (!socket.writable || isAnswering(socket)) socket.destroy()
  else endWith(reason, socket)
}

/**
 * Answers requests that Node would not pass to routes: CONNECT, which Node would hang up on, and expectations, which
 * Node refuses without a body.
 */
export function answerOddRequests(server: Server): void {
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (isTaken(socket)) socket.destroy()
    else endWith(UNKNOWN_METHOD, socket)
  })
  // `framingFault` refuses these like any other request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Writes a refusal to a connection without a response object, and closes the connection. */
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
  /** The answer in progress on this socket, an internal property of Node. */
  _httpMessage?: { _headerSent?: boolean } | null
}

/** Tells whether an answer has begun on this socket. Another answer would become part of it. */
function isAnswering(socket: Socket): boolean {
  return (socket as Answering)._httpMessage?._headerSent === true
}

/** Tells whether an earlier request on this socket still waits for its answer. */
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

/** Tells whether only the method is unknown, as opposed to bytes that are not HTTP. */
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
