import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress, clientNetwork } from './client-address.ts'

test('an address of IPv6 is its /64, and one of IPv4 is itself however it comes', () => {
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
