import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { ValuedSource } from '../../../../test/support/search/valued-source.ts'
import { Arena } from '../columns/arena.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'
import { Replicas } from './replicas.ts'

test('a replica that was opened for no search counts as unused until one uses it', () => {
  const arena = new Arena()
  const source = new ValuedSource(DEFINITION)
  const replicas = new Replicas({
    sources: new Map([[DEFINITION.name, source]]),
    memory: createVectorMemory(arena, loadKernel(arena.memory)),
    analyser: plainAnalyser,
    now: () => 5,
    onWaiting: () => undefined,
    onDropped: () => undefined,
  })
  const [searched, written] = ['a', 'b'].map((tenantId) => ({ ...source.versionOf(1), tenantId }))
  const used = replicas.use(searched)!
  const opened = replicas.open(written)!
  assert.ok(opened.lastUsed < used.lastUsed && opened.usedAt < used.usedAt)
  assert.equal(replicas.use(written), opened)
  assert.ok(opened.lastUsed > used.lastUsed)
})
