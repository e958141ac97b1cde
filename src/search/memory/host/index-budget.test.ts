import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { valuesOf } from '../../../../test/support/search/values.ts'
import type { IndexSource } from '../../engine.ts'
import { Arena } from '../columns/arena.ts'
import { IndexBudget } from './index-budget.ts'
import { NOTHING } from '../columns/memory-size.ts'
import { isAtWork, newReplica, type Replica } from './replica.ts'
import { TenantIndex } from '../index/tenant-index.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'

const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))
const source: IndexSource = {
  definition: DEFINITION,
  changes: () => assert.fail('a budget reads no changes'),
  values: valuesOf(() => []),
}

function replicaOf(tenantId: string, usedAt: number): Replica {
  const index = new TenantIndex(DEFINITION, memory, plainAnalyser)
  const replica = newReplica(tenantId, { tenantId, index: 'things', model: null, watermark: 1 }, source, index)
  replica.usedAt = usedAt
  return replica
}

function sizeOf(bytes: number): { bytes: number; heapBytes: number } {
  return { bytes, heapBytes: 0 }
}

test('the large index that no tenant has searched for a minute is forgotten, and no small or busy one', () => {
  const budget = new IndexBudget({ bytesMax: 1_000, tenantBytesMax: 1_000 })
  const [small, large, larger, recent, busy] = [0, 0, 1_000, 50_000, 0].map((at, i) => replicaOf(`t${i}`, at))
  busy.catchingUp = true
  budget.note(small, sizeOf(100))
  budget.note(recent, sizeOf(200))
  budget.note(busy, sizeOf(300))
  assert.equal(budget.largestUnused(small, 70_000), null)
  budget.note(large, sizeOf(130))
  assert.equal(budget.largestUnused(small, 70_000), large)
  budget.note(larger, sizeOf(140))
  assert.equal(budget.largestUnused(small, 70_000), larger)
  assert.equal(budget.largestUnused(small, 60_500), large)
  assert.equal(budget.largestUnused(larger, 70_000), large, 'not the one that asks for room')
})

test('an index whose catch-up rests makes room as an idle one does, and one that reads at the moment does not', () => {
  const budget = new IndexBudget({ bytesMax: 1_000, tenantBytesMax: 1_000 })
  const [grower, other] = [replicaOf('grower', 0), replicaOf('other', 0)]
  for (const replica of [grower, other]) budget.note(replica, sizeOf(500))
  other.catchingUp = true
  assert.deepEqual([budget.victim(grower, 70_000), isAtWork(other)], [null, true])
  other.isResting = true
  assert.deepEqual([budget.victim(grower, 70_000), isAtWork(other)], [other, false])
  other.waiting.push({ version: other.version, request: null, settle: () => undefined, since: 0 })
  assert.equal(budget.victim(grower, 70_000), null, 'a search waits for it')
})

test("what is paged out counts for its tenant's bound, and not for all memory", () => {
  const budget = new IndexBudget({ bytesMax: 1_000, tenantBytesMax: 500 })
  const [first, second] = [replicaOf('t', 0), replicaOf('t', 0)]
  budget.note(first, sizeOf(300))
  budget.note(first, sizeOf(50), 250)
  assert.deepEqual([budget.size.bytes, budget.sizeOfTenant('t').bytes], [50, 300])
  assert.ok(!budget.fitsTenant('t', sizeOf(201)))
  assert.ok(budget.fitsWhole(sizeOf(950)))
  budget.note(second, sizeOf(100))
  assert.deepEqual([budget.isShort, budget.isShortFor('t'), budget.isShortFor('other')], [true, true, false])
  budget.note(first, NOTHING)
  assert.deepEqual([budget.size.bytes, budget.sizeOfTenant('t').bytes, budget.isShort], [100, 100, false])
  budget.note(second, NOTHING)
  assert.deepEqual([budget.size.bytes, budget.sizeOfTenant('t').bytes], [0, 0])
})
