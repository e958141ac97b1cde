import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { unlessItHangs } from '../../../test/support/patience.ts'
import { EmbeddingNonsense, EmbeddingUnavailable } from '../../embedding/embedder.ts'
import { Fault, notFound } from '../faults.ts'
import { EngineUnavailable } from '../../search/engine.ts'
import { isUtf8 } from './bodies/bodies.ts'
import { etagOf, isMatch, parseIfMatch } from './answers/etag.ts'
import { isDateTime, isUuid } from '../contract/formats.ts'
import { describeError } from './logger.ts'
import { decodeCursor, encodeCursor, nextLink } from '../contract/paging.ts'
import { faultOf } from '../storage-faults.ts'

const refusedAs = (loc: string, type: string) => (error: unknown) =>
  error instanceof Fault && error.details[0].loc.join('.') === loc && error.details[0].type === type

test('If-Match matches strong tags, lists of tags and the asterisk', () => {
  assert.ok(isMatch(parseIfMatch(undefined), 3))
  for (const good of ['"3"', ' "3" ', '"1", "3"', '*', 'W/"2", "3"', '"a,b","3"', '"3",",",W/"x,y"', etagOf(3)])
    assert.ok(isMatch(parseIfMatch(good), 3), good)
  for (const other of ['"2"', 'W/"3"', '"03"', '"x"', '""', '",3,"']) assert.ok(!isMatch(parseIfMatch(other), 3), other)
})

test('a malformed If-Match is reported at that header', () => {
  for (const bad of ['', '3', '"3', '"3",', 'w/"3"', '"a"b"', '*, "3"', '"1" "2"', `"1"${',"1"'.repeat(100)}`]) {
    assert.throws(() => parseIfMatch(bad), refusedAs('header.if-match', 'etag_invalid'), bad)
  }
})

test('a cursor decodes to the key it was made of', () => {
  const key = fc.tuple(
    fc.string({ unit: anyCharacter }).filter((text) => !text.includes('\0')),
    fc.integer(),
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  )
  fc.assert(
    fc.property(key, (tuple) => {
      fc.pre(encodeCursor(tuple).length <= 1_000)
      const read = decodeCursor(encodeCursor(tuple), ['string', 'number', 'number?'])
      assert.deepEqual(JSON.stringify(read), JSON.stringify(tuple))
    }),
  )
})

test('anything else is reported at query.cursor', () => {
  const wrong = [['a'], [1, 'a'], ['a', null], ['a', 1, 1], { 0: 'a', 1: 1 }, ['a\0', 1], ['\ud800', 1]]
  const cursors = wrong.map((key) => encodeCursor(key as never))
  for (const cursor of ['', 'x', '!!', 'a b', 'A'.repeat(2_000), ...cursors]) {
    assert.throws(() => decodeCursor(cursor, ['string', 'number']), refusedAs('query.cursor', 'cursor_invalid'), cursor)
  }
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      try {
        decodeCursor(cursor, ['string', 'number'])
      } catch (error) {
        assert.ok(refusedAs('query.cursor', 'cursor_invalid')(error))
      }
    }),
  )
})

test('the next link keeps the query and replaces the cursor', () => {
  assert.equal(nextLink('/a', 'C'), '</a?cursor=C>; rel="next"')
  const link = nextLink('/a?tag=x&tag=y%20z&cursor=old&limit=2', 'new')
  assert.equal(link, '</a?tag=x&tag=y+z&cursor=new&limit=2>; rel="next"')
})

test('outages of storage, search and embedding are told apart from bugs', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code })
  const kinds: [unknown, string | undefined][] = [
    [new EmbeddingUnavailable('x'), 'unavailable'],
    [new EmbeddingNonsense('x'), 'unavailable'],
    [new EngineUnavailable('x'), 'unavailable'],
    [new Error('x', { cause: new EngineUnavailable('x') }), 'unavailable'],
    [new AggregateError([coded('ECONNREFUSED')]), 'unavailable'],
    [new Error('Connection terminated unexpectedly'), 'unavailable'],
    [notFound(['path'], 'x'), 'not_found'],
    [new TypeError('x'), undefined],
    ['x', undefined],
    [coded('23505'), undefined],
    [coded('SQLITE_CONSTRAINT_UNIQUE'), undefined],
    [coded('SQLITE_CONSTRAINT'), undefined],
  ]
  for (const code of ['SQLITE_FULL', '53100', 'ENOSPC']) kinds.push([coded(code), 'storage_full'])
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB', 'SQLITE_IOERR_FSYNC', 'XX001', 'XX002'])
    kinds.push([coded(code), 'storage_damaged'])
  for (const code of [
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_CANTOPEN',
    'SQLITE_IOERR_NOMEM',
  ])
    kinds.push([coded(code), 'unavailable'])
  for (const code of [
    '08006',
    '57P01',
    '53300',
    '53200',
    '40001',
    '40P01',
    '25006',
    '57014',
    '28P01',
    '28000',
    '3D000',
    '42P01',
    '42501',
    'ECONNREFUSED',
    'EAI_AGAIN',
    'EIO',
  ])
    kinds.push([coded(code), 'unavailable'])
  for (const [error, kind] of kinds)
    assert.equal(faultOf(error)?.kind, kind, String((error as { code?: string }).code ?? error))
})

test('a content type may say UTF-8 or nothing, and a long one is judged in linear time', () => {
  for (const good of [
    '',
    ' ',
    ';',
    '; ',
    ';charset=utf-8',
    ' ; Charset = "UTF8" ',
    ';charset=utf-8;',
    '; charset=utf-8 ; ',
  ])
    assert.ok(isUtf8(good), good)
  for (const bad of [
    'x',
    ';;',
    ';charset=latin1',
    ';charset=utf-16',
    ';charset=utf-8;charset=utf-8',
    ';q=1',
    'x;charset=utf-8',
  ])
    assert.ok(!isUtf8(bad), bad)
  const space = ' '.repeat(1_000_000)
  // Quadratic work would take minutes for a million characters.
  for (const long of [`${space}x`, `;${space}x`, `;charset${space}x`, `;charset=${space}x`])
    assert.ok(!unlessItHangs(() => isUtf8(long)))
})

test('dates exist and UUIDs are canonical', () => {
  for (const good of ['2026-02-28T23:59:59Z', '2024-02-29t00:00:00.123456z', '2000-02-29T00:00:00+14:00'])
    assert.ok(isDateTime(good), good)
  for (const bad of [
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+24:00',
  ]) {
    assert.ok(!isDateTime(bad), bad)
  }
  assert.ok(isUuid('0190A0B0-0000-7000-8000-00000000000f'))
  for (const bad of [
    '',
    '0190a0b0000070008000000000000000',
    '{0190a0b0-0000-7000-8000-000000000000}',
    '0190a0b0-0000-7000-8000-000000000000\n',
  ])
    assert.ok(!isUuid(bad), bad)
})

test('a logged error does not contain a driver’s rows and parameters', () => {
  const error = Object.assign(new Error('duplicate key', { cause: new Error('inner') }), {
    code: '23505',
    detail: 'Key (email)=(a@b)',
    parameters: ['secret'],
  })
  const text = JSON.stringify(describeError(error))
  assert.match(text, /duplicate key.*23505.*inner/)
  assert.doesNotMatch(text, /a@b|secret/)
})
