import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import type { Caller } from '../../platform/access/caller.ts'
import type { SearchAnalytics } from './contract.ts'
import { AnalyticsRules } from './rules.ts'

const callerOf = (id: string): Caller => ({ tenant: { id } }) as Caller

test('a tenant that asks for several analyses at once gets them one by one, and other tenants do not wait', async () => {
  const starts: string[] = []
  const ends: (() => void)[] = []
  const rules = new AnalyticsRules({
    analyse: (tenantId) =>
      new Promise((resolve) => {
        starts.push(tenantId)
        ends.push(() => resolve({} as SearchAnalytics))
      }),
  })
  const answers = ['much', 'much', 'much', 'little'].map((id) => rules.read(callerOf(id), {}))
  await turn()
  assert.deepEqual(starts, ['much', 'little'])
  for (let n = 0; n < answers.length; n++) {
    ends[n]()
    await turn()
  }
  await Promise.all(answers)
  assert.deepEqual(starts, ['much', 'little', 'much', 'much'])
})
