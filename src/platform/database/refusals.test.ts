import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { isRefusal } from '../refusal.ts'
import { RefusalWatch } from './refusals.ts'
import { until } from '../../../test/support/patience.ts'

const error = (code: string, message = code): Error => Object.assign(new Error(message), { code })
const REFUSED = error('28P01', 'wrong password')
const AWAY = error('ECONNREFUSED')

/**
 * Watches a database that answers each try with the next of some answers, and every further try with the last of them.
 */
function watched(t: TestContext, answers: readonly (Error | null)[], patienceMs: number) {
  let tries = 0
  const messages: string[] = []
  const tryEntry = async (): Promise<void> => {
    const answer = answers[Math.min(tries++, answers.length - 1)]
    if (answer !== null) throw answer
  }
  const onRefused = ({ message }: Error) => void messages.push(message)
  const watch = new RefusalWatch({ tryEntry, patienceMs, intervalMs: 10, onRefused })
  t.after(() => watch.close())
  const triedTimes = (times: number): Promise<void> => until(() => tries >= times, `${times} tries are made`)
  return { watch, messages, triedTimes }
}

describe('a database that refuses', () => {
  test('is told from one that is away, also behind a pooler', () => {
    for (const code of ['28P01', '28000', '3D000', '42P01', '42501']) assert.ok(isRefusal(error(code)), code)
    assert.ok(isRefusal(error('08P01', 'no such database: shop')))
    for (const other of [error('08P01', 'server conn crashed?'), AWAY, error('57P01'), error('23505'), null])
      assert.ok(!isRefusal(other), String(other))
  })

  test('is given up once it has refused for as long as patience lasts, and told of once', async (t) => {
    const { watch, messages } = watched(t, [null, REFUSED], 60)
    const { message } = await watch.lasting
    assert.match(
      message,
      /^PostgreSQL has refused new connections for 0\.06 seconds: wrong password\. Check DATABASE_URL/,
    )
    assert.ok(watch.isRefused)
    assert.deepEqual(messages, ['wrong password'])
  })

  test('that lets a connection in again, or is away meanwhile, begins its time anew', async (t) => {
    const { watch, messages, triedTimes } = watched(t, [REFUSED, null, REFUSED, AWAY], 60_000)
    await triedTimes(6)
    assert.deepEqual([messages, watch.isRefused], [['wrong password', 'wrong password'], false])
  })
})
