import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endRegistrationToken } from '../../src/identity/oauth/clients/registrant-rules.ts'
import { findClients } from '../../src/identity/oauth/clients/client-store.ts'
import { OPERATOR } from '../../src/platform/audit/audit.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { Answer, TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { serviceWaits } from '../support/waiting-writes.ts'

onEachDatabase('a registration token that ends', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  test('changes and removes nothing with a request that waits for its end', async () => {
    const { database, tenantId, adminKey: key } = service
    const wish = { client_name: 'Login', redirect_uris: ['http://127.0.0.1/cb'], scope: 'knowledge:read' }
    const turned = { ...wish, redirect_uris: ['https://elsewhere.example/cb'] }
    for (const [method, body] of [
      ['PUT', turned],
      ['DELETE', undefined],
    ] as const) {
      const client = (await service.call('POST', '/oauth/register', { key, body: wish })).body
      const path = `/oauth/register/${client.client_id}`
      const send = () => service.call(method, path, { key: client.registration_access_token, body })
      let answer!: Promise<Answer>
      await database.write(async (tx) => {
        const [row] = await findClients(tx, tenantId, [client.client_id])
        assert.ok(await endRegistrationToken(tx, row, OPERATOR))
        answer = send()
        // On PostgreSQL the request has read the token by then.
        await serviceWaits(database, service.service.url)
      }, tenantId)
      assert.equal((await answer).status, kind.name === 'SQLite' ? 401 : 409)
      assert.equal((await send()).status, 401)
      const [left] = await findClients(database.queries, tenantId, [client.client_id])
      assert.deepEqual(JSON.parse(left.metadata).redirect_uris, wish.redirect_uris)
    }
  })
})
