import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { watchBackups } from '../../src/composition/backup/backup-metrics.ts'
import { backupConcern, backupFacts, type BackupState, backupState } from '../../src/composition/backup/concern.ts'
import { startBackups } from '../../src/composition/backup/schedule.ts'
import { readState } from '../../src/composition/backup/state-store.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { readConfig } from '../../src/config.ts'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { knowledge } from '../cli/program.ts'
import { samplesOf } from '../monitoring/samples.ts'
import { until } from '../support/patience.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { DATABASES, onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { emptyFolder, emptyPlace, namesIn, succeeds } from './parts.ts'

const HOUR_MS = 3_600_000
const HOURLY = { everyHours: 1, elsewhere: 'off' } as const
const NO_PLAN = { everyHours: null, elsewhere: 'off' } as const

const factsOf = (last: BackupState | null, dataSince: number | null = null) => ({ last, dataSince })

/** Collects what a schedule logs. */
class Log {
  readonly made: object[] = []
  readonly failures: object[] = []
  info(details: object): void {
    this.made.push(details)
  }
  error(details: object): void {
    this.failures.push(details)
  }
}

async function stored(t: TestContext, { options }: Pick<TestDatabase, 'options'>): Promise<Database> {
  const database = openDatabase(options)
  t.after(() => database.close())
  await migrate(database)
  return database
}

function configOf({ options }: TestDatabase, folder: string, keep = 2) {
  const { dataDir, databaseUrl } = options
  const place = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
  return readConfig({ ...place, BACKUP_FOLDER: folder, BACKUP_KEEP: String(keep) })
}

onEachDatabase('backups that the service makes', (kind) => {
  test('are begun by one process when they are due; a failure is told, and tried again ten minutes later', async (t) => {
    const place = await kind.createMigrated()
    t.after(() => place.remove())
    const database = await stored(t, place)
    const file = join(emptyFolder(t), 'file')
    writeFileSync(file, '')
    const log = new Log()
    const schedules = [1, 2, 3].map(() => startBackups(database, configOf(place, file), 1, log))
    const now = Date.now()
    // Each schedule checks once at its start, too.
    await Promise.all(schedules.map((each) => each.check(now)))
    assert.deepEqual([log.made, log.failures.length], [[], 1], JSON.stringify(log.failures))
    const state = await backupState(database)
    assert.deepEqual([state?.succeeded_at, typeof state?.failure], [null, 'string'])
    assert.match(
      backupConcern(HOURLY, factsOf(state), now)!,
      /^The last backup failed, and there is no good one. Why it failed: /,
    )
    await schedules[0].check(now + 9 * 60_000)
    assert.equal(log.failures.length, 1)
    await Promise.all(schedules.map((each) => each.check(now + 11 * 60_000)))
    assert.equal(log.failures.length, 2)
    for (const each of schedules) await each.close()
  })
})

describe('backups that the service makes', { skip: !DATABASES.some(({ name }) => name === 'SQLite') }, () => {
  test('are made once in each interval, can be restored, and the newest are kept', async (t) => {
    const place = emptyPlace(t)
    const database = await stored(t, place)
    await createTenant(database, { id: 'default', name: 'Default', host: null })
    const folder = join(emptyFolder(t), 'new')
    const log = new Log()
    const now = Date.now()
    const schedules = [1, 2].map(() => startBackups(database, configOf(place, folder), 1, log))
    t.after(() => Promise.all(schedules.map((each) => each.close())))
    const both = async (at: number): Promise<void> => {
      await Promise.all(schedules.map((each) => each.check(at)))
    }
    await both(now)
    assert.deepEqual([log.made.length, log.failures], [1, []])
    const [first] = namesIn(folder)
    await both(now + HOUR_MS / 2)
    assert.deepEqual(namesIn(folder), [first])
    for (const hours of [1.1, 2.2, 3.3]) await both(now + hours * HOUR_MS)
    assert.deepEqual([log.made.length, log.failures], [4, []])
    const names = namesIn(folder)
    assert.deepEqual([names.length, names.includes(first)], [2, false])

    const state = await backupState(database)
    assert.equal(state?.path, join(folder, names[1]))
    const at = now + 3.3 * HOUR_MS
    assert.equal(backupConcern(HOURLY, factsOf(state), at + HOUR_MS), null)
    assert.match(backupConcern(HOURLY, factsOf(state), at + 3 * HOUR_MS)!, /long overdue/)
    const registry = new Registry()
    watchBackups(registry, HOURLY, () => backupFacts(database))
    const metrics = await registry.metrics()
    assert.match(metrics, new RegExp(`^backup_last_success_timestamp_seconds ${at / 1_000}$`, 'm'))
    assert.match(metrics, /^backup_last_bytes [1-9]\d+$/m)
    assert.doesNotMatch(metrics, /^backup_last_failure_timestamp_seconds /m)

    const elsewhere = emptyPlace(t)
    const before = Date.now()
    await succeeds(elsewhere, ['restore', state.path])
    const restored = (await backupFacts(await stored(t, elsewhere))).last!
    assert.deepEqual([restored.path, restored.succeeded_at! >= before], [state.path, true])
    const { stdout } = await knowledge(elsewhere, ['doctor'], { env: { PORT: '0' } })
    const line = /^ok +backups .*$/m.exec(stdout)![0]
    assert.ok(line.includes(`; the data came from a restore of ${state.path} (by `), line)
    assert.doesNotMatch(line.replace(state.path, ''), /\d{4}-\d\d-\d\d/)
    const facts = { last: restored, dataSince: before - 1_000 * HOUR_MS }
    assert.equal(backupConcern(NO_PLAN, facts, before + 24 * HOUR_MS), null)
    assert.match(backupConcern(NO_PLAN, facts, before + 72 * HOUR_MS)!, /^The last backup is of /)
  })

  test('leave the place that is restored from one no failure and no claim of the former place', async (t) => {
    const place = emptyPlace(t)
    const database = await stored(t, place)
    const failed = { failed_at: Date.now(), failure: 'The folder is gone' }
    const claimed = { holder: 'former', held_until: Date.now() + HOUR_MS }
    const none = { succeeded_at: null, path: null, bytes: null, took_ms: null }
    await database.queries
      .insertInto('backup_state')
      .values({ tenant_id: '*', ...claimed, ...none, ...failed })
      .execute()
    const path = await succeeds(place, ['backup', emptyFolder(t)], { BACKUP_EVERY_HOURS: '24' })
    const elsewhere = emptyPlace(t)
    await succeeds(elsewhere, ['restore', path])
    const state = (await readState((await stored(t, elsewhere)).queries))!
    assert.deepEqual([state.path, state.failed_at, state.failure], [path, null, null])
    assert.deepEqual([state.holder, state.held_until], [null, null])
    assert.equal(backupConcern(HOURLY, factsOf(state), Date.now()), null)
  })

  test('are restored also where the restore cannot be noted, which is told with what to do', async (t) => {
    const place = emptyPlace(t)
    const database = await stored(t, place)
    await sql`create trigger no_note before insert on backup_state begin select raise(abort, 'no room'); end`.execute(
      database.queries,
    )
    const path = await succeeds(place, ['backup', emptyFolder(t)])
    const elsewhere = emptyPlace(t)
    const { code, stderr } = await knowledge(elsewhere, ['restore', path])
    assert.equal(code, 0, stderr)
    assert.match(stderr, /restored to .*\nWarning: all data are restored, .*\(.*no room.*\).*make a backup with/)
    assert.equal(await backupState(await stored(t, elsewhere)), null)
  })

  test('do not count backups by the command, which metrics show where the service makes none', async (t) => {
    const place = emptyPlace(t)
    const database = await stored(t, place)
    await createTenant(database, { id: 'default', name: 'Default', host: null })
    const folder = emptyFolder(t)
    await succeeds(place, ['backup', folder], { BACKUP_EVERY_HOURS: '24' })
    assert.equal(await backupState(database), null)

    const path = await succeeds(place, ['backup', folder])
    const state = await backupState(database)
    assert.deepEqual([state?.path, state?.failed_at], [path, null])
    const registry = new Registry()
    watchBackups(registry, NO_PLAN, () => backupFacts(database))
    const at = /^backup_last_success_timestamp_seconds (\d+)/m.exec(await registry.metrics())?.[1]
    assert.ok(Math.abs(Number(at) - Date.now() / 1_000) < 60)
    const { stdout } = await knowledge(place, ['doctor'], { env: { PORT: '0' } })
    assert.ok(stdout.includes(`BACKUP_EVERY_HOURS is not set; the last one by command is of `), stdout)
    assert.ok(stdout.includes(`: ${path} (by the settings of this shell: PORT=0 names no service to ask)\n`), stdout)
  })

  test('that nobody makes are a warning from the second day on, until one is made or made elsewhere', async (t) => {
    const place = emptyPlace(t)
    const service = await ServiceProcess.start(place)
    t.after(() => service.kill())
    const category = await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
    const entry = { title: 'Lamp', content: 'Light', category_id: category.body.id }
    assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })).status, 201)
    const database = await stored(t, place)
    const { key } = await issueOperator(database, { name: 'Watch', expiresAt: null })
    const seen = async (env: Record<string, string> = {}) => {
      const { stdout } = await knowledge(place, ['doctor'], { env: { PORT: '0', ...env } })
      const { body } = await service.call('GET', '/api/operator/status', { key })
      return {
        doctor: /^(\w+) +backups +(.*)$/m.exec(stdout)!.slice(1, 3).join(' '),
        metric: (await samplesOf(service.url)).get('backup_missing'),
        missing: body.backups.missing as boolean,
        warned: (body.warnings as string[]).some((text) => text.startsWith('There is no backup')),
      }
    }
    // The page of metrics is written once a second.
    const shows = (value: number) =>
      until(async () => (await samplesOf(service.url)).get('backup_missing') === value, `the metric shows ${value}`)
    const fresh = await seen()
    assert.match(fresh.doctor, /^ok the service makes none by itself: BACKUP_EVERY_HOURS is not set \(by /)
    assert.deepEqual([fresh.metric, fresh.missing, fresh.warned], [0, false, false])

    await database.queries
      .updateTable('tenants')
      .set({ created_at: Date.now() - 25 * HOUR_MS })
      .execute()
    const old = await seen()
    assert.match(
      old.doctor,
      /^warn There is no backup of this installation, which was set up at .*: run knowledge backup/,
    )
    assert.deepEqual([old.missing, old.warned], [true, true])
    await shows(1)
    assert.match((await seen({ BACKUP_ELSEWHERE: 'on' })).doctor, /^ok other means back the database up/)
    // The settings of the service count, whatever those of the shell say.
    const asked = await seen({ BACKUP_ELSEWHERE: 'on', PORT: new URL(service.url).port })
    assert.match(asked.doctor, /^warn There is no backup .* \(by the settings of the service on http:\S+\)$/)

    await succeeds(place, ['backup', emptyFolder(t)])
    const made = await seen()
    assert.match(made.doctor, /^ok .* the last one by command is of/)
    assert.deepEqual([made.missing, made.warned], [false, false])
    await shows(0)
    // The doctor of another installation takes nothing from this service.
    const other = emptyPlace(t)
    await stored(t, other)
    const { stdout } = await knowledge(other, ['doctor'], { env: { PORT: new URL(service.url).port } })
    assert.match(
      stdout,
      /^ok +backups .* \(by the settings of this shell: the service on \S+ knows of another last backup than .*\)$/m,
    )
  })

  test('that run when the service stops leave nothing behind', async (t) => {
    const place = emptyPlace(t)
    const database = await stored(t, place)
    const folder = emptyFolder(t)
    const log = new Log()
    const schedule = startBackups(database, configOf(place, folder), 1, log)
    await until(async () => namesIn(folder).length > 0, 'the backup has begun')
    await schedule.close()
    assert.deepEqual([namesIn(folder), log.made, log.failures], [[], [], []])
    const next = startBackups(database, configOf(place, folder), 1, log)
    await next.check()
    await next.close()
    assert.deepEqual([namesIn(folder).length, log.failures], [1, []])
  })

  test('begin with serve, and metrics and the doctor report them', async (t) => {
    const place = emptyPlace(t)
    const settings = { BACKUP_EVERY_HOURS: '24', BACKUP_KEEP: '3' }
    const service = await ServiceProcess.start(place, settings)
    t.after(() => service.kill())
    const metrics = async (): Promise<string> => (await service.call('GET', '/metrics', { key: null })).body as string
    await until(
      async () => /^backup_last_success_timestamp_seconds \d/m.test(await metrics()),
      'metrics tell of a backup',
    )
    const [name] = namesIn(join(place.options.dataDir, 'backups'))
    // The doctor's own shell has none of the settings of the service, which tells them.
    const { stdout } = await knowledge(place, ['doctor'], { env: { PORT: new URL(service.url).port } })
    assert.match(
      stdout,
      new RegExp(
        '^ok    backups     the service makes one every 24 hours; the last one is of .*: ' +
          `.*${name.replaceAll('.', '\\.')} \\(by the settings of the service on http://\\S+:${new URL(service.url).port}\\)$`,
        'm',
      ),
    )
    const operator = await succeeds(place, ['operator', 'issue', '--name', 'o', '-q'])
    const { body } = await service.call('GET', '/api/operator/status', { key: operator })
    assert.deepEqual([body.backups.every_hours, body.backups.failure, body.backups.bytes > 0], [24, null, true])
    assert.ok(Date.parse(body.backups.last_success_at) <= Date.now())
    await service.stop()
    const elsewhere = emptyPlace(t)
    await succeeds(elsewhere, ['restore', join(place.options.dataDir, 'backups', name)])
  })
})
