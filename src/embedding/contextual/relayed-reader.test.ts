import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbeddingNonsense, EmbeddingUnavailable } from '../embedder.ts'
import { NO_READER } from './no-reader.ts'
import type { Reading, TextReader } from './reader.ts'
import { ReaderRelay, RelayedReader } from './relayed-reader.ts'

/** Connects a relayed reader to one that answers as `read` does, by messages that are copied like those of threads. */
function connect(read: TextReader['read']) {
  const relay: ReaderRelay = new ReaderRelay({ ...NO_READER, read }, (order) => relayed.receive(structuredClone(order)))
  const relayed = new RelayedReader(null, (report) => relay.receive(structuredClone(report)))
  return { relay, relayed }
}

test('a thread without a reader gets the vectors and the errors of the one that has it', async () => {
  const reading: Reading = { vectors: [Float32Array.of(1, 2)], tokens: 3 }
  let error: Error | null = null
  const { relayed } = connect(async (texts, purpose) => {
    assert.deepEqual([texts, purpose], [['a'], 'passage'])
    if (error !== null) throw error
    return reading
  })
  assert.deepEqual(await relayed.read(['a'], 'passage'), reading)
  error = new EmbeddingUnavailable('away', { retryAfterMs: 77 })
  await assert.rejects(relayed.read(['a'], 'passage'), {
    name: 'EmbeddingUnavailable',
    message: 'away',
    retryAfterMs: 77,
  })
  error = new EmbeddingNonsense('not finite')
  await assert.rejects(relayed.read(['a'], 'passage'), EmbeddingNonsense)
})

test('a call that is given up in the one thread is given up in the other one', async () => {
  const begun: AbortSignal[] = []
  const { relay, relayed } = connect((_texts, _purpose, { signal, owner } = {}) => {
    assert.equal(owner, 'a')
    begun.push(signal!)
    return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)))
  })
  const giveUp = new AbortController()
  const call = relayed.read(['a'], 'passage', { signal: giveUp.signal, owner: 'a' })
  const other = relayed.read(['b'], 'passage', { owner: 'a' })
  giveUp.abort()
  await assert.rejects(call, { name: 'AbortError' })
  assert.deepEqual(
    begun.map(({ aborted }) => aborted),
    [true, false],
  )
  relay.dropAll()
  assert.equal(begun[1].aborted, true)
  await Promise.all([relayed.close(), assert.rejects(other, EmbeddingUnavailable)])
})
