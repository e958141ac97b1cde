import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

test('addresses of this machine, of internal networks and unassigned ones are not public', () => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.19.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '0:0:0:1::1',
    '100::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '3fff:fff::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ]) {
    assert.equal(isPublicAddress(address), false, address)
  }
})

test('all other addresses are public', () => {
  const addresses = [
    '1.1.1.1',
    '100.63.255.255',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '192.0.1.1',
    '223.255.255.255',
  ]
  for (const address of [...addresses, '2606:4700::1111', '2a00:1450::1', '2001:200::1', '::ffff:1.1.1.1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})
