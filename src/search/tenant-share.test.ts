import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdersOf } from './tenant-share.ts'

const TENANTS = Array.from({ length: 3_000 }, (_, i) => `tenant-${i}`)

for (const processes of [
  ['1', '2', '3'],
  ['10.0.0.1:9400', '10.0.0.2:9400', '10.0.0.3:9400'],
]) {
  test(`three processes hold about a third of the tenants each: ${processes.join(', ')}`, () => {
    const counts = new Map<string, number>()
    for (const tenant of TENANTS) {
      const [holder] = holdersOf(tenant, processes, 1)
      counts.set(holder, (counts.get(holder) ?? 0) + 1)
    }
    for (const process of processes) assert.ok(Math.abs(counts.get(process)! - 1_000) < 100, `${counts.get(process)}`)
  })
}

test('when a process goes, only its own tenants move, and to all others', () => {
  const heirs = new Set<string>()
  for (const tenant of TENANTS) {
    const [before] = holdersOf(tenant, ['1', '2', '3'], 1)
    const [after] = holdersOf(tenant, ['3', '1'], 1)
    if (before === '2') heirs.add(after)
    else assert.equal(after, before, tenant)
  }
  assert.deepEqual(heirs, new Set(['1', '3']))
})

test('a second holder is the one that would inherit the tenant', () => {
  for (const tenant of TENANTS.slice(0, 100)) {
    const [first, second] = holdersOf(tenant, ['1', '2', '3', '4'], 2)
    const rest = ['1', '2', '3', '4'].filter((process) => process !== first)
    assert.deepEqual(holdersOf(tenant, rest, 1), [second])
  }
})
