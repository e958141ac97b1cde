import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { until } from '../../../../test/support/patience.ts'
import type { TenantState } from '../../engine.ts'
import { Follower, type FollowerOptions } from './follower.ts'

/** Makes a follower of tenants with these states, in the order of their ids. It records what it tells the host. */
function following(t: TestContext, states: TenantState[], options: Partial<FollowerOptions> = {}) {
  const follows: string[] = []
  const begins: string[] = []
  const asked: (readonly string[])[] = []
  const looks: string[] = []
  const follower = new Follower({
    host: {
      follow: ({ tenantId, watermark }) => void follows.push(`${tenantId} ${watermark}`),
      begin: async ({ tenantId }) => void begins.push(tenantId),
    },
    reader: {
      async statesOf(tenantIds) {
        asked.push(tenantIds)
        return states.filter(({ tenantId }) => tenantIds.includes(tenantId))
      },
      async statesAfter(after, limit) {
        looks.push(after)
        return states.filter(({ tenantId }) => tenantId > after).slice(0, limit)
      },
    },
    isOurs: (tenantId) => tenantId !== 'elsewhere',
    lookMs: 100_000,
    ...options,
  })
  t.after(() => follower.close())
  return { follower, follows, begins, asked, looks }
}

const stateOf = (tenantId: string, watermark = 7, engine?: 'pgvector'): TenantState => ({
  tenantId,
  model: 'm',
  watermark,
  engine,
})

test('what this process wrote is followed, and a first index begun where this process holds the tenant in memory', async (t) => {
  const states = [stateOf('a'), stateOf('elsewhere'), stateOf('large', 7, 'pgvector')]
  const { follower, follows, begins, asked } = following(t, states)
  follower.noteWritten(['a', 'elsewhere', 'large', 'deleted'])
  await until(() => follows.length === 3, 'the follower has asked')
  assert.deepEqual([follows, begins], [['a 7', 'elsewhere 7', 'large 7'], ['a']])
  assert.equal(asked.length, 1)
})

test('writes that come while the follower asks are asked about next', async (t) => {
  const { follower, asked } = following(t, [])
  follower.noteWritten(['a'])
  follower.noteWritten(['b'])
  await until(() => asked.length === 2, 'the follower has asked twice')
  assert.deepEqual(asked, [['a'], ['b']])
})

test('all tenants are looked at, a part at a time and again and again, for writes of other processes', async (t) => {
  const states = ['a', 'b', 'c', 'd', 'e'].map((tenantId) => stateOf(tenantId))
  const { follows, begins, looks } = following(t, states, { lookMs: 1, lookTenants: 2 })
  await until(() => follows.length >= 10, 'the follower has looked at all tenants twice')
  assert.deepEqual(looks.slice(0, 6), ['', 'b', 'd', '', 'b', 'd'])
  assert.deepEqual(
    follows.slice(0, 5),
    states.map(({ tenantId }) => `${tenantId} 7`),
  )
  assert.deepEqual(begins, [], 'nobody has written since the start')
})

test('a tenant whose settings are damaged keeps no other from being followed', async (t) => {
  const damaged: TenantState = {
    ...stateOf('a'),
    get engine(): 'memory' {
      throw new SyntaxError('settings are damaged')
    },
  }
  const states = [damaged, stateOf('b')]
  const { follower, follows, begins } = following(t, states, { lookMs: 1, lookTenants: 1 })
  follower.noteWritten(['a', 'b'])
  await until(() => begins.includes('b'), 'the write of the other tenant is followed')
  const { length } = follows
  await until(() => follows.slice(length).includes('b 7'), 'the look goes on to the other tenant')
})

test('a first index is begun for a tenant to which another process has written since the start', async (t) => {
  const states = [stateOf('a'), stateOf('b'), stateOf('elsewhere')]
  const { begins, looks } = following(t, states, { lookMs: 1, lookTenants: 2 })
  await until(() => looks.length >= 3, 'the follower has looked at all tenants')
  states[1] = stateOf('b', 8)
  states[2] = stateOf('elsewhere', 8)
  states.push(stateOf('new', 1))
  await until(() => begins.length >= 2, 'the follower has seen both writes')
  const { length } = looks
  await until(() => looks.length > length + 4, 'the follower has looked at all tenants again')
  assert.deepEqual(begins.toSorted(), ['b', 'new'], 'once for each write, and only for tenants of this process')
})
