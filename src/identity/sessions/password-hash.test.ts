import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { generatePassword } from './generate-password.ts'
import { hashPassword, isPassword, isWeak, PASSWORD_COST, unmatchedHash } from './password-hash.ts'
import { CHEAPEST } from '../../../test/support/passwords.ts'
import { isPasswordLength } from '../../platform/access/password-length.ts'

/** Makes a hash with another cost, as an earlier version of the service might have made it. */
function hashWith(password: string, memory: number, passes: number): string {
  const nonce = Buffer.alloc(16, 7)
  const options = { message: password, nonce, parallelism: 1, tagLength: 32, memory, passes }
  const parts = [nonce, argon2Sync('argon2id', options)].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${parts.join('$')}`
}

const cheapHash = (password: string): Promise<string> => hashPassword(password, CHEAPEST)

test('a hash costs what OWASP asks of Argon2id at least', () => {
  assert.deepEqual(PASSWORD_COST, { memoryKib: 19 * 1_024, passes: 2, parallelism: 1 })
})

test('a password matches only its own hash, and two hashes of it differ', async () => {
  const [one, other] = [await cheapHash('correct horse'), await cheapHash('correct horse')]
  assert.match(one, /^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, other)
  assert.equal(await isPassword('correct horse', one), true)
  for (const wrong of ['correct horsf', 'Correct horse', 'correct horse ', '']) {
    assert.equal(await isPassword(wrong, one), false)
  }
})

test('a password matches in every Unicode form of its characters', async () => {
  const hash = await cheapHash('gro\u0308ße ﬁsche')
  assert.equal(await isPassword('größe fische', hash), true)
})

test('no character of a long password is cut off', async () => {
  const long = 'x'.repeat(199)
  const hash = await cheapHash(`${long}y`)
  assert.deepEqual([await isPassword(`${long}y`, hash), await isPassword(`${long}z`, hash)], [true, false])
})

test('a hash is checked at its own cost, and a weak hash is recognised', async () => {
  const weak = hashWith('correct horse', 8_192, 1)
  assert.equal(await isPassword('correct horse', weak), true)
  assert.equal(await isPassword('another horse', weak), false)
  assert.equal(isWeak(weak, PASSWORD_COST), true)
  assert.equal(isWeak(await hashPassword('correct horse', PASSWORD_COST), PASSWORD_COST), false)
  assert.equal(isWeak(hashWith('x', 32_768, 3), PASSWORD_COST), false)
})

test('no password matches the hash for users without one', async () => {
  const unmatched = unmatchedHash(PASSWORD_COST)
  assert.equal(await isPassword('', unmatched), false)
  assert.equal(isWeak(unmatched, PASSWORD_COST), false)
})

test('a hash of an unknown form is an internal error, not a wrong password', async () => {
  await assert.rejects(isPassword('x', '$2b$10$abc'), /form that this version does not know/)
})

test('a generated password has an allowed length and is different each time', () => {
  const passwords = Array.from({ length: 100 }, generatePassword)
  assert.equal(new Set(passwords).size, 100)
  for (const password of passwords) {
    assert.match(password, /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
    assert.equal(isPasswordLength(password), true)
  }
})
