import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Finding } from '../../src/channels/cli/doctor/check.ts'
import { checkSchema } from '../../src/channels/cli/doctor/database-checks.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { appliedMigrations } from '../../src/platform/database/migrate.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { grantedOf } from '../../src/identity/oauth/authorize/granted.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { knowledge } from '../cli/program.ts'
import { UNRELEASED_MIGRATIONS } from '../../src/platform/database/migrations/unreleased.ts'
import { nameMigrations } from '../support/unreleased.ts'
import { emptyFolder, emptyPlace, refuses, succeeds } from './parts.ts'

/** Commands that work on one tenant; each of them would have updated the schema. */
const COMMANDS = [['export'], ['key', 'list'], ['key', 'issue', '--name', 'x', '--role', 'reader'], ['tenant', 'list']]

onEachDatabase('the schema of the database', (kind) => {
  let place: TestDatabase
  let database: Database

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  test('is made by knowledge migrate, which does nothing the second time', async () => {
    assert.match(await refuses(place, ['key', 'list']), /There is no database|The database is empty/)
    const first = await knowledge(place, ['migrate'])
    assert.deepEqual([first.code, /^Applied 0001-[a-z]+.*\n$/.test(first.stderr)], [0, true])
    const again = await knowledge(place, ['migrate'])
    assert.deepEqual([again.code, again.stderr], [0, 'The schema was up to date\n'])
  })

  test('is left alone by commands when it is older, which say what updates it; a backup takes it as it is', async (t) => {
    await createTenant(database, { id: 'default', name: 'Default', host: null })
    const all = (await appliedMigrations(database.queries)).toSorted()
    const last = all.at(-1)
    await nameMigrations(database, UNRELEASED_MIGRATIONS)
    for (const command of COMMANDS) {
      const line = await refuses(place, command)
      assert.match(
        line,
        /^The database is older than this program, it lacks [\w-]+.*: .* back up, then run: .*migrate$/,
      )
      assert.ok(line.includes(last))
    }
    const finding = (await checkSchema(database, readConfig({}))) as Finding
    assert.deepEqual([finding.verdict, finding.text.includes(last)], ['warn', true])
    assert.deepEqual((await appliedMigrations(database.queries)).toSorted(), UNRELEASED_MIGRATIONS)
    if (kind.name === 'SQLite') {
      const restored = emptyPlace(t)
      await succeeds(restored, ['restore', await succeeds(place, ['backup', emptyFolder(t)])])
      assert.equal((await knowledge(restored, ['migrate'])).stderr, `Applied ${all.join(', ')}\n`)
      await succeeds(restored, ['key', 'list'])
    }
    assert.equal((await knowledge(place, ['migrate'])).stderr, `Applied ${all.join(', ')}\n`)
    await succeeds(place, ['key', 'list'])
  })

  test('is refused by every command when it is too old, with what updates it', async () => {
    const had = await appliedMigrations(database.queries)
    const old = UNRELEASED_MIGRATIONS.slice(0, -1)
    await nameMigrations(database, old)
    for (const command of [...COMMANDS, ['migrate'], ['serve']])
      assert.match(await refuses(place, command), /^The database is older .* \(git checkout [\da-f]{40}, npm start\), /)
    assert.deepEqual((await appliedMigrations(database.queries)).toSorted(), old)
    await nameMigrations(database, had)
  })

  test('is refused by every command when it is newer', async () => {
    assert.equal((await knowledge(place, ['migrate'])).code, 0)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2028-01-01')`.execute(
      database.queries,
    )
    for (const command of [...COMMANDS, ['migrate'], ['serve']])
      assert.match(
        await refuses(place, command),
        /^The database is newer than this program, \d+\.\d+\.\d+.*: it has 9999-later\. /,
      )
    await sql`delete from kysely_migration where name = '9999-later'`.execute(database.queries)
  })

  test('gives credentials that write the scope for prompts, which was part of writing before', async (t) => {
    const older = await kind.create()
    const opened = openDatabase(older.options)
    t.after(async () => {
      await opened.close()
      await older.remove()
    })
    const { queries } = opened
    await knowledge(older, ['migrate'])
    await createTenant(opened, { id: 'default', name: 'Default', host: null })
    const scopes = ['knowledge:read', 'knowledge:write', 'visibility:internal'] as const
    const reader = ['knowledge:read', 'visibility:internal'] as const
    for (const [name, own] of [
      ['writes', scopes],
      ['reads', reader],
    ] as const)
      await issueApiKey(opened, 'default', { name, scopes: own, userId: null, expiresAt: null })
    const scope = scopes.join(' ')
    const record = { tenant_id: 'default', uid: null, grant_id: null, client_id: null, user_id: null, audience: null }
    const payload = JSON.stringify({ resources: { 'https://example.com/mcp': scope } })
    const end = { consumed_at: null, created_at: 0, expires_at: null }
    await queries
      .insertInto('oauth_records')
      .values({ ...record, kind: 'Grant', hash: 'g', payload, scopes: scope, ...end })
      .execute()
    await nameMigrations(opened, UNRELEASED_MIGRATIONS)
    assert.match((await knowledge(older, ['migrate'])).stderr, /0004-prompts-for-others/)
    const keys = await queries.selectFrom('api_keys').select(['name', 'scopes']).execute()
    const scopesOf = (name: string) => keys.find((row) => row.name === name)?.scopes
    const extended = scope.replace('knowledge:write', 'knowledge:write knowledge:prompts')
    assert.deepEqual([scopesOf('writes'), scopesOf('reads')], [extended, reader.join(' ')])
    const grant = await queries.selectFrom('oauth_records').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual(grantedOf(grant).scopes, extended.split(' '))
    assert.equal(grant.scopes, extended)
  })
})
