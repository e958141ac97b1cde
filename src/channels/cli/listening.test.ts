import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { isExposedOverPlainHttp, listeningOn, localhostAddress } from './listening.ts'

const warns = (settings: Record<string, string>) => isExposedOverPlainHttp(readConfig(settings))

test('there is a warning for plain HTTP that other machines reach, and none behind TLS or on loopback', () => {
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', '::ffff:192.0.2.1', 'fe80::1%eth0', 'kb.example']) {
    assert.ok(warns({ HOST }), HOST)
    assert.ok(!warns({ HOST, PUBLIC_URL: 'https://kb.example' }), HOST)
    assert.ok(!warns({ HOST, TRUST_PROXY: 'true' }), HOST)
    assert.ok(warns({ HOST, PUBLIC_URL: 'http://kb.example' }), HOST)
  }
  for (const HOST of ['', '127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost']) {
    assert.ok(!warns({ HOST }), HOST)
  }
})

test('the start names the address that the service listens on', () => {
  assert.equal(listeningOn('127.0.0.1', 'http://127.0.0.1:8080'), '127.0.0.1:8080')
  assert.equal(listeningOn('0.0.0.0', 'http://127.0.0.1:8080'), '0.0.0.0:8080, every address of this machine')
  assert.equal(listeningOn('::', 'http://[::1]:1'), '[::]:1, every address of this machine')
  assert.equal(listeningOn('192.0.2.1', 'http://192.0.2.1:80'), '192.0.2.1:80')
  assert.equal(readConfig({ HOST: 'localhost' }).host, '127.0.0.1')
})

test('an address of this machine is shown as localhost', () => {
  for (const ip of ['127.0.0.1', '[::1]', '[::]'])
    assert.equal(localhostAddress(`http://${ip}:8080`), 'http://localhost:8080')
  assert.equal(localhostAddress('http://192.0.2.1:8080'), 'http://192.0.2.1:8080')
})
