import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbeddingNonsense, EmbeddingRejected, EmbeddingUnavailable } from '../../embedding/embedder.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { embedQuery } from './query-vector.ts'

const failingWith = (failure: Error) => ({ queryVector: () => Promise.reject(failure) }) as unknown as EmbedderPool

const FAILURES = [new EmbeddingUnavailable('down'), new EmbeddingRejected('400'), new EmbeddingNonsense('no vector')]

test('keyword and hybrid search answer without a vector, whatever error the provider has', async () => {
  for (const error of FAILURES) {
    const answer = await embedQuery(failingWith(error), { id: 't', embeddingModel: 'm' }, 'words', 'hybrid')
    assert.deepEqual(answer, { vector: null, degraded: true })
  }
})

test('semantic search distinguishes a query that the provider refuses from a provider that fails', async () => {
  const refusal = await embedQuery(
    failingWith(FAILURES[1]),
    { id: 't', embeddingModel: 'm' },
    'words',
    'semantic',
  ).catch((error: unknown) => error)
  const { kind, details } = refusal as { kind: string; details: { loc: string[] }[] }
  assert.deepEqual([kind, details.map(({ loc }) => loc)], ['invalid', [['body', 'query']]])
  for (const error of [FAILURES[0], FAILURES[2]]) {
    await assert.rejects(embedQuery(failingWith(error), { id: 't', embeddingModel: 'm' }, 'words', 'semantic'), error)
  }
})
