import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenApiDocument, OpenApiOperation } from '../../../src/platform/reference/openapi.ts'
import { fileOf, gapsOf } from './declared.ts'

const answers = (...statuses: number[]) => Object.fromEntries(statuses.map((status) => [status, { description: '' }]))
const operation = (operationId: string, more: Partial<OpenApiOperation>): OpenApiOperation => ({
  operationId,
  tags: ['Lamps'],
  summary: '',
  security: [{ bearer: [] }, { session: [] }],
  responses: answers(200),
  ...more,
})
const PATHS: OpenApiDocument['paths'] = {
  '/api/rooms/{room_id}/lamps/{lamp_id}': {
    get: operation('getLamp', { responses: answers(200, 401, 403, 404, 422, 429, 500, 503) }),
    patch: operation('dimLamp', { responses: answers(200, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503, 507) }),
  },
  '/api/lamps/lost': { post: operation('reportLamp', { security: [], responses: answers(202, 403, 415, 429) }) },
  '/api/operator/lamps': {
    get: operation('countLamps', { security: [{ operator: [] }], responses: answers(401, 404) }),
  },
  '/lamps': { get: operation('showLamp', { responses: answers(404) }) },
}
const READ = 'getLamp GET /api/rooms/{room_id}/lamps/{lamp_id}'
const WRITE = 'dimLamp PATCH /api/rooms/{room_id}/lamps/{lamp_id}'
const REPORT = 'reportLamp POST /api/lamps/lost'
const BOTH = ['404 not_found at path.room_id', '404 not_found at path.lamp_id']
const LATE = '412 precondition_failed at header.if-match'
const WHOLE = new Map([
  [READ, BOTH],
  [WRITE, [...BOTH, '409 conflict at body.brightness', LATE]],
  [REPORT, ['403 forbidden at header.origin', '429 rate_limited']],
])

describe('the failures of a resource', () => {
  const gaps = (table: ReadonlyMap<string, readonly string[]>) => gapsOf({ paths: PATHS }, 'Lamps', table)

  test('are whole when each status of an operation’s own and each parameter of its path has a row', () => {
    assert.deepEqual(gaps(WHOLE), [])
  })

  test('without the row of a declared failure are reported by the name of the operation', () => {
    assert.deepEqual(gaps(new Map([...WHOLE, [WRITE, [...BOTH, LATE]]])), [
      `${WRITE} declares 409, and no row provokes it`,
    ])
    assert.deepEqual(gaps(new Map([...WHOLE, [READ, BOTH.slice(0, 1)]])), [
      `${READ} has no row with 404 not_found at path.lamp_id`,
    ])
    const names = gaps(new Map()).map((gap) => gap.split(' ')[0])
    assert.deepEqual(names, [
      'getLamp',
      'getLamp',
      'dimLamp',
      'dimLamp',
      'dimLamp',
      'dimLamp',
      'reportLamp',
      'reportLamp',
    ])
  })

  test('that no operation declares, or of an operation that is gone, are reported too', () => {
    assert.deepEqual(gaps(new Map([...WHOLE, [READ, [...BOTH, '410 gone']]])), [
      `${READ} has a row with 410, which it does not declare`,
    ])
    assert.deepEqual(gaps(new Map([...WHOLE, ['breakLamp POST /api/lamps', []]])), [
      'breakLamp POST /api/lamps is no operation of Lamps',
    ])
  })

  test('are in a file with the name of the resource', () => {
    assert.equal(fileOf('Search log'), 'search-log.failures.test.ts')
  })
})
