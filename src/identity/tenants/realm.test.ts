import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realmOfTenant, spellingsOf } from './realm.ts'

test('a tenant with its own host has its own issuer, and all others share the public address', () => {
  const at = (host: string | null) => realmOfTenant({ tenant_id: 'a', host }, 'https://know.example/')
  assert.deepEqual(at(null), { issuer: 'https://know.example', tenantId: null })
  assert.deepEqual(at('a.example:8443'), { issuer: 'https://a.example:8443', tenantId: 'a' })
})

test('a host is normalised, with its port and without', () => {
  assert.deepEqual(spellingsOf('A.Example.:8443'), { host: 'a.example:8443', hostname: 'a.example' })
  assert.deepEqual(spellingsOf('a.example.'), { host: 'a.example', hostname: 'a.example' })
  assert.deepEqual(spellingsOf('a.example:'), { host: 'a.example:', hostname: 'a.example' })
})
