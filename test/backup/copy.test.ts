import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import BetterSqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { checkSeals } from '../../src/channels/cli/doctor/database-checks.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { readConfig } from '../../src/config.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { MAIL_SEAL } from '../../src/identity/mail/outbox.ts'
import { SIGNING_KEY_SEAL } from '../../src/identity/oauth/keys/signing-keys.ts'
import { ID_TOKEN_SEAL } from '../../src/identity/sessions/provider-sign-out.ts'
import { TOTP_SEAL } from '../../src/identity/sessions/factors/sealed-totp.ts'
import { SALT_SEAL } from '../../src/insights/search-log/visitors.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { databaseFile } from '../../src/platform/database/sqlite-file.ts'
import { type TableShape, tableShapes } from '../../src/platform/database/table-shapes.ts'
import { readSecretFile } from '../../src/platform/secret-file.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { knowledge, start } from '../cli/program.ts'
import { until } from '../support/patience.ts'
import { connectionsGone } from '../durability/connections-gone.ts'
import { buildRealm, ENTRIES, type Realm } from '../isolation/world.ts'
import { DATABASES, onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { emptyFolder, everything, namesIn, refuses, succeeds } from './parts.ts'

const TENANT = 'moving'
const HOST = 'moving.example'
const CATEGORIES = '/api/knowledge/categories'

/** Purposes of the secrets that are sealed under the installation's key, by table and column. */
const SEALS: Readonly<Record<string, string>> = {
  'mail_outbox.sealed': MAIL_SEAL,
  'oauth_signing_keys.sealed': SIGNING_KEY_SEAL,
  'user_totp.sealed': TOTP_SEAL,
  'user_totp.pending_sealed': TOTP_SEAL,
  'visitor_salts.sealed': SALT_SEAL,
}

/** The same with a sealed column that has another name. Sessions have it too, here without a value. */
const ALL_SEALS: Readonly<Record<string, string>> = { ...SEALS, 'sign_in_steps.provider_id_token': ID_TOKEN_SEAL }

const secretsOf = ({ options }: TestDatabase): SecretBox => SecretBox.of({ secretKey: null, dataDir: options.dataDir })

const addressOf = ({ options }: TestDatabase): string => options.databaseUrl ?? options.dataDir

/** Gives each table that has no row of the tenant one, made from the schema alone: a new table is never left out. */
async function fillTheRest(database: Database, secrets: SecretBox): Promise<void> {
  const { queries } = database
  const types = new Map(
    (await queries.introspection.getTables()).map(({ name, columns }) => [
      name,
      new Map(columns.map((column) => [column.name, column.dataType.toLowerCase()])),
    ]),
  )
  const rowOf = async (shape: TableShape, where = sql`1 = 1`): Promise<Record<string, unknown> | undefined> => {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(shape.name)} where ${where} limit 1`.execute(queries)
    return rows[0]
  }
  const shapes = await tableShapes(database)
  const isOfTenant = sql`tenant_id = ${TENANT}`
  for (const shape of shapes) {
    if ((await rowOf(shape, isOfTenant)) !== undefined || shape.name === 'removed_tenants') continue
    const row: Record<string, unknown> = {}
    for (const column of shape.columns) {
      const type = types.get(shape.name)!.get(column)!
      const purpose = ALL_SEALS[`${shape.name}.${column}`]
      if (column === 'tenant_id') row[column] = TENANT
      else if (purpose !== undefined) row[column] = secrets.seal(purpose, `secret of ${shape.name}`)
      else if (/blob|bytea/.test(type)) row[column] = Buffer.from([0, 1, 254, 255])
      else if (/int/.test(type)) row[column] = 1
      else if (/double|float|real/.test(type)) row[column] = 0.1
      else row[column] = `${column} of ${shape.name}`
    }
    for (const { to, columns } of shape.references) {
      const parent = await rowOf(
        shapes.find(({ name }) => name === to)!,
        isOfTenant,
      )
      for (const { here, there } of columns) row[here] = parent![there]
    }
    const names = sql.join(shape.columns.map((column) => sql.ref(column)))
    const values = sql.join(shape.columns.map((column) => row[column]))
    await sql`insert into ${sql.table(shape.name)} (${names}) values (${values})`.execute(queries)
  }
}

/** Tells whether a process has the one write lock of the database in a folder. */
function isLocked(dataDir: string): boolean {
  const connection = new BetterSqlite(databaseFile(dataDir), { timeout: 0 })
  try {
    connection.exec('begin immediate; rollback')
    return false
  } catch {
    return true
  } finally {
    connection.close()
  }
}

/** Returns the rows of all tables, except the record of when the schema was made. */
async function data(database: Database, tenantId?: string): Promise<Record<string, string[]>> {
  const { kysely_migration: _made, ...tables } = await everything(database, tenantId)
  return tables
}

onEachDatabase('an installation', (kind) => {
  let stage: TestService
  let realm: Realm

  before(async () => {
    stage = await TestService.start(kind)
    readSecretFile(stage.place.options.dataDir)
    realm = await buildRealm(stage, TENANT, true)
    await buildRealm(stage, 'neighbour', true)
    const { key } = await stage.user({ tenant: TENANT, email: `last@${TENANT}.example` })
    // A chain of categories whose ids do not say which is above which.
    const chain: string[] = []
    for (let depth = 0; depth < 6; depth++) {
      const creation = await stage.call('POST', CATEGORIES, {
        key,
        body: { name: `c${depth}`, parent_id: chain.at(-1) },
      })
      chain.push(creation.body.id)
    }
    // Turned over from the bottom up, so that those made first are below.
    const put = (id: string, parent: string | null) =>
      stage.call('PATCH', `${CATEGORIES}/${id}`, { key, body: { parent_id: parent } })
    for (const id of chain.toReversed()) assert.equal((await put(id, null)).status, 200)
    for (const [i, id] of chain.slice(0, -1).entries()) assert.equal((await put(id, chain[i + 1])).status, 200)
    await stage.service.stop()
    const { queries } = stage.database
    await queries.insertInto('removed_tenants').values({ tenant_id: 'gone', removed_at: 1 }).execute()
    await fillTheRest(stage.database, secretsOf(stage.place))
  })
  after(async () => {
    await stage.database.close()
    await stage.place.remove()
  })

  for (const target of DATABASES) {
    describe(`copied to ${target.name}`, () => {
      test('is the same row by row, in every table of the schema', async (t) => {
        const elsewhere = await target.create()
        t.after(() => elsewhere.remove())
        await succeeds(stage.place, ['copy', '--to', addressOf(elsewhere)])
        const copied = openDatabase(elsewhere.options)
        t.after(() => copied.close())
        const [from, to] = [await data(stage.database), await data(copied)]
        const empty = Object.keys(from).filter((table) => from[table].length === 0)
        assert.deepEqual(empty, [], 'each table has rows, or a forgotten one would not be noticed')
        assert.deepEqual(Object.keys(to), Object.keys(from))
        for (const table of Object.keys(from)) assert.deepEqual(to[table], from[table], table)
        assert.match(
          await refuses(stage.place, ['copy', '--to', addressOf(elsewhere)]),
          /has rows already .* empty one/,
        )
      })

      test('that ends by kill -9 has left everything there or nothing, and can be made again', async (t) => {
        const elsewhere = await target.createMigrated()
        t.after(() => elsewhere.remove())
        const copied = openDatabase(elsewhere.options)
        t.after(() => copied.close())
        await migrate(copied)
        const begun = start(stage.place, ['copy', '--to', addressOf(elsewhere)])
        const isWriting = async (): Promise<boolean> => {
          if (target.name === 'SQLite') return isLocked(elsewhere.options.dataDir)
          const { rows } = await sql`
            select 1 from pg_stat_activity where datname = current_database() and backend_xid is not null`.execute(
            copied.queries,
          )
          return rows.length > 0
        }
        await until(isWriting, 'the copy writes')
        begun.process.kill('SIGKILL')
        await begun.finished
        assert.equal(begun.process.signalCode, 'SIGKILL')
        await connectionsGone(copied)
        const there = await data(copied)
        if (Object.values(there).every((rows) => rows.length === 0))
          await succeeds(stage.place, ['copy', '--to', addressOf(elsewhere)])
        assert.deepEqual(await data(copied), await data(stage.database))
      })

      test('is refused where another tenant has the host of the one that would come, and leaves no trace', async (t) => {
        const elsewhere = await target.createMigrated()
        t.after(() => elsewhere.remove())
        const there = openDatabase(elsewhere.options)
        t.after(() => there.close())
        await migrate(there)
        await createTenant(there, { id: 'settled', name: 'Settled', host: HOST })
        await changeTenant(stage.database, TENANT, { host: HOST })
        t.after(() => changeTenant(stage.database, TENANT, { host: null }))
        const before = await data(there)
        const line = await refuses(stage.place, ['copy', '--to', addressOf(elsewhere), '--tenant', TENANT])
        assert.equal(line, 'The host belongs to another tenant')
        assert.deepEqual(await data(there), before)
        await there.queries.insertInto('removed_tenants').values({ tenant_id: TENANT, removed_at: 1 }).execute()
        const gone = await refuses(stage.place, ['copy', '--to', addressOf(elsewhere), '--tenant', TENANT])
        assert.equal(gone, `A tenant ${TENANT} was removed, and its id stays its own`)
      })

      test('gives one tenant to another that runs with a key of its own, with all it has and nothing else', async (t) => {
        const other = await TestService.start(target)
        t.after(async () => {
          await other.service.stop()
          await other.database.close()
          await other.place.remove()
        })
        const [here, there] = [secretsOf(stage.place), secretsOf(other.place)]
        readSecretFile(other.place.options.dataDir)
        const before = await data(other.database, 'default')
        const file = join(other.place.options.dataDir, 'secret.key')
        const args = ['copy', '--tenant', TENANT, '--to', addressOf(other.place), '--to-key', file]
        await succeeds(stage.place, args)

        const [from, to] = [await data(stage.database, TENANT), await data(other.database, TENANT)]
        const sealed = new Set(Object.keys(ALL_SEALS).map((each) => each.split('.')[0]))
        for (const table of Object.keys(from)) {
          if (sealed.has(table)) assert.equal(to[table].length, from[table].length, table)
          else assert.deepEqual(to[table], from[table], table)
        }
        for (const [place, purpose] of Object.entries(ALL_SEALS)) {
          const [table, column] = place.split('.')
          const opened = async ({ queries }: Database, box: SecretBox) => {
            const { rows } = await sql<{ sealed: string }>`
              select ${sql.ref(column)} as sealed from ${sql.table(table)} where tenant_id = ${TENANT}`.execute(queries)
            return rows.map((row) => box.open(purpose, row.sealed)).toSorted()
          }
          const secrets = await opened(stage.database, here)
          assert.ok(secrets.length > 0 && !secrets.includes(null), place)
          assert.deepEqual(await opened(other.database, there), secrets, place)
        }
        assert.deepEqual(await data(other.database, 'neighbour'), await data(other.database, 'nobody'))
        const after = await data(other.database, 'default')
        for (const table of ['users', 'user_passwords', 'api_keys', 'sites', 'categories', 'audit_log'])
          assert.deepEqual(after[table], before[table], table)

        const headers = { authorization: realm.owner.authorization! }
        const search = await other.call('POST', `${ENTRIES}/search`, {
          key: null,
          headers,
          body: { query: 'Leuchtturm', mode: 'keyword', limit: 50 },
        })
        assert.equal(search.status, 200, JSON.stringify(search.body))
        assert.ok(search.body.length > 3)
        assert.match(
          await refuses(stage.place, args),
          /rows of a tenant moving in the target already .*: a copy replaces nothing, .* place with --to, or .* --as\.$/,
        )
      })
    })
  }

  test('has no sealed column that a copy to another key forgets', async () => {
    const tables = await stage.database.queries.introspection.getTables()
    const sealedColumns = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => column.name.endsWith('sealed')).map((column) => `${name}.${column.name}`),
    )
    assert.deepEqual(sealedColumns.toSorted(), Object.keys(SEALS).toSorted())
  })

  test('is reported by the doctor as sealed with another key where the settings have another key, or none', async (t) => {
    const checked = async (env: Record<string, string>) => {
      const finding = await checkSeals(stage.database, readConfig(env))
      const { verdict, text } = [finding].flat()[0]
      return `${verdict} ${text}`
    }
    const { dataDir } = stage.place.options
    assert.equal(
      await checked({ DATA_DIR: dataDir }),
      `ok secret.key in ${dataDir} opens what the database keeps sealed`,
    )
    assert.match(
      await checked({ DATA_DIR: dataDir, SECRET_KEY: 'another key that is quite long enough' }),
      /^warn SECRET_KEY does not open (\d+) of \1 sealed values \(.*authenticator apps/,
    )
    const empty = emptyFolder(t)
    assert.match(await checked({ DATA_DIR: empty }), /^warn secret\.key in .* does not open/)
    assert.deepEqual(namesIn(empty), [], 'the doctor makes no key')
  })

  test('is reported at the start of a service with another key', async () => {
    const output = async (settings: Record<string, string>): Promise<string> => {
      const service = await ServiceProcess.start(stage.place, { ...settings, LOG_LEVEL: 'warn' })
      await service.stop()
      return service.output
    }
    assert.doesNotMatch(await output({}), /does not open/)
    assert.match(
      await output({ SECRET_KEY: 'another key that is quite long enough' }),
      /SECRET_KEY does not open \d+ of/,
    )
  })

  test('of one tenant recommends a key of its own, and refuses one that is too short', async (t) => {
    const [folder, file] = [emptyFolder(t), join(emptyFolder(t), 'key')]
    const copy = (place: string, args: readonly string[] = []) =>
      knowledge(stage.place, ['copy', '--to', join(folder, place), ...args], {
        env: { SECRET_KEY: 'a key that is quite long enough for it' },
      })
    assert.match((await copy('one', ['--tenant', TENANT])).stderr, /^Serve the copy.*\nFor .* --to-key FILE\n$/m)
    assert.match((await copy('all')).stderr, /Serve the copy with the same secret key: .*DATA_DIR\n$/)
    const withKey = ['--tenant', TENANT, '--to-key', file]
    writeFileSync(file, 'too short\n')
    assert.match((await copy('own', withKey)).stderr, /must have at least 32 characters/)
    writeFileSync(file, 'this is quite long enough for a key\n')
    const own = await copy('own', withKey)
    assert.deepEqual([own.code, /Serve the copy/.test(own.stderr)], [0, false], own.stderr)
  })

  test('is not copied onto itself, nor a tenant that it does not have', async () => {
    assert.match(await refuses(stage.place, ['copy', '--to', addressOf(stage.place)]), /is the database itself/)
    const elsewhere = await kind.create()
    const done = await knowledge(stage.place, ['copy', '--to', addressOf(elsewhere), '--tenant', 'nobody'])
    assert.notEqual(done.code, 0)
    assert.match(done.stderr, /^There is no tenant nobody in the installation\. It has: .*moving/)
    await elsewhere.remove()
  })

  test('names in one line a target that is no address or does not answer, and makes no folder of it', async () => {
    const wrong = ['postgres:/u:secret@host/db', 'postgress://u:secret@host/db', 'postgres://u:secret@ho st/db']
    for (const to of wrong) {
      const line = await refuses(stage.place, ['copy', '--to', to])
      assert.match(line, /neither a data directory nor a postgres:\/\/ address/)
      assert.doesNotMatch(line, /secret/)
      assert.equal(existsSync(to), false)
    }
    const line = await refuses(stage.place, ['copy', '--to', 'postgres://u:secret@127.0.0.1:1/db'])
    assert.match(line, /The target does not answer \(ECONNREFUSED\)/)
  })
})
