import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLE_SCOPES, ROLES, SCOPES } from './scopes.ts'
import { covers, scopesOfUser } from './user-scopes.ts'
import { ceilingOf, ORDERED_VISIBILITIES } from './visibility.ts'

test('a user without a ceiling has the scopes of the role', () => {
  for (const role of ROLES) assert.deepEqual(scopesOfUser({ role, ceiling: null }), ROLE_SCOPES[role])
})

test('a ceiling lowers what a user sees, and never raises it', () => {
  for (const role of ROLES) {
    const highest = ORDERED_VISIBILITIES.indexOf(ceilingOf(new Set(ROLE_SCOPES[role])))
    for (const [level, ceiling] of ORDERED_VISIBILITIES.entries()) {
      const scopes = new Set(scopesOfUser({ role, ceiling }))
      assert.equal(ceilingOf(scopes), ORDERED_VISIBILITIES[Math.min(level, highest)], `${role} up to ${ceiling}`)
      for (const scope of ROLE_SCOPES[role]) {
        if (!scope.startsWith('visibility:')) assert.ok(scopes.has(scope), `${role} keeps ${scope}`)
      }
    }
  }
})

test('scopes that lack one of a user’s do not cover the user', () => {
  const admin = { role: 'admin', ceiling: null }
  assert.ok(covers(new Set(SCOPES), admin))
  for (const missing of SCOPES.filter((scope) => !scope.startsWith('visibility:'))) {
    assert.ok(!covers(new Set(SCOPES.filter((scope) => scope !== missing)), admin), missing)
  }
  const upToInternal = new Set([
    ...SCOPES.filter((scope) => !scope.startsWith('visibility:')),
    'visibility:internal',
  ] as const)
  assert.ok(!covers(upToInternal, admin))
  assert.ok(covers(upToInternal, { role: 'admin', ceiling: 'internal' }))
})
