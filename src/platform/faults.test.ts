import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from './faults.ts'

test('a refusal in other words still says when to try again, which scopes would do, and that it is logged', () => {
  const cause = new Error('no room')
  const options = { scopes: ['knowledge:read'], retryAfterSeconds: 7, isLogged: true, cause }
  const fault = new Fault('rate_limited', [{ loc: ['name'], msg: 'Too many', type: 'rate_limited' }], options)
  const details = [{ loc: ['body', 'name'], msg: 'Too many', type: 'rate_limited' }]
  const copy = fault.withDetails(details)
  assert.deepEqual(
    [copy.kind, copy.details, copy.scopes, copy.retryAfterSeconds, copy.isLogged, copy.cause],
    ['rate_limited', details, ['knowledge:read'], 7, true, cause],
  )
  assert.equal(fault.withDetails(details, fault).cause, fault)
})
