import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecretBox } from '../../platform/secrets.ts'
import { areKnownTo } from './known-device.ts'
import { KnownDevices } from './known-devices.ts'

const DAY_MS = 86_400_000
const box = (secret = 'a secret of the installation') => new SecretBox(() => secret)
const valueIn = (line: string): string => line.split(';')[0]

const account = (userId: string, tenantId = 't') => ({ tenantId, userId })

// Long enough that no sealed value has them by chance.
const ANN = 'ann.from.accounting'
const BOB = 'bob.from.logistics'

test('a browser is known for each account that signed in there, and for no other, whatever tenant has one like it', () => {
  const devices = new KnownDevices(box())
  const first = valueIn(devices.remember(undefined, true, account(ANN)))
  const both = valueIn(devices.remember(`other=1; ${first}`, true, account(BOB)))
  const device = devices.read(both, true)!
  assert.deepEqual(
    [[account(ANN)], [account(BOB)], [account('eve')], [account(ANN, 'other')]].map((each) => areKnownTo(device, each)),
    [true, true, false, false],
  )
  const tried = [account(ANN), account(ANN, 'other')]
  assert.deepEqual([areKnownTo(device, tried), areKnownTo(device, [])], [false, false])
  assert.equal(device.id, devices.read(first, true)!.id)
  for (const name of [ANN, BOB]) assert.ok(!both.includes(name))
})

test('a cookie that was changed, made elsewhere, is over or came without TLS makes no browser known', () => {
  const clock = { now: 0 }
  const devices = new KnownDevices(box(), () => clock.now)
  const cookie = valueIn(devices.remember(undefined, true, account('ann')))
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
  for (let i = 0; i < 12; i++) cookie = valueIn(devices.remember(cookie, false, account(`person-${i}`)))
  const device = devices.read(cookie, false)!
  assert.deepEqual(
    [1, 2].map((i) => areKnownTo(device, [account(`person-${i}`)])),
    [false, true],
  )
  assert.ok(cookie!.length < 2_000)
})
