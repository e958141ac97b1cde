import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/support/patience.ts'
import type { TenantState } from '../../engine.ts'
import { Follower } from './follower.ts'

/** Makes a follower of tenants with these states. It records what it tells the host. */
function following(states: readonly TenantState[], held: readonly string[] = [], lookMs = 100_000) {
  const follows: string[] = []
  const begins: string[] = []
  const looks: (readonly string[])[] = []
  const follower = new Follower({
    host: {
      tenantIds: held,
      follow: ({ tenantId, watermark }) => void follows.push(`${tenantId} ${watermark}`),
      begin: async ({ tenantId }) => void begins.push(tenantId),
    },
    async statesOf(tenantIds) {
      looks.push(tenantIds)
      return states.filter(({ tenantId }) => tenantIds.includes(tenantId))
    },
    isOurs: (tenantId) => tenantId !== 'elsewhere',
    lookMs,
  })
  return { follower, follows, begins, looks }
}

const stateOf = (tenantId: string, engine?: 'pgvector'): TenantState => ({ tenantId, model: 'm', watermark: 7, engine })

test('what this process wrote is followed, and a first index begun where this process holds the tenant in memory', async (t) => {
  const states = [stateOf('a'), stateOf('elsewhere'), stateOf('large', 'pgvector')]
  const { follower, follows, begins, looks } = following(states)
  t.after(() => follower.close())
  follower.noteWritten(['a', 'elsewhere', 'large', 'deleted'])
  await until(() => follows.length === 3, 'the follower has looked')
  assert.deepEqual([follows, begins], [['a 7', 'elsewhere 7', 'large 7'], ['a']])
  assert.equal(looks.length, 1)
})

test('the tenants with an index are looked at from time to time, for writes of other processes', async (t) => {
  const { follower, follows, begins } = following([stateOf('a')], ['a'], 1)
  t.after(() => follower.close())
  await until(() => follows.length >= 2, 'the follower has looked twice')
  assert.deepEqual(begins, [], 'no index is begun where this process wrote nothing')
})

test('writes that come while the follower looks are looked at next', async (t) => {
  const { follower, looks } = following([])
  t.after(() => follower.close())
  follower.noteWritten(['a'])
  follower.noteWritten(['b'])
  await until(() => looks.length === 2, 'the follower has looked twice')
  assert.deepEqual(looks, [['a'], ['b']])
})
