import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from '../http/app.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** Returns the address and host that the service sees behind these proxies. */
async function clientOf(trustProxy: TrustedProxies, headers: Record<string, string>, remoteAddress = '10.0.0.9') {
  const app = createHttp({ resolveCaller: () => assert.fail(), publicUrl: 'http://localhost', trustProxy })
  app.get('/client', { config: { public: true } }, ({ ip, host }) => ({ ip, host }))
  const answer = await app.inject({ url: '/client', remoteAddress, headers: { host: 'kb.example', ...headers } })
  await app.close()
  return answer.json<{ ip: string; host: string }>()
}

const ipOf = async (trustProxy: TrustedProxies, forwardedFor: string, remoteAddress?: string) =>
  (await clientOf(trustProxy, { 'x-forwarded-for': forwardedFor }, remoteAddress)).ip

test('behind proxies that append, only what they appended counts', async () => {
  assert.equal(await ipOf(false, '198.51.100.1'), '10.0.0.9')
  assert.equal(await ipOf(1, 'made up, 198.51.100.7, 203.0.113.5'), '203.0.113.5')
  assert.equal(await ipOf(2, '198.51.100.7, 203.0.113.5, 10.1.1.1'), '203.0.113.5')
  assert.equal(await ipOf(2, '203.0.113.5'), '203.0.113.5')
})

test('behind named proxies, the last entry that is not a proxy counts', async () => {
  const named = ['10.0.0.0/8', 'fd00::/8', '192.0.2.1']
  assert.equal(await ipOf(named, '198.51.100.7, 203.0.113.5, fd00::7, 192.0.2.1'), '203.0.113.5')
  assert.equal(await ipOf(named, '198.51.100.7, nonsense, 10.1.1.1'), 'nonsense')
  assert.equal(await ipOf(named, '203.0.113.5', '::ffff:10.0.0.9'), '203.0.113.5')
  assert.equal(await ipOf(named, '198.51.100.7', '203.0.113.99'), '203.0.113.99')
  for (const proxy of ['10.1.1.1:5555', '[FD00::7]:443', 'fd00:0:0:0:0:0:0:0007', 'fd00::7%eth0', '::ffff:a01:101']) {
    assert.equal(await ipOf(named, `203.0.113.5, ${proxy}`), '203.0.113.5', proxy)
  }
  assert.equal(await ipOf(['::ffff:10.0.0.0/104'], '203.0.113.5'), '203.0.113.5')
})

test('only the Host header decides the host of a request', async () => {
  for (const trustProxy of [false, 1, ['10.0.0.0/8']] as const) {
    assert.equal((await clientOf(trustProxy, { 'x-forwarded-host': 'other.example' })).host, 'kb.example')
  }
})
