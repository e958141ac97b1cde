import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecretBox } from '../../platform/secrets.ts'
import { PendingSignIns } from './pending-sign-in.ts'

const PENDING = { state: 's', nonce: 'n', verifier: 'v', redirectUri: 'r', returnTo: '/console', tenant: null }
const secrets = new SecretBox(() => 'a secret that has more than thirty-two characters')

test('a pending sign-in can be read until it expires, and only with the same secret', () => {
  let now = 0
  const pendings = new PendingSignIns(secrets, () => now)
  const cookie = pendings.keep(PENDING, true)
  assert.match(cookie, /^__Host-ks_sign_in=v1\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/)
  const header = `other=1; ${cookie.split(';')[0]}; more=2`
  assert.deepEqual(pendings.read(header, true), PENDING)
  assert.equal(pendings.read(header, false), null)
  now = 600_000
  assert.equal(pendings.read(header, true), null)
  const others = new PendingSignIns(new SecretBox(() => 'another secret of more than thirty-two letters'), () => 0)
  assert.equal(others.read(header, true), null)
})

test('a missing or changed cookie is not a pending sign-in', () => {
  const pendings = new PendingSignIns(secrets, () => 0)
  const [, sealed] = pendings.keep(PENDING, false).split(';')[0].split('=')
  for (const header of [undefined, '', 'ks_sign_in=', `ks_sign_in=${sealed}x`, `xks_sign_in=${sealed}`]) {
    assert.equal(pendings.read(header, false), null)
  }
  assert.match(pendings.forget(false), /^ks_sign_in=; .*Max-Age=0$/)
})

test('the longest path to return to fits a cookie', () => {
  const pendings = new PendingSignIns(secrets, () => 0)
  const longest = { ...PENDING, returnTo: `/${'%F0%9F%98%80'.repeat(83)}`, verifier: 'v'.repeat(43) }
  assert.ok(pendings.keep(longest, true).length < 4_096)
})
