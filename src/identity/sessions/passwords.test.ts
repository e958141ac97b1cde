import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_PASSWORD } from './password-hash.ts'
import { Passwords } from './passwords.ts'

/** Less than this much memory-hard work takes on any machine, and a hundred times what no work takes. */
const LEAST_MS = 3

test('where there is no password to compare with, the same work is done as with one', async () => {
  const passwords = new Passwords()
  const costOf = (hash: string) => hash.split('$').slice(0, 4).join('$')
  assert.equal(costOf(NO_PASSWORD), costOf(await passwords.hash('a', 'correct horse')))
  const start = performance.now()
  assert.deepEqual(await passwords.matching('a', 'wrong horse', [], () => assert.fail('there is none')), [])
  assert.ok(performance.now() - start > LEAST_MS)
})

test('of several hashes those of the password are found', async () => {
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
