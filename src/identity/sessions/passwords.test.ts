import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_PASSWORD } from './password-hash.ts'
import { Passwords } from './passwords.ts'

/** One hash takes longer than this on any machine; without a hash the call takes a hundredth of it. */
const LEAST_MS = 3

test('without a password to compare with, the same work is done as with one', async () => {
  const passwords = new Passwords()
  const costOf = (hash: string) => hash.split('$').slice(0, 4).join('$')
  assert.equal(costOf(NO_PASSWORD), costOf(await passwords.hash('a', 'correct horse')))
  const start = performance.now()
  assert.deepEqual(await passwords.matching('a', 'wrong horse', [], () => assert.fail('there is none')), [])
  assert.ok(performance.now() - start > LEAST_MS)
})

test('all hashes of the password are found among several', async () => {
  const passwords = new Passwords()
  const people = [
    { name: 'one', hash: await passwords.hash('a', 'correct horse') },
    { name: 'two', hash: await passwords.hash('a', 'another horse') },
    { name: 'three', hash: await passwords.hash('a', 'correct horse') },
  ]
  const found = await passwords.matching('a', 'correct horse', people, ({ hash }) => hash)
  assert.deepEqual(
    found.map(({ name }) => name),
    ['one', 'three'],
  )
  assert.deepEqual(await passwords.matching('a', 'no horse', people, ({ hash }) => hash), [])
})
