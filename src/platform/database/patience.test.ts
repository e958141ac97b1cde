import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Patience } from './patience.ts'

const away = (): Promise<never> => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))

/** Returns a function that fails for so many calls, and then succeeds. */
function absentFor(calls: number): () => Promise<string> {
  return () => (calls-- > 0 ? away() : Promise.resolve('there'))
}

describe('patience with a database', () => {
  test('hides that it is away for a moment', async () => {
    const patience = new Patience(5_000)
    await patience.connect(absentFor(0))
    const both = [patience.connect(absentFor(2)), patience.connect(absentFor(1))]
    assert.deepEqual(await Promise.all(both), ['there', 'there'])
  })

  test('does not wait for one that has never answered, because the start does that', async () => {
    let calls = 0
    const open = (): Promise<never> => (calls++, away())
    await assert.rejects(new Patience(5_000).connect(open), /away/)
    assert.equal(calls, 1)
  })

  test('ends after a while, fails at once as long as the database stays away, and begins anew when it is back', async () => {
    const patience = new Patience(400)
    await patience.connect(absentFor(0))
    await assert.rejects(patience.connect(away), /away/)
    let calls = 0
    const open = (): Promise<never> => (calls++, away())
    for (let i = 0; i < 3; i++) await assert.rejects(patience.connect(open), /away/)
    assert.equal(calls, 3)
    await patience.connect(absentFor(0))
    assert.equal(await patience.connect(absentFor(1)), 'there')
  })

  test('has none with errors that waiting does not mend', async () => {
    const patience = new Patience(5_000)
    await patience.connect(absentFor(0))
    let calls = 0
    const open = (): Promise<never> => {
      calls++
      return Promise.reject(Object.assign(new Error('syntax error'), { code: '42601' }))
    }
    await assert.rejects(patience.connect(open), /syntax error/)
    assert.equal(calls, 1)
  })
})
