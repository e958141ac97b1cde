import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignInRules } from './contract.ts'
import { accessFor, groupsIn } from './groups.ts'

test('groups are read from every shape of claim, and from nothing else', () => {
  const cases: [name: string, claim: string, claims: object, groups: string[] | null][] = [
    ['a list', 'groups', { groups: ['a', 'b'] }, ['a', 'b']],
    ['one text', 'groups', { groups: 'a' }, ['a']],
    ['a list as text is one group', 'groups', { groups: 'a,b' }, ['a,b']],
    ['a claim within a claim', 'realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['an address', 'https://x.example/groups', { 'https://x.example/groups': ['a'] }, ['a']],
    ['a name with a dot before a claim within a claim', 'a.b', { 'a.b': ['whole'], a: { b: ['part'] } }, ['whole']],
    ['no such claim', 'groups', { roles: ['a'] }, null],
    ['an empty list', 'groups', { groups: [] }, []],
    ['lists in a list', 'groups', { groups: [['a']] }, []],
    ['objects and numbers', 'groups', { groups: [{ name: 'a' }, 7, null, 'b'] }, ['b']],
    ['a number', 'groups', { groups: 7 }, []],
    ['null', 'groups', { groups: null }, []],
    ['a field of every object', 'constructor.name', {}, null],
    ['a field of every list', 'groups.length', { groups: ['a'] }, null],
    ['__proto__', '__proto__', {}, null],
  ]
  for (const [name, claim, claims, groups] of cases) {
    const result = groupsIn(claims as Record<string, unknown>, claim)
    assert.deepEqual(result === null ? null : [...result], groups, name)
  }
})

test('groups that the provider keeps elsewhere do not count as no groups', () => {
  assert.throws(() => groupsIn({ _claim_names: { groups: 'src1' } }, 'groups'), /does not send the claim groups/)
  assert.equal(groupsIn({ _claim_names: { addresses: 'src1' } }, 'groups'), null)
})

test('of several groups the highest role and the highest ceiling count, and no ceiling exceeds its role', () => {
  const groups: SignInRules['groups'] = [
    { group: 'guests', role: 'reader', ceiling: 'public' },
    { group: 'staff', role: 'reader', ceiling: null },
    { group: 'outside writers', role: 'editor', ceiling: 'community' },
    { group: 'chiefs', role: 'admin', ceiling: null },
  ]
  const of = (names: readonly string[], byDefault: 'reader' | null = null) =>
    accessFor({ groups, default_role: byDefault }, new Set(names))
  assert.deepEqual(of(['guests']), { role: 'reader', ceiling: 'public' })
  assert.deepEqual(of(['guests', 'staff']), { role: 'reader', ceiling: null })
  assert.deepEqual(of(['guests', 'outside writers']), { role: 'editor', ceiling: 'community' })
  assert.deepEqual(of(['staff', 'outside writers']), { role: 'editor', ceiling: 'internal' })
  assert.deepEqual(of(['chiefs', 'guests']), { role: 'admin', ceiling: null })
  assert.deepEqual([of([]), of(['nobody knows it'])], [null, null])
  assert.deepEqual(of([], 'reader'), { role: 'reader', ceiling: null })
})
