import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Embedder, EmbeddingRejected, EmbeddingUnavailable } from './embedder.ts'
import { QueryBatcher } from './query-batcher.ts'

/** Embeds a text as its length, and records the texts of each call. */
class Recorder implements Embedder {
  readonly id = 'recorder'
  readonly dimensions = 1
  readonly batchSize = 3
  readonly answersAtOnce = true
  readonly calls: (readonly string[])[] = []
  readonly owners: (string | undefined)[] = []

  async embed(...[texts, , , , owner]: Parameters<Embedder['embed']>): Promise<Float32Array[]> {
    this.calls.push(texts)
    this.owners.push(owner)
    if (texts.includes('down')) throw new EmbeddingUnavailable('down')
    if (texts.includes('refused')) throw new EmbeddingRejected('refused')
    return texts.map((text) => Float32Array.of(text.length))
  }

  async close(): Promise<void> {}
}

test('queries of one turn share calls of at most the batch size, and each gets its own vector', async () => {
  const recorder = new Recorder()
  const batcher = new QueryBatcher(recorder)
  const vectors = await Promise.all(['a', 'bb', 'ccc', 'dddd'].map((text) => batcher.embed(text)))
  assert.deepEqual(
    vectors.map(([length]) => length),
    [1, 2, 3, 4],
  )
  assert.deepEqual(recorder.calls, [['a', 'bb', 'ccc'], ['dddd']])
})

test('a refused text fails alone', async () => {
  const recorder = new Recorder()
  const batcher = new QueryBatcher(recorder)
  const [good, bad] = await Promise.allSettled([batcher.embed('good'), batcher.embed('refused')])
  assert.deepEqual(good, { status: 'fulfilled', value: Float32Array.of(4) })
  assert.ok(bad.status === 'rejected' && bad.reason instanceof EmbeddingRejected)
  assert.deepEqual(recorder.calls, [['good', 'refused'], ['good'], ['refused']])
})

test('a provider that is down fails all queries of the call, and the next queries are sent again', async () => {
  const batcher = new QueryBatcher(new Recorder())
  const outcomes = await Promise.allSettled([batcher.embed('good'), batcher.embed('down')])
  assert.ok(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof EmbeddingUnavailable))
  assert.deepEqual(await batcher.embed('again'), Float32Array.of(5))
})

test('a call is made for a tenant if all of its queries are of that tenant', async () => {
  const recorder = new Recorder()
  const batcher = new QueryBatcher(recorder)
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map((tenant) => batcher.embed('text', tenant)))
  assert.deepEqual(recorder.owners, ['a', undefined])
})
