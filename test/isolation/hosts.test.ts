import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { request } from 'undici'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ENTRIES } from './world.ts'

type Tenant = 'house' | 'gate' | 'street' | 'default'

onAnyDatabase('hosts', (kind) => {
  let service: TestService
  let trusting: Awaited<ReturnType<TestService['sibling']>>
  const keys = {} as Record<Tenant, string>

  before(async () => {
    service = await TestService.start(kind)
    trusting = await service.sibling({ TRUST_PROXY: 'true' })
    await createTenant(service.database, { id: 'house', name: 'House', host: 'kb.house.example' })
    await createTenant(service.database, { id: 'gate', name: 'Gate', host: 'kb.house.example:8443' })
    await createTenant(service.database, { id: 'street', name: 'Street', host: null })
    keys.default = service.adminKey
    for (const id of ['house', 'gate', 'street'] as const) keys[id] = await service.key(['knowledge:read'], id)
  })
  after(async () => {
    await trusting.stop()
    await service.stop()
  })

  /**
   * Returns the tenants whose keys work at that host. There the keys of all others are as unknown as keys that do not
   * exist.
   */
  const reached = async (headers: Record<string, string>, url = service.service.url): Promise<Tenant[]> => {
    const answers = await Promise.all(
      Object.entries(keys).map(async ([tenant, key]) => {
        const { statusCode, body } = await request(url + ENTRIES, {
          headers: { authorization: `Bearer ${key}`, ...headers },
        })
        const text = await body.text()
        if (statusCode === 200) return tenant as Tenant
        assert.equal(statusCode, 401)
        assert.match(text, /"The API key is not known here\. Send an API key/)
        return null
      }),
    )
    return answers.filter((tenant) => tenant !== null).sort()
  }

  const shared: Tenant[] = ['default', 'street']

  test('a tenant with its own host is reached only there, and no other tenant is', async () => {
    assert.deepEqual(await reached({ host: 'kb.house.example' }), ['house'])
    assert.deepEqual(await reached({}), shared)
    assert.deepEqual(await reached({ host: 'other.example' }), shared)
    assert.deepEqual(await reached({ host: 'www.kb.house.example' }), shared)
    assert.deepEqual(await reached({ host: 'house.example' }), shared)
  })

  test('a host is the same in any case, with any port and with the dot of the root', async () => {
    for (const host of ['KB.House.Example', 'kb.house.example:80', 'KB.HOUSE.EXAMPLE:9000', 'kb.house.example.']) {
      assert.deepEqual(await reached({ host }), ['house'], host)
    }
    assert.deepEqual(await reached({ host: 'kb.house.example.:9000' }), ['house'])
  })

  test('a host with a port belongs to the tenant that has it with that port', async () => {
    for (const host of ['kb.house.example:8443', 'KB.house.example:8443', 'kb.house.example.:8443']) {
      assert.deepEqual(await reached({ host }), ['gate'], host)
    }
  })

  test('only the Host header decides the host, behind a trusted proxy or not', async () => {
    const forwarded = { 'x-forwarded-host': 'kb.house.example' }
    assert.deepEqual(await reached(forwarded), shared)
    assert.deepEqual(await reached({ host: 'kb.house.example', 'x-forwarded-host': 'other.example' }), ['house'])
    assert.deepEqual(await reached({ forwarded: 'host=kb.house.example' }), shared)
    assert.deepEqual(await reached(forwarded, trusting.url), shared)
    assert.deepEqual(await reached({ host: 'kb.house.example', ...forwarded }, trusting.url), ['house'])
  })

  test('a host belongs to one tenant', async () => {
    const taken = { id: 'thief', name: 'Thief', host: 'kb.house.example' }
    await assert.rejects(createTenant(service.database, taken), { kind: 'conflict' })
    await assert.rejects(createTenant(service.database, { ...taken, host: 'KB.house.example' }), { kind: 'invalid' })
    await assert.rejects(createTenant(service.database, { ...taken, host: 'kb.house.example.' }), { kind: 'invalid' })
  })
})
