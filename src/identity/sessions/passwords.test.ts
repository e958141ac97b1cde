import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHEAPEST } from '../../../test/support/passwords.ts'
import { Passwords } from './passwords.ts'

/** Milliseconds that one hash takes at least, on any machine; without a hash the call takes a hundredth of them. */
const LEAST_MS = 3

test('without a password to compare with, the same work is done as with one', async () => {
  const costOf = (hash: string) => hash.split('$').slice(0, 4).join('$')
  const passwords = new Passwords()
  for (const each of [passwords, new Passwords(CHEAPEST)])
    assert.equal(costOf(each.unmatched), costOf(await each.hash('a', 'correct horse')))
  const start = performance.now()
  assert.deepEqual(await passwords.matching('a', 'wrong horse', [], () => assert.fail('there is none')), [])
  assert.ok(performance.now() - start > LEAST_MS)
})

test('new hashes have the cost of production unless another is passed', async () => {
  assert.match(await new Passwords().hash('a', 'correct horse'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.match(await new Passwords(CHEAPEST).hash('a', 'correct horse'), /^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
})

test('all hashes of the password are found among several', async () => {
  const passwords = new Passwords(CHEAPEST)
  const people = [
    { name: 'one', hash: await passwords.hash('a', 'correct horse') },
    { name: 'two', hash: await passwords.hash('a', 'another horse') },
    { name: 'three', hash: await passwords.hash('a', 'correct horse') },
  ]
  const matching = await passwords.matching('a', 'correct horse', people, ({ hash }) => hash)
  assert.deepEqual(
    matching.map(({ name }) => name),
    ['one', 'three'],
  )
  assert.deepEqual(await passwords.matching('a', 'no horse', people, ({ hash }) => hash), [])
})
