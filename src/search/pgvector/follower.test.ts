import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/patience.ts'
import type { TenantState } from '../engine.ts'
import { ReplicaFollower } from './follower.ts'

const stateOf = (tenantId: string, engine?: 'memory' | 'pgvector'): TenantState => {
  return { tenantId, model: 'm', watermark: 7, engine }
}

/** Makes a follower of tenants with these states. It records the turns of the tenants. */
function following(
  states: readonly TenantState[],
  follow: (state: TenantState) => Promise<boolean> = () => Promise.resolve(true),
) {
  const turns: string[] = []
  const follower = new ReplicaFollower({
    follow: (state) => {
      turns.push(state.tenantId)
      return follow(state)
    },
    statesOf: async (tenantIds) => states.filter(({ tenantId }) => tenantIds.includes(tenantId)),
    pauseMs: 1,
  })
  return { follower, turns }
}

test('only tenants that pgvector searches are followed', async (t) => {
  const { follower, turns } = following([stateOf('small', 'memory'), stateOf('plain'), stateOf('large', 'pgvector')])
  t.after(() => follower.close())
  follower.noteWritten(['small', 'plain', 'large', 'deleted'])
  await until(() => turns.length > 0, 'a tenant has had its turn')
  assert.deepEqual(turns, ['large'])
})

test('one tenant has its turn at a time, and one that is not done has another after the others', async (t) => {
  let running = 0
  let turnsLeft = 3
  const { follower, turns } = following([stateOf('feed', 'pgvector'), stateOf('other', 'pgvector')], async (state) => {
    assert.equal(++running, 1)
    await new Promise(setImmediate)
    running--
    return state.tenantId !== 'feed' || --turnsLeft === 0
  })
  t.after(() => follower.close())
  follower.noteWritten(['feed'])
  follower.noteWritten(['other'])
  await until(() => turnsLeft === 0, 'the feed is done')
  assert.deepEqual(turns, ['feed', 'feed', 'other', 'feed'])
})

test('a tenant whose settings are damaged keeps no other from being followed', async (t) => {
  const damaged: TenantState = {
    ...stateOf('damaged'),
    get engine(): 'memory' {
      throw new SyntaxError('settings are damaged')
    },
  }
  const { follower, turns } = following([damaged, stateOf('sound', 'pgvector')])
  t.after(() => follower.close())
  follower.noteWritten(['damaged', 'sound'])
  await until(() => turns.length === 1, 'the other tenant has its turn')
  assert.deepEqual(turns, ['sound'])
})

test('a failure is left to the next write, and holds up no other tenant', async (t) => {
  const { follower, turns } = following([stateOf('broken', 'pgvector'), stateOf('sound', 'pgvector')], (state) =>
    state.tenantId === 'broken' ? Promise.reject(new Error('the database is away')) : Promise.resolve(true),
  )
  t.after(() => follower.close())
  follower.noteWritten(['broken', 'sound'])
  await until(() => turns.length === 2, 'both have had their turn')
  follower.noteWritten(['broken'])
  await until(() => turns.length === 3, 'the next write is followed')
  assert.deepEqual(turns, ['broken', 'sound', 'broken'])
})
