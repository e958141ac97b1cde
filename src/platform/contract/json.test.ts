import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { unlessItHangs } from '../../../test/support/patience.ts'
import { Fault } from '../faults.ts'
import { diagnoseJson } from './json-diagnosis.ts'
import { JSON_DEPTH_MAX, JSON_VALUES_MAX, parseJson } from './json.ts'
import { inTier } from '../../../test/support/tier.ts'

function refusal(text: string | Buffer): string | null {
  try {
    parseJson(Buffer.from(text as string))
    return null
  } catch (error) {
    assert.ok(error instanceof Fault, String(error))
    const [{ loc, msg, type }] = error.details
    return `${loc.join('.')} ${type}: ${msg}`
  }
}

const at = (what: string, character: number) => `body json_invalid: Invalid JSON: ${what} at character ${character}`

test('each refusal says what and at which character', () => {
  const deep = '['.repeat(JSON_DEPTH_MAX + 1)
  const cases: [string, string][] = [
    ['', at('no value', 1)],
    ['  ', at('no value', 3)],
    ['\ufeff{}', at('byte order mark', 1)],
    ['{"a":1} x', at('unexpected text after the value', 9)],
    ['{"a" 1}', at('expecting a colon', 6)],
    ['{"a":}', at('expecting a value', 6)],
    ['{a:1}', at('expecting a key', 2)],
    ['[1,]', at('expecting a value', 4)],
    ['[1', at('unexpected end, expecting a comma or closing bracket', 3)],
    ['"ab', at('unterminated string', 1)],
    ['"a\nb"', at('control character in a string', 3)],
    [String.raw`"a\x"`, at('invalid escape', 3)],
    ['{"a":1,"b":{"a":1,"a":2}}', at('duplicate key', 19)],
    [String.raw`{"a":1,"\u0061":2}`, at('duplicate key', 8)],
    ['{"a":1e999}', at('number out of range', 6)],
    ['[-1e999]', at('number out of range', 2)],
    ['01', at('unexpected text after the value', 2)],
    ['{"x":{"__proto__":1}}', at('key __proto__ is not allowed', 7)],
    [String.raw`{"__pr\u006fto__":{}}`, at('key __proto__ is not allowed', 2)],
    ['{"constructor":{"prototype":{}}}', at('key prototype is not allowed', 17)],
    [deep, at(`nesting deeper than ${JSON_DEPTH_MAX} levels`, JSON_DEPTH_MAX + 1)],
    [deep + ']'.repeat(JSON_DEPTH_MAX + 1), at(`nesting deeper than ${JSON_DEPTH_MAX} levels`, JSON_DEPTH_MAX + 1)],
  ]
  for (const [text, expected] of cases) assert.equal(refusal(text), expected, text)
})

test('the values of a body are limited, however they are nested; the inside of strings does not count', () => {
  const refused = `body json_invalid: Invalid JSON: more than ${JSON_VALUES_MAX} values`
  const list = (items: number, item: string) => `[${Array.from({ length: items }, () => item).join(',')}]`
  assert.equal(refusal(list(JSON_VALUES_MAX - 1, '1')), null)
  assert.equal(refusal(list(JSON_VALUES_MAX, '1')), refused)
  assert.equal(refusal(list((JSON_VALUES_MAX - 2) / 2, '{"a":1}')), null)
  assert.equal(refusal(list(JSON_VALUES_MAX / 2, '{"a":1}')), refused)
  assert.equal(refusal(list(JSON_VALUES_MAX / 2, '[]')), refused)
  assert.equal(refusal(`"${',[{'.repeat(JSON_VALUES_MAX)}"`), null)
})

test('bytes that are not UTF-8 are refused, an encoded surrogate among them', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x31, 0x00],
  ]) {
    assert.equal(refusal(Buffer.from(bytes)), 'body json_invalid: Invalid JSON: text is not UTF-8')
  }
})

test('unusual but valid JSON is accepted', () => {
  const nested = '['.repeat(JSON_DEPTH_MAX) + ']'.repeat(JSON_DEPTH_MAX)
  const texts = [
    nested,
    '{"constructor":{"a":1}}',
    '{"prototype":1}',
    '{"":1}',
    '-0',
    '1e308',
    String.raw`"\ud83d\ude00 : {["`,
  ]
  for (const text of texts) assert.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text))
})

test('a diagnosis makes no call per character or escape, and parses only keys', (t) => {
  const escapes = String.raw`\n\u0041\"`.repeat(20_000)
  const texts = [`"${escapes}`, `{"a":"${escapes}","b":1,"b":2}`, `["${escapes}",["${escapes}"],x]`]
  for (const text of texts) {
    const patterns = t.mock.method(RegExp.prototype, 'test')
    const parsing = t.mock.method(JSON, 'parse')
    assert.notEqual(diagnoseJson(text, JSON_DEPTH_MAX), null)
    const calls = [patterns, parsing].map(({ mock }) => mock.callCount())
    t.mock.restoreAll()
    assert.ok(calls[0] < 40, `${calls[0]} patterns`)
    assert.equal(calls[1], 0)
  }
})

test('no refusal repeats the input', () => {
  for (const text of ['{"secret":hunter2}', '{"hunter2":1,"hunter2":2}', '"hunter2', 'hunter2']) {
    assert.doesNotMatch(refusal(text) as string, /hunter|secret/)
  }
})

/**
 * Returns the verdict of JSON.parse and of the slow reference reader, which knows the stricter refusals of `parseJson`.
 */
function expected(text: string): 'taken' | 'refused' {
  try {
    JSON.parse(text)
  } catch {
    return 'refused'
  }
  return diagnoseJson(text, JSON_DEPTH_MAX) === null ? 'taken' : 'refused'
}

const sound = (text: string) => text.isWellFormed() && !text.includes('\0')
const json = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value))

test('everything that JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(json, (text) => {
      fc.pre(!/\\u(?:0000|d[89a-f])|__proto__|constructor/i.test(text))
      assert.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text))
      assert.equal(diagnoseJson(text, JSON_DEPTH_MAX), null)
    }),
    { numRuns: inTier({ gate: 200, all: 1_000 }) },
  )
})

test('mutated documents are accepted and refused exactly as JSON.parse and the slow reference reader say', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    'e',
    '-',
    '0',
    '.',
    ' ',
    '\t',
    'true',
    '"a":',
    '\\u0041',
    '\u0001',
  )
  const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(4), piece), { minLength: 1, maxLength: 3 })
  let refused = 0
  fc.assert(
    fc.property(json, edits, (base, list) => {
      const text = list.reduce((out, [index, cut, put]) => {
        const place = index % (out.length + 1)
        return out.slice(0, place) + put + out.slice(place + cut)
      }, base)
      fc.pre(sound(text))
      const answer = refusal(text)
      if (answer?.includes('string_unicode')) return
      if (answer !== null) refused++
      assert.equal(answer === null ? 'taken' : 'refused', expected(text), text)
    }),
    { numRuns: inTier({ gate: 600, all: 3_000 }) },
  )
  assert.ok(refused > 100)
})

test('a duplicate key is found at every position', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.string().filter(sound), fc.jsonValue()), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(entries, fc.nat(), (list, pick) => {
      fc.pre(!JSON.stringify(list).match(/__proto__|prototype|\\u(?:0000|d[89a-f])/i))
      const members = list.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      assert.equal(refusal(`{${members.join(',')}}`), null)
      const [again] = list[pick % list.length]
      assert.match(refusal(`[{${members.join(',')},${JSON.stringify(again)}:0}]`) as string, /duplicate key/)
    }),
  )
})

test('two megabytes of the worst input take linear time', () => {
  const two = 2 * 1_024 * 1_024
  const shapes = [
    `[${'1,'.repeat(two / 2 - 2)}1]`,
    `["${'\\"'.repeat(two / 2 - 2)}"]`,
    `[${'"",'.repeat(two / 3 - 2)}""]`,
    '['.repeat(two),
    `{"a":"${'x'.repeat(two - 8)}"}`,
  ]
  for (const text of shapes) {
    const bytes = Buffer.from(text)
    unlessItHangs(() => refusal(bytes))
  }
})
