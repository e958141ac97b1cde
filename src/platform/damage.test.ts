import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damageIn } from './damage.ts'
import { DamageWatch } from './telemetry/damage-watch.ts'

const coded = (code: string, cause?: Error): Error => Object.assign(new Error(`said ${code}`, { cause }), { code })

test('each kind of damage is logged once and counted each time, and other errors are not damage', () => {
  const lines: string[] = []
  const watch = new DamageWatch({ error: (_details, message) => lines.push(message) })
  for (const code of ['SQLITE_BUSY', 'SQLITE_IOERR_NOMEM', 'SQLITE_FULL', 'XX000', '23505']) watch.note(coded(code))
  watch.note('SQLITE_CORRUPT')
  assert.deepEqual([watch.errors, lines, watch.concerns], [0, [], []])

  for (let i = 0; i < 3; i++) watch.note(coded('SQLITE_IOERR_FSYNC'))
  watch.note(new Error('a batch failed', { cause: coded('SQLITE_NOTADB') }))
  watch.noteDamage({ code: 'XX002', message: 'index "one" is damaged' })
  assert.equal(watch.errors, 5)
  assert.deepEqual(watch.concerns, lines)
  assert.match(lines[0], /^The disk of the database fails \(SQLITE_IOERR_FSYNC: said SQLITE_IOERR_FSYNC\)/)
  assert.match(lines[1], /^The database file is damaged .* restore/)
  assert.match(lines[2], /^PostgreSQL has found damaged indexes .* REINDEX/)
  assert.deepEqual(damageIn(coded('X', coded('XX001'))), { code: 'XX001', message: 'said XX001' })
})
