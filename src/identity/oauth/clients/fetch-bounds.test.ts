import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FetchBounds } from './fetch-bounds.ts'

const good = async () => ({ isGood: true })
const bad = async () => ({ isGood: false })

function bounds(limits = { atOnce: 8, perMinute: 60, remembered: 1_000 }) {
  const clock = { now: 1_000_000 }
  return { clock, bounds: new FetchBounds(limits, () => clock.now) }
}

test('eight documents are fetched at once, and the ninth is refused without waiting', async () => {
  const { bounds: it } = bounds()
  const end = Promise.withResolvers<{ isGood: boolean }>()
  const running = Array.from({ length: 8 }, (_, i) => it.run(`https://${i}.example/`, () => end.promise))
  await assert.rejects(it.run('https://late.example/', good), /at once/)
  end.resolve({ isGood: true })
  await Promise.all(running)
  // A refusal does not count as a failure of the address.
  await it.run('https://late.example/', good)
})

test('sixty documents are fetched within a minute, failed ones included', async () => {
  const { clock, bounds: it } = bounds()
  for (let i = 0; i < 60; i++) {
    await it.run(`https://${i}.example/`, i % 2 === 0 ? good : bad)
    clock.now += 500
  }
  await assert.rejects(it.run('https://late.example/', good), /last minute/)
  clock.now += 30_000
  await it.run('https://late.example/', good)
  await assert.rejects(it.run('https://later.example/', good), /last minute/)
})

test('an address that failed is not fetched again for a minute, but a good one is', async () => {
  const { clock, bounds: it } = bounds()
  let fetches = 0
  const broken = async () => {
    fetches++
    throw new Error('no answer')
  }
  await assert.rejects(it.run('https://broken.example/', broken), /no answer/)
  await it.run('https://bad.example/', bad)
  for (const address of ['https://broken.example/', 'https://bad.example/']) {
    await assert.rejects(it.run(address, broken), /failed within/)
  }
  assert.equal(fetches, 1)
  clock.now += 60_000
  await assert.rejects(it.run('https://broken.example/', broken), /no answer/)
  await it.run('https://bad.example/', good)
  await it.run('https://bad.example/', good)
})

test('only the latest failed addresses are remembered', async () => {
  const { bounds: it } = bounds({ atOnce: 1, perMinute: 9, remembered: 2 })
  for (const name of ['a', 'b', 'c']) await it.run(name, bad)
  await it.run('a', good)
  await assert.rejects(it.run('c', good), /failed within/)
})
