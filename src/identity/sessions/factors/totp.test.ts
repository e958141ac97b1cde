import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from 'otpauth'
import { SecretBox } from '../../../platform/secrets.ts'
import { openTotp, sealTotp } from './sealed-totp.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

/** Secret and codes of RFC 6238, appendix B: the last six of their eight digits. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32
const CODES = [
  [59_000, '287082', 1],
  [1_111_111_109_000, '081804', 37_037_036],
  [2_000_000_000_000, '279037', 66_666_666],
] as const

test('codes are those of the standard, with the number of their step', () => {
  for (const [at, code, step] of CODES) {
    assert.equal(stepOfCode(SECRET, code, at), step)
    assert.equal(stepOfCode(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, at), step)
  }
})

test('a clock that is a step ahead or behind is forgiven, two steps are not', () => {
  const [[at, code, step]] = CODES
  for (const off of [-30_000, 0, 30_000]) assert.equal(stepOfCode(SECRET, code, at + off), step)
  for (const off of [-60_000, 60_000, 90_000]) assert.equal(stepOfCode(SECRET, code, at + off), null)
})

test('a text that is not six digits is no code', () => {
  for (const text of ['', '28708', '2870821', '94287082', 'abcdef', '２８７０８２', '-28708', '2870.2'])
    assert.equal(stepOfCode(SECRET, text, 59_000), null)
})

test('a new secret has 160 bits, and its address names the service and the account', () => {
  const secret = newTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.notEqual(newTotpSecret(), secret)
  const uri = new URL(totpUri(secret, 'knowledge.example', 'ann+x@example.com'))
  assert.equal(decodeURIComponent(uri.pathname), '/knowledge.example:ann+x@example.com')
  const params = Object.fromEntries(uri.searchParams)
  assert.deepEqual(params, { issuer: 'knowledge.example', secret, algorithm: 'SHA1', digits: '6', period: '30' })
})

test('a sealed secret opens for its holder alone, with the same key', () => {
  const secrets = new SecretBox(() => 'a secret')
  const ann = { tenantId: 'default', userId: 'ann' }
  const sealed = sealTotp(secrets, ann, SECRET)
  assert.ok(!sealed.includes(SECRET))
  assert.equal(openTotp(secrets, ann, sealed), SECRET)
  assert.equal(openTotp(secrets, { ...ann, userId: 'bob' }, sealed), null)
  assert.equal(openTotp(secrets, { ...ann, tenantId: 'other' }, sealed), null)
  assert.equal(openTotp(new SecretBox(() => 'another'), ann, sealed), null)
  assert.equal(openTotp(secrets, ann, null), null)
})
