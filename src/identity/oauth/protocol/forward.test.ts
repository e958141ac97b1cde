import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATABASES } from '../../../../test/support/databases.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { SecretBox } from '../../../platform/secrets.ts'
import { ROUTES } from '../paths.ts'
import { forward } from './forward.ts'
import { ProviderPool } from './provider-pool.ts'

const ISSUER = 'http://localhost:8080'

test('what keeps the OAuth server from answering is told to the client that asked, and to it alone', async (t) => {
  const place = await DATABASES[0].create()
  t.after(() => place.remove())
  const database = openDatabase(place.options)
  await migrate(database)
  const config = { accessTokenSeconds: 60, refreshTokenSeconds: 60, refreshGraceSeconds: 0 }
  const pool = new ProviderPool({ database, secrets: new SecretBox(() => 'a secret of the test'), config })
  const provider = await pool.of({ issuer: ISSUER, tenantId: null })
  const ask = (fields: Record<string, string>) =>
    forward(provider, { method: 'POST', url: ROUTES.token, headers: {}, remoteAddress: '127.0.0.1', form: fields })
  const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'somebody' }
  assert.equal((await ask(form)).status, 401)
  await database.close()
  const [failure, refused] = await Promise.allSettled([ask(form), ask({})])
  assert.ok(failure.status === 'rejected' && /destroyed/.test(String(failure.reason)), JSON.stringify(failure))
  assert.ok(refused.status === 'fulfilled' && refused.value.status === 400, JSON.stringify(refused))
})
