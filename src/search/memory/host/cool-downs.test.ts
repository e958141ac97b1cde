import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoolDowns } from './cool-downs.ts'

test('each refusal in a row doubles the wait up to a bound, and a successful search starts the count again', () => {
  let now = 0
  const coolDowns = new CoolDowns(() => now)
  const waits: number[] = []
  for (let i = 0; i < 7; i++) {
    assert.equal(coolDowns.begin('t', 'entries', 'tenant'), true)
    assert.equal(coolDowns.begin('t', 'entries', 'tenant'), false)
    waits.push(coolDowns.of('t', 'entries')!.remainingMs / 60_000)
    now += coolDowns.of('t', 'entries')!.remainingMs
    assert.equal(coolDowns.of('t', 'entries'), null)
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 16, 16])
  coolDowns.end('t', 'entries')
  coolDowns.begin('t', 'entries', 'tenant')
  assert.equal(coolDowns.of('t', 'entries')!.remainingMs, 60_000)
})

test('a cool-down holds for one index of one tenant, and the answer to an earlier search does not end it', () => {
  const coolDowns = new CoolDowns(() => 0)
  coolDowns.begin('t', 'entries', 'crowded')
  coolDowns.end('t', 'entries')
  assert.deepEqual(coolDowns.of('t', 'entries'), { reason: 'crowded', remainingMs: 10_000 })
  assert.deepEqual([coolDowns.of('t', 'products'), coolDowns.of('u', 'entries')], [null, null])
  assert.deepEqual(
    coolDowns.active.map(({ tenantId, index }) => [tenantId, index]),
    [['t', 'entries']],
  )
})
