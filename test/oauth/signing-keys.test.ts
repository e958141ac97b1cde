import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { ProviderPool } from '../../src/identity/oauth/protocol/provider-pool.ts'
import { signingKeys } from '../../src/identity/oauth/keys/signing-keys.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

onAnyDatabase('keys that sign ID tokens', (kind) => {
  const secrets = new SecretBox(() => 'a secret of the installation')
  let place: TestDatabase
  let database: Database
  before(async () => {
    place = await kind.createMigrated()
    database = openDatabase(place.options)
    await migrate(database)
  })
  beforeEach(() => database.queries.deleteFrom('oauth_signing_keys').execute())
  after(async () => {
    await database.close()
    await place.remove()
  })
  const kidsAt = async (now: number) => (await signingKeys(database, secrets, now)).map(({ kid }) => kid)

  test('a new key signs only after all processes have had to read the keys again', async () => {
    const [first] = await kidsAt(0)
    assert.deepEqual(await kidsAt(HOUR), [first])
    const renewedAt = 90 * DAY
    // One process has read the keys just before, and uses them for an hour.
    assert.deepEqual(await kidsAt(renewedAt - 1), [first])
    const published = await kidsAt(renewedAt)
    assert.equal(published.length, 2)
    assert.equal(published[0], first)
    const second = published[1]
    assert.deepEqual(await kidsAt(renewedAt + HOUR), [first, second])
    assert.deepEqual(await kidsAt(renewedAt + 3 * HOUR), [second, first])
    assert.equal((await kidsAt(renewedAt + 89 * DAY)).length, 2)
    const third = await kidsAt(renewedAt + 90 * DAY + HOUR)
    assert.deepEqual([third[0], third.length], [second, 2])
  })

  test('processes that start together create one key', async () => {
    const seen = await Promise.all([kidsAt(5), kidsAt(3), kidsAt(4)])
    assert.deepEqual(seen, [seen[0], seen[0], seen[0]])
    assert.equal(seen[0].length, 1)
  })

  test('a late failure of a read does not affect a newer read', async () => {
    let fail: (error: Error) => void = assert.fail
    const unanswered = {
      selectFrom: () => unanswered,
      select: () => unanswered,
      where: () => unanswered,
      orderBy: () => unanswered,
      execute: () => new Promise((_resolve, reject) => (fail = reject)),
    }
    let queries: unknown = unanswered
    const faltering = new Proxy(database, {
      get: (target, name) => (name === 'queries' ? queries : (Reflect.get(target, name, target) as unknown)),
    })
    const config = { accessTokenSeconds: 60, refreshTokenSeconds: 60, refreshGraceSeconds: 0 }
    let now = 0
    const pool = new ProviderPool({ database: faltering, secrets, config }, () => now)
    const realm = { issuer: 'https://knowledge.example', tenantId: null }
    const early = assert.rejects(pool.of(realm), /away/)
    queries = database.queries
    now += 2 * HOUR
    const provider = await pool.of(realm)
    fail(new Error('away'))
    await early
    assert.equal(await pool.of(realm), provider)
  })
})
