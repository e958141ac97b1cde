import assert from 'node:assert/strict'
import {
  copyFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { insertSalt } from '../../src/insights/search-log/salt-store.ts'
import { SALT_SEAL } from '../../src/insights/search-log/visitors.ts'
import { tableNames } from '../../src/platform/database/contents.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { readSecretFile } from '../../src/platform/secret-file.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { start } from '../cli/program.ts'
import { until } from '../support/patience.ts'
import { connectionsGone } from '../durability/connections-gone.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import type { TestDatabase } from '../support/databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { skipWithout } from '../support/optional-programs.ts'
import { DUMPABLE_POSTGRES } from '../support/postgres-clients.ts'
import { administer, urlOf } from '../support/template.ts'
import { assertWholeUnderWrites, emptyFolder, everything, namesIn, refuses, succeeds } from './parts.ts'

/** Returns the ids of processes that were called with a path. */
function processesWith(path: string): string[] {
  return globSync('/proc/[0-9]*/cmdline').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(path)
    } catch {
      return false
    }
  })
}

describe('a backup of PostgreSQL', { skip: skipWithout('pgDump') }, () => {
  let server: PostgresServer
  let place: TestDatabase
  let service: ServiceProcess
  let category: string
  let databases = 0
  const BACKUP_POSTGRES_BIN = DUMPABLE_POSTGRES?.folder ?? ''

  async function emptyDatabase(): Promise<TestDatabase> {
    const name = `backup_${databases++}`
    await administer(server.url, `create database ${name}`)
    const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-test-'))
    return {
      options: { dataDir, databaseUrl: urlOf(server.url, name) },
      remove: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  }
  async function emptyPlace(t: TestContext): Promise<TestDatabase> {
    const elsewhere = await emptyDatabase()
    t.after(() => elsewhere.remove())
    return elsewhere
  }

  async function tablesOf({ options }: TestDatabase): Promise<string[]> {
    const database = openDatabase(options)
    return tableNames(database.queries).finally(() => database.close())
  }

  before(async () => {
    server = await startPostgres({ major: DUMPABLE_POSTGRES!.major })
    place = await emptyDatabase()
    readSecretFile(place.options.dataDir)
    const database = openDatabase(place.options)
    service = await ServiceProcess.start(place)
    const sealed = SecretBox.of({ secretKey: null, dataDir: place.options.dataDir }).seal(SALT_SEAL, 'salt')
    await database.write((tx) => insertSalt(tx, 'default', 1, sealed))
    await database.close()
    category = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
  })
  after(async () => {
    await service.kill()
    await place.remove()
    await server.stop()
  })

  test('made under a stream of writes has all that was acknowledged before, and nothing half done', async (t) => {
    const elsewhere = await emptyPlace(t)
    await assertWholeUnderWrites(t, { place, elsewhere, service, category, env: { BACKUP_POSTGRES_BIN } })
  })

  test('is readable by its owner only, holds the key, and is restored row by row', async (t) => {
    await service.stop()
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_POSTGRES_BIN })
    assert.deepEqual(namesIn(backup), ['backup.json', 'knowledge.pgdump', 'secret.key'])
    for (const name of namesIn(backup)) assert.equal(statSync(join(backup, name)).mode & 0o777, 0o600, name)
    const elsewhere = await emptyPlace(t)
    await succeeds(elsewhere, ['restore', backup], { BACKUP_POSTGRES_BIN })
    const key = ({ options }: TestDatabase): string => readFileSync(join(options.dataDir, 'secret.key'), 'utf8')
    assert.equal(key(elsewhere), key(place))
    const [one, other] = [place, elsewhere].map(({ options }) => openDatabase(options))
    try {
      // The command notes the backup once it is made.
      const noted = { backup_state: [] }
      assert.deepEqual({ ...(await everything(other)), ...noted }, { ...(await everything(one)), ...noted })
    } finally {
      await one.close()
      await other.close()
    }
    const again = await ServiceProcess.start(elsewhere)
    t.after(() => again.kill())
    assert.equal((await again.call('GET', '/api/knowledge/knowledge-entries')).status, 200)
  })

  test('is refused by a database that has tables, by a data directory, and once it was cut off', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_POSTGRES_BIN })
    assert.match(await refuses(place, ['restore', backup], { BACKUP_POSTGRES_BIN }), /has tables/)
    const elsewhere = await emptyPlace(t)
    assert.match(await refuses(elsewhere, ['restore', backup], { DATABASE_URL: '' }), /is a backup of PostgreSQL/)
    const file = join(backup, 'knowledge.pgdump')
    truncateSync(file, statSync(file).size - 100)
    assert.match(await refuses(elsewhere, ['restore', backup], { BACKUP_POSTGRES_BIN }), /is not as it was written/)
    assert.deepEqual(namesIn(elsewhere.options.dataDir), [])
  })

  test('without its key, or with a linked one, is refused before anything is written', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_POSTGRES_BIN })
    const elsewhere = await emptyPlace(t)
    const [file, moved] = ['secret.key', 'moved'].map((name) => join(backup, name))
    renameSync(file, moved)
    assert.match(await refuses(elsewhere, ['restore', backup], { BACKUP_POSTGRES_BIN }), /secret\.key is missing/)
    symlinkSync(moved, file)
    assert.match(await refuses(elsewhere, ['restore', backup], { BACKUP_POSTGRES_BIN }), /secret\.key is no file/)
    assert.deepEqual([await tablesOf(elsewhere), namesIn(elsewhere.options.dataDir)], [[], []])
  })

  test('whose restore is killed leaves an empty database, and no pg_restore that goes on', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_POSTGRES_BIN })
    const elsewhere = await emptyPlace(t)
    const database = openDatabase(elsewhere.options)
    t.after(() => database.close())
    const { queries } = database
    const killed = await queries.transaction().execute(async (tx) => {
      // The restore waits for this table of the same name in the middle of its work.
      await sql`create table users (id text)`.execute(tx)
      const begun = start(elsewhere, ['restore', backup], { env: { BACKUP_POSTGRES_BIN } })
      await until(async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity
          where application_name = 'knowledge-restore' and wait_event_type = 'Lock'`.execute(queries)
        return rows.length > 0
      }, 'the restore writes')
      begun.process.kill('SIGKILL')
      await begun.finished
      await until(async () => processesWith(backup).length === 0, 'pg_restore has ended with it')
      await sql`drop table users`.execute(tx)
      return begun
    })
    assert.equal(killed.process.signalCode, 'SIGKILL')
    await connectionsGone(database)
    assert.deepEqual(await tablesOf(elsewhere), [])
    await succeeds(elsewhere, ['restore', backup], { BACKUP_POSTGRES_BIN })
    assert.deepEqual(namesIn(elsewhere.options.dataDir), ['secret.key'])
  })

  test('whose sealed values its key does not open is taken back as a whole', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_POSTGRES_BIN })
    const file = join(backup, 'backup.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, object>>
    const [kind] = Object.keys(manifest.seals)
    writeFileSync(file, JSON.stringify({ ...manifest, seals: { [kind]: { sealed: 99, opened: 99 } } }))
    const elsewhere = await emptyPlace(t)
    assert.match(await refuses(elsewhere, ['restore', backup], { BACKUP_POSTGRES_BIN }), /and opened 99/)
    assert.deepEqual([await tablesOf(elsewhere), namesIn(elsewhere.options.dataDir)], [[], []])
  })

  test('brings one of its tenants back, beside others, into either database', async (t) => {
    const database = openDatabase(place.options)
    t.after(() => database.close())
    const rowsOf = async (of: typeof database) => {
      const { entries, entry_vectors, entry_versions, users, api_keys, categories, visitor_salts } = await everything(
        of,
        'default',
      )
      const rows = { entries, entry_vectors, entry_versions, users, api_keys, categories, visitor_salts }
      return Object.fromEntries(
        Object.entries(rows).map(([table, texts]) => [table, texts.map((text) => text.replaceAll(/\w*seq=\d+/g, ''))]),
      )
    }
    const then = await rowsOf(database)
    for (const table of ['entries', 'entry_vectors', 'visitor_salts']) assert.ok(then[table].length > 0, table)
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_POSTGRES_BIN })
    await database.queries.updateTable('entries').set({ title: 'Lost' }).execute()
    await database.queries.deleteFrom('visitor_salts').execute()
    await succeeds(place, ['restore', backup, '--tenant', 'default', '--replace'], { BACKUP_POSTGRES_BIN })
    assert.deepEqual(await rowsOf(database), then)

    // A migrated SQLite without the tenant, and with the key of the backup.
    const sqlite = { options: { dataDir: emptyFolder(t), databaseUrl: null } }
    copyFileSync(join(backup, 'secret.key'), join(sqlite.options.dataDir, 'secret.key'))
    await succeeds(sqlite, ['migrate'])
    await succeeds(sqlite, ['restore', backup, '--tenant', 'default'], { BACKUP_POSTGRES_BIN })
    assert.deepEqual(
      namesIn(sqlite.options.dataDir).filter((name) => name.startsWith('.')),
      [],
    )
    const other = openDatabase(sqlite.options)
    t.after(() => other.close())
    assert.deepEqual(await rowsOf(other), then)
  })

  test('says in one line what to install where pg_dump is missing, and leaves nothing behind', async (t) => {
    const [folder, none] = [emptyFolder(t), emptyFolder(t)]
    const line = await refuses(place, ['backup', join(folder, 'x')], { BACKUP_POSTGRES_BIN: none })
    assert.match(line, /^No pg_dump was found in .*, and PostgreSQL \d+ needs .* postgresql-client-\d+/)
    assert.deepEqual(namesIn(folder), [])
  })

  test('is made by the service itself, and told by its metrics', async (t) => {
    const folder = emptyFolder(t)
    const settings = { BACKUP_EVERY_HOURS: '1', BACKUP_FOLDER: folder, BACKUP_POSTGRES_BIN }
    // Backups that other tests made by command would count, and this one would not be due yet.
    const scheduling = await ServiceProcess.start(await emptyPlace(t), settings)
    t.after(() => scheduling.kill())
    const metrics = async (): Promise<string> =>
      (await scheduling.call('GET', '/metrics', { key: null })).body as string
    await until(
      async () => /^backup_last_success_timestamp_seconds \d/m.test(await metrics()),
      'metrics tell of a backup',
    )
    await scheduling.stop()
    const [name] = namesIn(folder)
    await succeeds(await emptyPlace(t), ['restore', join(folder, name)], { BACKUP_POSTGRES_BIN })
  })

  test('that is interrupted or killed leaves nothing under its name', async (t) => {
    const folder = emptyFolder(t)
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const begun = start(place, ['backup', join(folder, signal)], { env: { BACKUP_POSTGRES_BIN } })
      await until(async () => namesIn(folder).length > 0, 'the backup has begun')
      begun.process.kill(signal)
      const { code, stderr } = await begun.finished
      if (signal === 'SIGINT') assert.deepEqual([code, stderr], [130, 'Interrupted; nothing is left of it.\n'])
      assert.ok(namesIn(folder).every((name) => name.startsWith('.backup-part-')))
    }
    await succeeds(place, ['backup', join(folder, 'whole')], { BACKUP_POSTGRES_BIN })
    assert.deepEqual(namesIn(folder), ['whole'])
  })
})
