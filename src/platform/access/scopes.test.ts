import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { narrowScopes, parseScopes, ROLE_SCOPES, ROLES, SCOPES, type Scope } from './scopes.ts'
import { ceilingOf, ORDERED_VISIBILITIES } from './visibility.ts'

const scopes = fc.uniqueArray(fc.constantFrom(...SCOPES))

test('an empty X-Scopes narrows nothing', () => {
  const granted = new Set<Scope>(['knowledge:read', 'visibility:internal'])
  assert.equal(narrowScopes(granted, ''), granted)
  assert.equal(narrowScopes(granted, '   '), granted)
})

test('X-Scopes never adds a right, whatever it names', () => {
  fc.assert(
    fc.property(scopes, scopes, fc.string(), (ofCredential, ofGateway, noise) => {
      const granted = new Set(ofCredential)
      const narrowed = narrowScopes(granted, `${ofGateway.join(' ')} ${noise}`)
      for (const scope of narrowed) {
        if (!scope.startsWith('visibility:')) assert.ok(granted.has(scope), scope)
      }
      const rank = (set: ReadonlySet<Scope>): number => ORDERED_VISIBILITIES.indexOf(ceilingOf(set))
      assert.ok(rank(narrowed) <= rank(granted))
    }),
  )
})

test('X-Scopes can name a lower ceiling than the credential holds', () => {
  const narrowed = narrowScopes(
    new Set(['knowledge:read', 'visibility:restricted']),
    'knowledge:read visibility:internal',
  )
  assert.equal(ceilingOf(narrowed), 'internal')
})

test('several X-Scopes headers narrow one after the other, never to more than one alone', () => {
  const all = new Set(SCOPES)
  assert.deepEqual([...narrowScopes(all, 'knowledge:read sites:read, sites:read tenant:admin')], ['sites:read'])
  assert.deepEqual([...narrowScopes(all, 'knowledge:read, ')], ['knowledge:read'])
  assert.equal(narrowScopes(all, 'knowledge:read,knowledge:write').size, 0)
  fc.assert(
    fc.property(fc.array(scopes, { minLength: 1, maxLength: 4 }), (headers) => {
      const texts = headers.map((names) => names.join(' '))
      const together = narrowScopes(all, texts.join(', '))
      for (const text of texts) {
        const alone = narrowScopes(all, text)
        assert.ok([...together].every((scope) => alone.has(scope)))
      }
    }),
  )
})

test('X-Scopes of 16 KB is read without a set for each part', (t) => {
  const granted = new Set(SCOPES)
  for (const part of ['a,', 'knowledge:read,', ' ,', `${SCOPES.join(' ')},`]) {
    const header = part.repeat(16_000 / part.length)
    const added = t.mock.method(Set.prototype, 'add')
    narrowScopes(granted, header)
    const calls = added.mock.callCount()
    added.mock.restore()
    assert.ok(calls <= SCOPES.length, `${calls} for ${part}`)
  }
})

test('X-Scopes of unknown names leaves no right at all', () => {
  assert.equal(narrowScopes(new Set(SCOPES), 'knowledge:everything').size, 0)
})

test('a credential without a visibility scope sees public entries only', () => {
  assert.equal(ceilingOf(new Set(['knowledge:read'])), 'public')
})

test('each role has the ceiling that its description names', () => {
  const ceilings = Object.fromEntries(ROLES.map((role) => [role, ceilingOf(new Set(ROLE_SCOPES[role]))]))
  assert.deepEqual(ceilings, { reader: 'internal', editor: 'workspace', admin: 'restricted' })
})

test('stored scopes that this version does not know are dropped', () => {
  assert.deepEqual(parseScopes('knowledge:read future:scope'), ['knowledge:read'])
})
