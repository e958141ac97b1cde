import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Passwords } from './passwords.ts'

const TRIES = 5

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < TRIES; i++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(TRIES / 2)]
}

test('where there is no password to compare with, it takes as long as with one', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('a', 'correct horse')
  const some = await medianMs(() => passwords.matching('a', 'wrong horse', [hash], (each) => each))
  const none = await medianMs(() => passwords.matching('a', 'wrong horse', [], (each) => each))
  // Without the work it would be a thousandth; the machine may be busy with others.
  assert.ok(none > some / 4 && none < some * 4, `${none} ms beside ${some} ms`)
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
