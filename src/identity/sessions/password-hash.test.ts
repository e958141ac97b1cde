import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { generatePassword } from './generate-password.ts'
import { hashPassword, isPassword, isWeak, NO_PASSWORD } from './password-hash.ts'
import { isPasswordLength } from '../../platform/access/password-length.ts'

/** A hash with another cost, as an earlier version of the service might have made it. */
function hashWith(password: string, memory: number, passes: number): string {
  const nonce = Buffer.alloc(16, 7)
  const options = { message: password, nonce, parallelism: 1, tagLength: 32, memory, passes }
  const parts = [nonce, argon2Sync('argon2id', options)].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${parts.join('$')}`
}

test('a password matches only its own hash, and two hashes of it differ', async () => {
  const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, other)
  assert.equal(await isPassword('correct horse', one), true)
  for (const wrong of ['correct horsf', 'Correct horse', 'correct horse ', '']) {
    assert.equal(await isPassword(wrong, one), false)
  }
})

test('a password matches in every Unicode form of its characters', async () => {
  const hash = await hashPassword('gro\u0308ße ﬁsche')
  assert.equal(await isPassword('größe fische', hash), true)
})

test('a hash is checked at its own cost, and a weak hash is recognised', async () => {
  const weak = hashWith('correct horse', 8_192, 1)
  assert.equal(await isPassword('correct horse', weak), true)
  assert.equal(await isPassword('another horse', weak), false)
  assert.equal(isWeak(weak), true)
  assert.equal(isWeak(await hashPassword('correct horse')), false)
  assert.equal(isWeak(hashWith('x', 32_768, 3)), false)
})

test('no password matches the hash for users without one', async () => {
  assert.equal(await isPassword('', NO_PASSWORD), false)
  assert.equal(isWeak(NO_PASSWORD), false)
})

test('a hash of an unknown form is an internal error, not a wrong password', async () => {
  await assert.rejects(isPassword('x', '$2b$10$abc'), /form that this version does not know/)
})

test('a generated password has an allowed length and is different each time', () => {
  const made = Array.from({ length: 100 }, generatePassword)
  assert.equal(new Set(made).size, 100)
  for (const password of made) {
    assert.match(password, /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
    assert.equal(isPasswordLength(password), true)
  }
})
