/** Provides ten documents for measuring the way to the search worker and back. */
import type { IndexSource } from '../src/search/engine.ts'
import { valuesOf } from '../test/support/search/values.ts'

export function createSources(): Promise<{ sources: IndexSource[]; close(): Promise<void> }> {
  const changes = Array.from({ length: 10 }, (_, n) => ({
    seq: 1,
    put: {
      id: `0193c2d4-7a51-7cc0-8f00-00000000000${n}`,
      language: 'en',
      changedAt: n,
      group: `group-${n}`,
      text: { title: ['a title'] },
      keys: {},
      numbers: {},
      passages: [{ vector: Float32Array.from({ length: 384 }, (_, i) => Math.sin(i * n + 1)), start: 0, end: 7 }],
    },
  }))
  const source: IndexSource = {
    definition: { name: 'things', textFields: { title: 1 }, keyFields: ['share'], numberFields: ['expires'] },
    async *changes() {
      yield await Promise.resolve(changes)
    },
    values: valuesOf(() => [changes]),
  }
  return Promise.resolve({ sources: [source], close: () => Promise.resolve() })
}
