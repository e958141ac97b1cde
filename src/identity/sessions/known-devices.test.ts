import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecretBox } from '../../platform/secrets.ts'
import { isKnownTo } from './known-device.ts'
import { KnownDevices } from './known-devices.ts'

const DAY_MS = 86_400_000
const box = (secret = 'a secret of the installation') => new SecretBox(() => secret)
const valueIn = (line: string): string => line.split(';')[0]

test('a browser is known for each account that signed in there, by any spelling of the address, and for no other', () => {
  const devices = new KnownDevices(box())
  const first = valueIn(devices.remember(undefined, true, 'Ann@Example.com'))
  const both = valueIn(devices.remember(`other=1; ${first}`, true, 'bob@example.com'))
  const device = devices.read(both, true)!
  assert.deepEqual(
    ['ann@example.com', 'BOB@example.com', 'eve@example.com'].map((email) => isKnownTo(device, email)),
    [true, true, false],
  )
  assert.equal(device.id, devices.read(first, true)!.id)
  assert.doesNotMatch(both, /ann|bob|example/i)
})

test('a cookie that was changed, made elsewhere, is over or came without TLS makes no browser known', () => {
  const clock = { now: 0 }
  const devices = new KnownDevices(box(), () => clock.now)
  const cookie = valueIn(devices.remember(undefined, true, 'ann@example.com'))
  assert.notEqual(devices.read(cookie, true), null)
  assert.equal(devices.read(cookie, false), null)
  assert.equal(
    devices.read(
      cookie.replace(/.(?=.{20}$)/, (one) => (one === 'A' ? 'B' : 'A')),
      true,
    ),
    null,
  )
  assert.equal(new KnownDevices(box('another secret'), () => clock.now).read(cookie, true), null)
  clock.now = 180 * DAY_MS
  assert.equal(devices.read(cookie, true), null)
})

test('the cookie keeps the latest ten accounts of a shared computer', () => {
  const devices = new KnownDevices(box())
  let cookie: string | undefined
  for (let i = 0; i < 12; i++) cookie = valueIn(devices.remember(cookie, false, `person-${i}@x`))
  const device = devices.read(cookie, false)!
  assert.deepEqual([isKnownTo(device, 'person-1@x'), isKnownTo(device, 'person-2@x')], [false, true])
  assert.ok(cookie!.length < 2_000)
})
