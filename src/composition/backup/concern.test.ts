import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupConcern, type BackupState } from './concern.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 10, 28)

const hoursAgo = (hours: number): number => NOW - hours * HOUR_MS
const made = (hours: number): BackupState => ({
  succeeded_at: hoursAgo(hours),
  path: '/srv/backups/one',
  bytes: 1,
  took_ms: 1,
  failed_at: null,
  failure: null,
})

test('data of more than a day without a backup is a concern, unless other means make backups', () => {
  const plan = { everyHours: null, elsewhere: 'off' } as const
  const concern = (hours: number | null, of: Parameters<typeof backupConcern>[0] = plan): string | null =>
    backupConcern(of, { last: null, dataSince: hours === null ? null : hoursAgo(hours) }, NOW)
  assert.equal(concern(null), null)
  assert.equal(concern(24), null)
  assert.match(
    concern(25)!,
    /^There is no backup of this installation, which was set up at 2026-11-26T23:00.*BACKUP_ELSEWHERE=on$/,
  )
  assert.equal(concern(25, { everyHours: null, elsewhere: 'on' }), null)
  // A service that should make backups by itself and has made none for a day is a concern whatever else is set.
  assert.match(concern(25, { everyHours: 24, elsewhere: 'on' })!, /^There is no backup/)
})

test('a backup by command that is more than two days old is a concern, unless other means make backups', () => {
  const facts = (hours: number) => ({ last: made(hours), dataSince: hoursAgo(1_000) })
  assert.equal(backupConcern({ everyHours: null, elsewhere: 'off' }, facts(48), NOW), null)
  assert.match(
    backupConcern({ everyHours: null, elsewhere: 'off' }, facts(49), NOW)!,
    /^The last backup is of 2026-11-25/,
  )
  assert.equal(backupConcern({ everyHours: null, elsewhere: 'on' }, facts(49), NOW), null)
  assert.equal(backupConcern({ everyHours: 168, elsewhere: 'off' }, facts(300), NOW), null)
  assert.match(backupConcern({ everyHours: 24, elsewhere: 'off' }, facts(49), NOW)!, /long overdue/)
})
