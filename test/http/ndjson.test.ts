import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { BULKS_PER_TENANT_MAX } from '../../src/platform/http/lines/bulk-slots.ts'
import { inPieces } from '../../src/platform/http/lines/bulk-answer.ts'
import { LINE_FAULTS_MAX, lineDetail } from '../../src/platform/lines/line-faults.ts'
import { LineTally, USELESS_LINES_MAX } from '../../src/platform/lines/line-tally.ts'
import { ndjsonLines } from '../../src/platform/lines/ndjson.ts'
import { CREDENTIAL, only, start } from './support.ts'
import { until } from '../support/patience.ts'

const type = { 'content-type': 'application/x-ndjson' }
const LINE_BYTES_MAX = 64

const twoRead = Promise.withResolvers<void>()
const { send, port } = await start((app) => {
  app.post('/bulk', { config: { ndjson: true } }, async (request) => {
    const results: unknown[] = []
    for await (const { line, value, fault } of ndjsonLines(request.body as IncomingMessage, LINE_BYTES_MAX)) {
      results.push([line, fault?.details[0].type ?? value])
    }
    return results
  })
  app.post('/messages', { config: { ndjson: true } }, async (request) => {
    const messages: string[] = []
    for await (const { fault } of ndjsonLines(request.body as IncomingMessage, LINE_BYTES_MAX)) {
      messages.push(fault?.details[0].msg ?? '')
    }
    return messages
  })
  app.post('/count', { config: { ndjson: true } }, async (request) => {
    let lines = 0
    for await (const read of ndjsonLines(request.body as IncomingMessage, LINE_BYTES_MAX)) {
      lines = read.line
      if (lines === 2) twoRead.resolve()
    }
    return { lines }
  })
})

test('a bad line affects only itself; blank lines are counted but not returned', async () => {
  const lines = [
    '{"a":1}',
    '{bad',
    '',
    `"${'x'.repeat(100)}"`,
    '{"a":1,"a":2}',
    String.raw`"\u0000"`,
    '  \r',
    '[2]\r',
    '3',
  ]
  const { json } = await send('POST', '/bulk', { body: lines.join('\n'), headers: type })
  assert.deepEqual(json, [
    [1, { a: 1 }],
    [2, 'json_invalid'],
    [4, 'line_too_long'],
    [5, 'json_invalid'],
    [6, 'string_unicode'],
    [8, [2]],
    [9, 3],
  ])
})

test('other content types, and none, are refused before the body is read', async () => {
  assert.equal(only(await send('POST', '/bulk', { body: '{}' })), '415 header.content-type unsupported_media_type')
  assert.equal(only(await send('POST', '/bulk')), '415 header.content-type unsupported_media_type')
})

test('a refusal names the right content type, and how clients lose line ends', async () => {
  const msgOf = async (body: string, headers: Record<string, string>) =>
    (await send('POST', '/messages', { body, headers })).detail[0].msg
  assert.equal(await msgOf('{}', {}), 'Content type is not supported, send application/x-ndjson in UTF-8')
  const hint = 'one document a line; curl needs --data-binary'
  const { json } = await send('POST', '/messages', { body: `{}{}\n{\n"${'x'.repeat(LINE_BYTES_MAX)}"`, headers: type })
  assert.deepEqual(json, [
    `Invalid JSON: unexpected text after the value at character 3: ${hint}`,
    'Invalid JSON: unexpected end, expecting a key at character 2',
    `Line should have at most ${LINE_BYTES_MAX} bytes: ${hint}`,
  ])
})

test('a stream larger than any body limit is read to its end', async () => {
  const line = `{"a":"${'x'.repeat(40)}"}\n`
  const { json } = await send('POST', '/count', { body: line.repeat(100_000), headers: type })
  assert.deepEqual(json, { lines: 100_000 })
})

test('lines are answered while the sender is still writing', async () => {
  const headers = { ...type, authorization: CREDENTIAL }
  const call = httpRequest({ port, host: '127.0.0.1', path: '/count', method: 'POST', headers })
  const answered = new Promise<string>((resolve) => {
    call.on('response', (response: IncomingMessage) => {
      response.setEncoding('utf8').once('data', resolve)
    })
  })
  call.write('1\n2\n3')
  await twoRead.promise
  call.end('\n4\n')
  assert.equal(await answered, '{"lines":4}')
})

test('however the stream is cut into chunks, the lines are the same', async () => {
  const text = '{"a":"ü"}\n\n[1,2]\n"' + 'y'.repeat(80) + '"\n{bad\n"end"'
  const read = async (chunks: Uint8Array[]) => {
    const all: string[] = []
    for await (const each of ndjsonLines(Readable.from(chunks), LINE_BYTES_MAX)) {
      all.push(`${each.line} ${each.fault?.details[0].type ?? JSON.stringify(each.value)}`)
    }
    return all
  }
  const bytes = Buffer.from(text)
  const whole = await read([bytes])
  assert.equal(whole.length, 5)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      assert.deepEqual(await read(places.slice(1).map((end, i) => bytes.subarray(places[i], end))), whole)
    }),
  )
})

test('the consumer sets the pace, and an endless line is not kept', async () => {
  let produced = 0
  async function* source(): AsyncGenerator<Uint8Array> {
    for (;;) {
      produced++
      yield Buffer.from(produced <= 2_000 ? 'x'.repeat(65_536) : '\n1\n')
      await Promise.resolve()
    }
  }
  const before = process.memoryUsage().arrayBuffers
  const lines = ndjsonLines(source(), LINE_BYTES_MAX)
  const first = (await lines.next()).value
  assert.equal(first?.fault?.details[0].type, 'line_too_long')
  assert.equal(produced, 2_001)
  assert.ok(process.memoryUsage().arrayBuffers - before < 100_000_000)
  assert.equal((await lines.next()).value?.value, 1)
  assert.equal(produced, 2_001)
  await lines.return(undefined)
})

/** Chunks like a socket's, and the number of them that were read. */
function chunksOf(bytes: Buffer, size = 65_536) {
  const taken = { count: 0 }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) {
      taken.count++
      yield bytes.subarray(at, at + size)
    }
  }
  return { taken, chunks: chunks() }
}

test('others get turns between any two lines, even blank ones, and within a line of megabytes', async () => {
  const pausesOf = async (text: string) => {
    let pauses = 0
    const pause = (): undefined => void pauses++
    const options = { pause, tally: new LineTally() }
    for await (const { fault } of ndjsonLines(chunksOf(Buffer.from(text)).chunks, 4_000_000, options))
      assert.equal(fault, undefined)
    return pauses
  }
  assert.ok((await pausesOf('1\n'.repeat(5_000))) >= 5_000)
  assert.ok((await pausesOf('\r\n'.repeat(5_000))) >= 5_000)
  assert.ok((await pausesOf('\n'.repeat(5_000))) >= 5)
  assert.ok((await pausesOf(' '.repeat(2_000_000))) >= 30)
})

test('a stream of blank lines is given up after thousands, and not read further', async () => {
  for (const end of ['\n', '\r\n', ' \n']) {
    const tally = new LineTally()
    const { chunks, taken } = chunksOf(Buffer.from(end.repeat(2_000_000)))
    for await (const _line of ndjsonLines(chunks, LINE_BYTES_MAX, { tally })) assert.fail('a blank line was told of')
    assert.equal(tally.isOver, true)
    assert.ok(tally.line > USELESS_LINES_MAX && tally.line < USELESS_LINES_MAX + 2_000, `${tally.line} lines`)
    assert.equal(tally.blank, tally.line)
    assert.ok(taken.count < 3, `${taken.count} chunks`)
  }
})

test('all lines are counted, and a stream with half of its lines good is read to its end', async () => {
  const tally = new LineTally()
  const text = '1\n\n'.repeat(USELESS_LINES_MAX + 500)
  let last = 0
  for await (const { line } of ndjsonLines(chunksOf(Buffer.from(text), 1_000).chunks, LINE_BYTES_MAX, { tally }))
    last = line
  assert.equal(last, 2 * (USELESS_LINES_MAX + 500) - 1)
  assert.deepEqual([tally.line, tally.blank, tally.isOver], [last + 1, USELESS_LINES_MAX + 500, false])
})

test('a line reports a limited number of faults, and the number of further ones', () => {
  const fault = (place: string) => ({ loc: ['body', place], msg: 'Field required', type: 'missing' })
  const few = Array.from({ length: LINE_FAULTS_MAX }, (_, i) => fault(`f${i}`))
  assert.equal(lineDetail(few), few)
  const many = lineDetail([...few, fault('x'), fault('y')])
  assert.deepEqual(many.at(-1), { loc: ['body'], msg: '2 more faults', type: 'more_faults' })
  assert.equal(many.length, LINE_FAULTS_MAX + 1)
  const long = Array.from({ length: 10 }, () => fault('x'.repeat(3_000)))
  assert.deepEqual(lineDetail(long).slice(2), [{ loc: ['body'], msg: '8 more faults', type: 'more_faults' }])
})

test('an answer whose client reads nothing is not written further', async () => {
  let lines = 0
  function* endless(): Generator<object> {
    for (;;) yield { line: ++lines, text: 'x'.repeat(1_000) }
  }
  const answer = Readable.from(inPieces(endless(), () => undefined))
  await new Promise((resolve) => answer.once('readable', resolve))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(lines < 300, `${lines} lines`)
  answer.destroy()
})

test('a tenant’s concurrent bulk requests are limited; one more is refused until another ends', async () => {
  const open = Array.from({ length: BULKS_PER_TENANT_MAX }, () => {
    const headers = { ...type, authorization: CREDENTIAL }
    const request = httpRequest({ port, host: '127.0.0.1', path: '/count', method: 'POST', headers })
    request.write('1\n')
    return request
  })
  const refused = async () => {
    const answer = await send('POST', '/count', { body: '1', headers: type })
    if (answer.status === 429) {
      assert.equal(only(answer), '429 header.authorization rate_limited')
      assert.equal(answer.headers['retry-after'], '5')
    }
    return answer.status === 429
  }
  await until(refused, 'one more is refused')
  open[0].on('error', () => {})
  open[0].destroy()
  await until(async () => !(await refused()), 'there is room for another')
  for (const request of open.slice(1)) {
    const answered = new Promise((resolve) =>
      request.on('response', (response) => response.resume().on('end', resolve)),
    )
    request.end()
    await answered
  }
})
