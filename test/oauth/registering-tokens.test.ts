import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { givePassword } from '../support/passwords.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { Browser } from '../sessions/browser.ts'
import { ITSELF } from './assistant.ts'

const USERS = '/api/knowledge/users'
const CLIENTS = '/api/knowledge/oauth-clients'
const PASSWORD = 'correct horse battery'
const FOR_PEOPLE = { client_name: 'For people', redirect_uris: ['http://127.0.0.1/cb'] }

onEachDatabase('the own token of a client', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: unknown, key: string | null = service.adminKey) =>
    service.call(method, path, { key, body })
  const register = (body: object, key: string) => call('POST', '/oauth/register', body, key)
  const clientIds = async (): Promise<string[]> =>
    (await call('GET', CLIENTS)).body.map(({ client_id: id }: { client_id: string }) => id)

  test('registers no client, so none is left once the user is disabled who issued the key behind it', async () => {
    const { userId: other } = await service.user({ email: 'other@x' })
    for (const [email, owner] of [
      ['without-user@x', null],
      ['with-user@x', other],
    ] as const) {
      const { userId: issuer } = await service.user({ email })
      await givePassword(service.database, service.tenantId, issuer, PASSWORD)
      const browser = new Browser(service)
      await browser.signIn(email, PASSWORD)
      const scopes = ['knowledge:read', 'clients:register', 'visibility:internal']
      const order = { name: 'Script', scopes, user_id: owner }
      const { key } = (await browser.call('POST', '/api/knowledge/api-keys', order)).body
      const acting = (await register({ ...FOR_PEOPLE, client_name: 'Acting', ...ITSELF }, key)).body
      const tokenBy = async (fields: Record<string, string>, credential: string | null) => {
        const form = { grant_type: 'client_credentials', client_id: acting.client_id, ...fields }
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const body = new URLSearchParams(form).toString()
        const answer = await service.call('POST', '/oauth/token', { key: credential, body, headers })
        assert.match(answer.body.scope, /clients:register/)
        return answer.body.access_token
      }
      const before = await clientIds()
      for (const token of [await tokenBy({ client_secret: acting.client_secret }, null), await tokenBy({}, key)]) {
        for (const metadata of [FOR_PEOPLE, { ...FOR_PEOPLE, ...ITSELF }]) {
          const { status, body } = await register(metadata, token)
          assert.deepEqual([status, body.detail?.[0].loc], [403, ['header', 'authorization']], email)
          assert.match(body.detail[0].msg, /API key with the scope clients:register/)
        }
      }
      assert.deepEqual(await clientIds(), before)

      const listed = (await call('GET', `${USERS}/${issuer}/access`)).body.oauth_clients
      assert.deepEqual(
        listed.map(({ client_id: id }: { client_id: string }) => id),
        [acting.client_id],
      )
      assert.equal((await call('PATCH', `${USERS}/${issuer}`, { disabled: true })).status, 200)
      assert.deepEqual(
        await clientIds(),
        before.filter((id) => id !== acting.client_id),
      )
    }
  })
})
