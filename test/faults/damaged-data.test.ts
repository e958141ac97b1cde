import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { test } from 'node:test'
import BetterSqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { databaseFile } from '../../src/platform/database/sqlite-file.ts'
import { knowledge } from '../cli/program.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { samplesOf } from '../monitoring/samples.ts'
import { until } from '../support/patience.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

/** Makes the database tell of damage whenever an entry is read (SQLite) or written (PostgreSQL). */
async function damage({ options }: TestDatabase): Promise<void> {
  if (options.databaseUrl !== null) {
    const database = openDatabase(options)
    await sql`create function damaged() returns trigger language plpgsql as
      $$ begin raise exception 'invalid page in block 7 of relation base/1' using errcode = 'XX001'; end $$`.execute(
      database.queries,
    )
    await sql`create trigger damaged before insert on entries execute function damaged()`.execute(database.queries)
    return database.close()
  }
  const file = databaseFile(options.dataDir)
  const connection = new BetterSqlite(file)
  connection.pragma('wal_checkpoint(truncate)')
  const bytes = connection.pragma('page_size', { simple: true }) as number
  const root = connection.prepare(`select rootpage from sqlite_master where name = 'entries'`).pluck().get() as number
  connection.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(bytes, 'damage'), 0, bytes, (root - 1) * bytes)
  closeSync(handle)
}

onEachDatabase('damaged data', (kind) => {
  test('are logged once, counted, told to the operator, and answered without advice to try again', async (t) => {
    const place = await kind.create({ onDisk: true })
    t.after(() => place.remove())
    const first = await ServiceProcess.start(place)
    const { body: category } = await first.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
    const entry = { title: 'Lamp', content: 'Light', category_id: category.id }
    assert.equal((await first.call('POST', ENTRIES, { body: entry })).status, 201)
    await first.stop()
    const database = openDatabase(place.options)
    const { key } = await issueOperator(database, { name: 'Watch', expiresAt: null })
    await database.close()

    await damage(place)
    const service = await ServiceProcess.start(place)
    t.after(() => service.kill())
    assert.equal((await samplesOf(service.url)).get('database_damage_errors'), 0)
    const touch = () => service.call('POST', ENTRIES, { body: { ...entry, title: 'Torch' } })
    for (let i = 0; i < 5; i++) {
      const { status, headers, body } = await touch()
      assert.deepEqual([status, body.detail[0].type], [500, 'storage_damaged'])
      assert.match(body.detail[0].msg, /trying again does not help/)
      assert.equal(headers.get('retry-after'), null)
    }
    const [code, told] =
      kind.name === 'SQLite'
        ? ['SQLITE_CORRUPT', /The database file is damaged \(SQLITE_CORRUPT/]
        : ['XX001', /PostgreSQL has found damaged data \(XX001/]
    const lines = service.output.split('\n').filter((line) => line.includes('"level":"error"'))
    assert.equal(lines.length, 1, service.output)
    assert.match(lines[0], told)
    assert.equal((JSON.parse(lines[0]) as { code: string }).code, code)
    const counted = async () => (await samplesOf(service.url)).get('database_damage_errors')! >= 5
    // The text of metrics may be a second old.
    await until(counted, 'the metric counts them')
    const status = await service.call('GET', '/api/operator/status', { key })
    assert.match((status.body.warnings as string[]).find((text) => told.test(text)) ?? '', /estore/)
    if (kind.name === 'PostgreSQL') return
    const search = await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Lamp', mode: 'keyword' } })
    assert.deepEqual([search.status, search.body.detail[0].type], [500, 'storage_damaged'])
    const doctor = await knowledge(place, ['doctor'])
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, /^fail {2}integrity +the database file is damaged .*restore a backup/m)
  })
})
