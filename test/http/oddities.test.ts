import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { logSettings } from '../../src/platform/http/logger.ts'
import { Contract, Text } from '../../src/platform/contract/schema.ts'
import { start } from './support.ts'

const lines: string[] = []
const { raw } = await start(
  (app) => {
    const open = { public: true } as const
    app.get('/a', { config: open }, ({ host }) => ({ host }))
    app.post('/a', { config: open, schema: { body: Contract('Told', { text: Text() }) } }, () => ({ took: true }))
    app.delete('/a', { config: open }, (_request, reply) => reply.code(204).send())
  },
  {
    headersTimeoutMs: 300,
    bodyTimeoutMs: 300,
    logger: pino(logSettings('info'), { write: (line) => lines.push(line) }),
  },
)

const HOST = 'Host: a\r\n'
const CLOSE = 'Connection: close\r\n'
const JSON_BODY = 'Content-Type: application/json\r\n'
const GOOD = '{"text":"abc"}'
const LENGTH = `Content-Length: ${GOOD.length}\r\n`
const CHUNKS = `${GOOD.length.toString(16)}\r\n${GOOD}\r\n0\r\n`
const first = (line: string, headers = '', body = '') => `${line}\r\n${HOST}${CLOSE}${headers}\r\n${body}`
const get = (headers: string) => first('GET /a HTTP/1.1', headers)
const post = (headers: string, body = GOOD) => first('POST /a HTTP/1.1', JSON_BODY + headers, body)
const remove = (headers: string, body = '{bad') => first('DELETE /a HTTP/1.1', headers, body)
const chunked = (coding: string, body = `${CHUNKS}\r\n`) => post(`Transfer-Encoding: ${coding}\r\n`, body)

/** Returns each answer as status, place and type; an answer without the common error body as its status alone. */
function answersIn(text: string): string[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((answer) => answer !== '')
    .map((answer) => {
      const status = answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
      if (!body.startsWith('{"detail":')) return status
      const { detail } = JSON.parse(body) as { detail: { loc: string[]; msg: string; type: string }[] }
      assert.equal(typeof detail[0].msg, 'string')
      return `${status} ${detail[0].loc.join('.')} ${detail[0].type}`
    })
}

const BAD = '400  bad_request'
const WRONG_HOST = '400 header.host bad_request'
const UNKNOWN = '501 path method_not_allowed'
const WRONG = '405 path method_not_allowed'
const NOWHERE = '404 path not_found'
const UNEXPECTED = '417 header.expect expectation_failed'
const UNCODED = '501 header.transfer-encoding not_implemented'
const ENCODED = '415 header.content-encoding unsupported_media_type'
const UNTYPED = '415 header.content-type unsupported_media_type'

const CASES: Readonly<Record<string, readonly [text: string, ...answers: string[]]>> = {
  'QUERY without a body': [first('QUERY /a HTTP/1.1'), WRONG],
  'QUERY with a body': [first('QUERY /a HTTP/1.1', JSON_BODY + LENGTH, GOOD), WRONG],
  'QUERY of an unknown path': [first('QUERY /nowhere HTTP/1.1'), NOWHERE],
  PROPFIND: [first('PROPFIND /a HTTP/1.1', 'Content-Type: text/xml\r\nContent-Length: 4\r\n', '<a/>'), WRONG],
  TRACE: [first('TRACE /a HTTP/1.1'), WRONG],
  'a method nobody knows': [first('FOO /a HTTP/1.1'), UNKNOWN],
  'a method in lower case': [first('get /a HTTP/1.1'), UNKNOWN],
  'an unknown method behind a good request': [`GET /a HTTP/1.1\r\n${HOST}\r\n${first('FOO /a HTTP/1.1')}`, '200'],
  'CONNECT to a host': [first('CONNECT a:80 HTTP/1.1'), UNKNOWN],
  'CONNECT to a path': [first('CONNECT /a HTTP/1.1'), UNKNOWN],
  'OPTIONS of everything': [first('OPTIONS * HTTP/1.1'), NOWHERE],
  'HTTP/2 with prior knowledge': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', BAD],
  TLS: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', BAD],
  'HTTP/2.0 in words': [first('GET /a HTTP/2.0'), '505  http_version'],
  'HTTP/0.9': ['GET /a\r\n\r\n', '505  http_version'],
  'HTTP/1.0 without a host': ['GET /a HTTP/1.0\r\n\r\n', '200'],
  'an upgrade to h2c': [get('Upgrade: h2c\r\nHTTP2-Settings: AA\r\n'), '200'],
  'an upgrade to a WebSocket': [get('Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'), '200'],
  'no host': [`GET /a HTTP/1.1\r\n${CLOSE}\r\n`, WRONG_HOST],
  'two hosts': [get('Host: b\r\n'), WRONG_HOST],
  'the same host twice': [get('hOST: a\r\n'), WRONG_HOST],
  'a host with a path': [`GET /a HTTP/1.1\r\nHost: a/b\r\n${CLOSE}\r\n`, WRONG_HOST],
  'a host with somebody': [`GET /a HTTP/1.1\r\nHost: a@b\r\n${CLOSE}\r\n`, WRONG_HOST],
  'a host of 16 KB': [`GET /a HTTP/1.1\r\nHost: ${'a'.repeat(15_000)}\r\n${CLOSE}\r\n`, WRONG_HOST],
  'an address in absolute form': [first('GET http://A/a HTTP/1.1'), '200'],
  'an address at another host': [first('GET http://b/a HTTP/1.1'), WRONG_HOST],
  'an expectation nobody meets': [get('Expect: x\r\n'), UNEXPECTED],
  'an empty expectation': [get('Expect:\r\n'), UNEXPECTED],
  'an expectation before a body': [post(`Expect: x\r\n${LENGTH}`, '{"te'), UNEXPECTED],
  'an expectation behind a good request': [`GET /a HTTP/1.1\r\n${HOST}\r\n${get('Expect: x\r\n')}`, '200', UNEXPECTED],
  'two expectations': [post(`Expect: 100-continue, x\r\n${LENGTH}`), '100', UNEXPECTED],
  'the expectation that is met': [post(`Expect: 100-Continue\r\n${LENGTH}`), '100', '200'],
  'a body that is packed': [post(`Content-Encoding: gzip\r\n${LENGTH}`), ENCODED],
  'a body that is not packed': [post(`Content-Encoding: identity\r\n${LENGTH}`), '200'],
  'the same length twice': [post(LENGTH + LENGTH), BAD],
  'two lengths': [post(`${LENGTH}Content-Length: 3\r\n`), BAD],
  'a length and chunks': [post(`${LENGTH}Transfer-Encoding: chunked\r\n`, `${CHUNKS}\r\n`), BAD],
  'a length below zero': [post('Content-Length: -1\r\n'), BAD],
  'a length beyond all numbers': [post(`Content-Length: ${'9'.repeat(30)}\r\n`), BAD],
  'chunked twice': [chunked('chunked, chunked'), BAD],
  'chunked in two headers': [chunked('chunked\r\nTransfer-Encoding: chunked'), BAD],
  'a coding of its own': [chunked('gzip'), UNCODED],
  'a coding within chunks': [chunked('gzip, chunked'), UNCODED],
  'chunks in HTTP/1.0': [
    first('POST /a HTTP/1.0', `${JSON_BODY}Transfer-Encoding: chunked\r\n`, `${CHUNKS}\r\n`),
    '400 header.transfer-encoding bad_request',
  ],
  'extensions of chunks': [chunked('chunked', `${CHUNKS.replace('\r\n', ';a=b\r\n')}\r\n`), '200'],
  'overlong extensions of chunks': [chunked('chunked', CHUNKS.replace('\r\n', `;${'x'.repeat(40_000)}\r\n`)), BAD],
  'a chunk whose length is no number': [chunked('chunked', `zz\r\n${GOOD}`), BAD],
  trailers: [chunked('chunked', `${CHUNKS}X-Told: 1\r\n\r\n`), '200'],
  'overlong trailers': [
    chunked('chunked', `${CHUNKS}X-Told: ${'x'.repeat(40_000)}\r\n\r\n`),
    '431 header headers_too_large',
  ],
  'a folded header': [get('X-Told: a\r\n b\r\n'), BAD],
  'a space before a colon': [get('X-Told : a\r\n'), BAD],
  'a zero in a header': [get('X-Told: a\0b\r\n'), BAD],
  'lines that end in LF': ['GET /a HTTP/1.1\nHost: a\n\n', BAD],
  'bytes beyond ASCII in an address': [first('GET /\xff HTTP/1.1'), BAD],
  'a body that a GET has for nothing': [get(`${JSON_BODY}Content-Length: 400\r\n`), '200'],
  'a DELETE with bad JSON': [remove(`${JSON_BODY}Content-Length: 4\r\n`), '422 body json_invalid'],
  'a DELETE with a body of no type': [remove('Content-Length: 4\r\n'), UNTYPED],
  'a DELETE with a body of another type': [remove('Content-Type: text/plain\r\nContent-Length: 4\r\n'), UNTYPED],
  'a DELETE with a type that is none': [remove('Content-Type: ;;;\r\nContent-Length: 4\r\n'), UNTYPED],
  'a DELETE with too large a body': [remove(`${JSON_BODY}Content-Length: 40000000\r\n`), '413 body body_too_large'],
  'a DELETE whose body never comes': [remove(`${JSON_BODY}Content-Length: 40\r\n`), '408 body request_timeout'],
  'a DELETE with chunks that are none': [remove(`${JSON_BODY}Transfer-Encoding: chunked\r\n`, 'zz\r\n'), BAD],
  'a body to an unknown path': [first('POST /nowhere HTTP/1.1', `${JSON_BODY}Content-Length: 4\r\n`, '{bad'), NOWHERE],
  'a body to an unknown path that never comes': [
    first('POST /nowhere HTTP/1.1', `${JSON_BODY}Content-Length: 400\r\n`, '{bad'),
    NOWHERE,
  ],
  'a bad body to a method that is not there': [
    first('PUT /a HTTP/1.1', `${JSON_BODY}Content-Length: 4\r\n`, '{bad'),
    WRONG,
  ],
}

for (const [name, [text, ...answers]] of Object.entries(CASES)) {
  test(`${name}: refusals have the common error body, the connection closes, and no internal error occurs`, async () => {
    lines.length = 0
    assert.deepEqual(answersIn(await raw(text)), answers)
    assert.deepEqual(lines, [])
  })
}
