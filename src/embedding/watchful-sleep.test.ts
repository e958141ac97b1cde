import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sleepWatchfully } from './watchful-sleep.ts'

/** Sleeps on a clock that only its own sleep moves. */
class Sleeper {
  at = 0
  looks = 0
  number: number | null = 1
  /** Times at which the database changes, at which a job is due, and at which a call comes. */
  changesAt = Infinity
  dueAt = Infinity
  calledAt = Infinity
  isBusy = true

  readonly wakeUp = {
    sleep: async (ms: number): Promise<boolean> => {
      const from = this.at
      this.at = Math.min(from + ms, Math.max(from, this.calledAt))
      return this.at === this.calledAt
    },
  }

  /** @returns when the sleep ended */
  async sleep(ms: number): Promise<number> {
    await sleepWatchfully(
      {
        wakeUp: this.wakeUp,
        changeNumber: () => (this.number === null || this.at < this.changesAt ? this.number : this.number + 1),
        isDue: async () => {
          this.looks++
          return this.at >= this.dueAt
        },
        isBusy: this.isBusy,
        now: () => this.at,
      },
      ms,
      this.number,
    )
    return this.at
  }
}

for (const number of [1, null]) {
  const place = number === null ? 'a database without a change number' : 'a database with a change number'
  test(`a job without a call is noticed within 50 ms, on ${place}`, async () => {
    for (const writtenAt of [0, 1, 24, 26, 333, 940]) {
      const sleeper = new Sleeper()
      Object.assign(sleeper, { number, changesAt: writtenAt, dueAt: writtenAt })
      const noticedAt = await sleeper.sleep(1_000)
      assert.ok(noticedAt - writtenAt < 50, `written at ${writtenAt}, noticed at ${noticedAt}`)
    }
  })
}

test('an idle sleeper is as quick where looking for changes costs next to nothing', async () => {
  const sleeper = new Sleeper()
  Object.assign(sleeper, { isBusy: false, changesAt: 333, dueAt: 333 })
  assert.ok((await sleeper.sleep(1_000)) - 333 < 50)
})

test('an idle sleeper asks for no jobs where each look would be a statement', async () => {
  const sleeper = new Sleeper()
  Object.assign(sleeper, { isBusy: false, number: null, dueAt: 333 })
  assert.equal(await sleeper.sleep(1_000), 1_000)
  assert.equal(sleeper.looks, 0)
})

test('a job that was written between the last look for work and the sleep is noticed too', async () => {
  const sleeper = new Sleeper()
  Object.assign(sleeper, { changesAt: -1, dueAt: -1 })
  assert.ok((await sleeper.sleep(1_000)) < 50)
})

test('while nothing changes, the database is not asked for jobs', async () => {
  const sleeper = new Sleeper()
  assert.equal(await sleeper.sleep(1_000), 1_000)
  assert.equal(sleeper.looks, 0)
})

test('a change that brings no job is looked at once', async () => {
  const sleeper = new Sleeper()
  sleeper.changesAt = 100
  assert.equal(await sleeper.sleep(1_000), 1_000)
  assert.equal(sleeper.looks, 1)
})

test('a call ends the sleep at once', async () => {
  const sleeper = new Sleeper()
  sleeper.calledAt = 333
  assert.equal(await sleeper.sleep(1_000), 333)
})
