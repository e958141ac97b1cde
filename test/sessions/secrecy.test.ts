import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { logSettings } from '../../src/platform/http/logger.ts'
import { type Service, startService } from '../../src/server.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { until } from '../support/patience.ts'

const PASSWORD = 'never to be seen anywhere'
const WRONG = 'never to be seen either'

const lines: string[] = []
let place: TestDatabase
let service: Service
let database: Database

before(async () => {
  place = await DATABASES[0].create()
  const config = testConfig(place, { BOOTSTRAP_ADMIN_PASSWORD: PASSWORD, RATE_LIMIT_PER_MINUTE: '1000' })
  service = await startService(config, pino(logSettings('trace'), { write: (line: string) => lines.push(line) }))
  database = openDatabase(place.options)
})
after(async () => {
  await service.stop()
  await database.close()
  await place.remove()
})

test('passwords, cookies and keys appear in no log and no row, whether signing in succeeds or fails', async () => {
  const call = (method: string, path: string, body?: object, cookie = '') =>
    fetch(service.url + path, {
      method,
      headers: { origin: service.url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  const email = 'admin@localhost'
  const good = await call('POST', '/api/session', { email, password: PASSWORD })
  assert.equal(good.status, 200)
  const cookie = good.headers.getSetCookie()[0].split(';')[0]
  const [, secret] = cookie.split('=')
  assert.equal((await call('POST', '/api/session', { email, password: WRONG })).status, 401)
  assert.equal((await call('POST', '/api/session', { email, password: WRONG, tenant: 5 })).status, 422)
  assert.equal((await call('GET', '/api/session', undefined, cookie)).status, 200)
  const creation = await call('POST', '/api/knowledge/api-keys', { name: 'K', scopes: ['knowledge:read'] }, cookie)
  const { key } = (await creation.json()) as { key: string }
  assert.match(key, /^ks_/)
  assert.equal((await call('DELETE', '/api/session', undefined, cookie)).status, 204)

  const requests = (): number => lines.filter((line) => /"(?:path|route)":"\/api\/session"/.test(line)).length
  // A request may be logged after its answer has arrived, and with its route where it was slow.
  await until(() => requests() >= 5, 'the requests themselves are in the log')
  const log = lines.join('')
  const rows = await everything(database)
  // The cost of password hashes in a service that sets no other.
  assert.ok(rows.includes('$argon2id$v=19$m=19456,t=2,p=1$') && rows.includes(email), 'the rows are there')
  for (const [what, text] of Object.entries({ PASSWORD, WRONG, secret, key })) {
    assert.ok(!log.includes(text), `${what} is in the log`)
    assert.ok(!rows.includes(text), `${what} is in the database`)
  }
})

/** Returns all rows of all tables, as text. */
async function everything({ queries }: Database): Promise<string> {
  const tables = await queries.introspection.getTables()
  const all = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(queries)))
  return JSON.stringify(all.map(({ rows }) => rows))
}
