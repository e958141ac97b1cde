import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddress, clientNetwork } from './client-address.ts'

test('an IPv6 address counts as its /64, and an IPv4 address as itself in any notation', () => {
  const prefix = '2001:db8:0:12::/64'
  for (const ip of ['2001:db8:0:12::1', '2001:0DB8::12:ffff:1:2:3', '2001:db8:0:12:1:2:3:4', '2001:db8:0:12::']) {
    assert.equal(clientAddress(ip), prefix, ip)
  }
  assert.equal(clientAddress('::1'), '0:0:0:0::/64')
  assert.equal(clientAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(clientAddress('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64')
  assert.equal(clientAddress('192.0.2.1'), '192.0.2.1')
  assert.equal(clientAddress('::ffff:192.0.2.1'), '192.0.2.1')
})

test('the network of an address is its /48 or its /24', () => {
  const networkOf = (ip: string) => clientNetwork(clientAddress(ip))
  assert.equal(networkOf('2001:db8:a:12::1'), '2001:db8:a::/48')
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0::/48')
  assert.equal(networkOf('::1'), '0:0:0::/48')
  assert.equal(networkOf('192.0.2.77'), '192.0.2.0/24')
  assert.equal(networkOf('::ffff:192.0.2.78'), '192.0.2.0/24')
})

/** An IPv6 address and one of its spellings, also as a proxy writes it. */
const spellings = fc
  .record({
    groups: fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }),
    zeros: fc.nat(7),
    isUpper: fc.boolean(),
    isPadded: fc.boolean(),
    isShort: fc.boolean(),
    zone: fc.constantFrom('', '%eth0', '%1'),
    around: fc.constantFrom(
      (ip: string) => ip,
      (ip: string) => `[${ip}]`,
      (ip: string) => `[${ip}]:443`,
      (ip: string) => ` ${ip} `,
    ),
  })
  .map(({ groups, zeros, isUpper, isPadded, isShort, zone, around }) => {
    const plain = groups.fill(0, 8 - zeros)
    const words = plain.map((group) => group.toString(16).padStart(isPadded ? 4 : 1, '0'))
    const joined = isShort && zeros > 0 ? `${words.slice(0, 8 - zeros).join(':')}::` : words.join(':')
    const text = around(`${isUpper ? joined.toUpperCase() : joined}${zone}`)
    return { groups: plain, text }
  })

const prefixOf = (groups: readonly number[]) => groups.slice(0, 4).join()

test('all spellings of an IPv6 address count as one, different from those of another /64', () => {
  fc.assert(
    fc.property(spellings, spellings, (one, other) => {
      const written = one.groups.map((group) => group.toString(16)).join(':')
      assert.equal(clientAddress(one.text), clientAddress(written), one.text)
      assert.equal(
        clientAddress(one.text) === clientAddress(other.text),
        prefixOf(one.groups) === prefixOf(other.groups),
      )
    }),
  )
})

test('all spellings of an IPv4 address count as one, different from any other address', () => {
  const hex = (value: number) => value.toString(16)
  const ways = [
    (ip: string) => ip,
    (ip: string) => `${ip}:5555`,
    (ip: string) => `[${ip}]:80`,
    (ip: string) => `::ffff:${ip}`,
    (ip: string) => `::FFFF:${ip}`,
    (ip: string) => `[0:0:0:0:0:ffff:${ip}]:80`,
    (ip: string) => `::ffff:${ip}%eth0`,
    (_ip: string, [a, b, c, d]: readonly number[]) => `::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}`,
  ]
  const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(octets, octets, fc.constantFrom(...ways), fc.constantFrom(...ways), (a, b, writeA, writeB) => {
      assert.equal(clientAddress(writeA(a.join('.'), a)), a.join('.'))
      assert.equal(
        clientAddress(writeA(a.join('.'), a)) === clientAddress(writeB(b.join('.'), b)),
        a.join() === b.join(),
      )
    }),
  )
})

test('all texts that are no address count as one, whatever they say', () => {
  for (const text of [
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4.5',
    '256.1.1.1',
    ':80',
    '[',
    '::g',
    'x'.repeat(16_000),
  ]) {
    assert.equal(clientAddress(text), 'unknown', text)
  }
})
