import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryOf, readFilters } from '../../console/src/pages/audit-trail/audit-filters.ts'
import {
  daysOf,
  monthsBefore,
  readFilters as readTenants,
} from '../../console/src/pages/operator-tenants/tenant-filters.ts'
import { levelsOf, withRole } from '../../console/src/pages/single-sign-on/levels.ts'

const PERSON = '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'

test('an address of the audit trail keeps the filters that make sense, and drops the others', () => {
  const good = {
    person: PERSON,
    action: 'sign_in',
    kind: 'entry',
    source: 'cli',
    outcome: 'refused',
    from: '2026-02-28',
  }
  assert.deepEqual(readFilters(good), good)
  const bad = { person: 'me', action: 'DROP TABLE', outcome: 'maybe', from: '2026-13-01', to: 7, thing: '', more: 1 }
  assert.deepEqual(readFilters(bad), {})
  assert.deepEqual(readFilters({ thing: 42 }), { thing: '42' })
})

test('days are whole and both included, and a range that ends before it begins is read the other way round', () => {
  const range = queryOf({ from: '2026-03-02', to: '2026-03-01' })
  assert.equal(range.from, new Date(2026, 2, 1).toISOString())
  assert.equal(range.to, new Date(2026, 2, 3).toISOString())
  assert.deepEqual(queryOf({ kind: 'entry' }), { resource_type: 'entry' })
})

test('a month has its first and its last day, and the months before it go back over the turn of the year', () => {
  assert.deepEqual(daysOf('2028-02'), { from: '2028-02-01', to: '2028-02-29' })
  assert.deepEqual(daysOf('2026-12'), { from: '2026-12-01', to: '2026-12-31' })
  assert.deepEqual(monthsBefore(Date.parse('2027-01-31T23:00:00Z'), 3), ['2027-01', '2026-12', '2026-11'])
  assert.deepEqual(readTenants({ q: 2026, state: 'asleep', month: '2026-00' }), { q: '2026' })
})

test('a group never sees above its role, also when the role is lowered afterwards', () => {
  assert.deepEqual(levelsOf('reader'), ['public', 'community', 'internal'])
  const group = { group: 'writers', role: 'editor', ceiling: 'internal' } as const
  assert.equal(withRole(group, 'reader').ceiling, 'internal')
  assert.equal(withRole({ ...group, role: 'admin', ceiling: 'workspace' }, 'reader').ceiling, null)
})
