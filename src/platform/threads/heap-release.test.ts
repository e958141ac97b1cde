import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { HeapRelease, ofThisThread } from './heap-release.ts'

const MEBIBYTE = 1_024 * 1_024

/** Makes a heap that shrinks to its live objects when it is collected. */
function stage(busyMax?: number) {
  const heap = { mb: 100, livingMb: 100, outsideMb: 0, busy: 0, collections: 0, thorough: 0, now: 0 }
  const release = new HeapRelease(
    {
      totalBytes: () => (heap.mb + heap.outsideMb) * MEBIBYTE,
      heapBytes: () => heap.mb * MEBIBYTE,
      utilization: () => heap.busy,
      collect: () => {
        heap.collections++
        heap.mb = heap.livingMb
      },
      collectThoroughly: () => {
        heap.thorough++
        heap.mb = heap.livingMb
      },
      now: () => heap.now,
    },
    busyMax,
  )
  return { heap, release }
}

test('garbage of a burst is collected once, when the thread has time', () => {
  const { heap, release } = stage()
  heap.mb = 300
  heap.busy = 0.9
  release.look()
  assert.equal(heap.collections, 0)
  heap.busy = 0.1
  for (let i = 0; i < 5; i++) release.look()
  assert.deepEqual([heap.collections, heap.mb], [1, 100])
})

test('what a start left behind is collected thoroughly, once, when the thread does next to nothing', () => {
  const { heap, release } = stage()
  release.noteStart()
  heap.livingMb = 60
  heap.busy = 0.2
  release.look()
  assert.equal(heap.thorough, 0)
  heap.busy = 0.01
  for (let i = 0; i < 5; i++) release.look()
  assert.deepEqual([heap.thorough, heap.mb], [1, 60])
})

test('a thread that no request waits for is collected even while busy', () => {
  const { heap, release } = stage(1)
  heap.mb = 300
  heap.busy = 1
  release.look()
  assert.equal(heap.collections, 1)
})

test('a heap that stays as large is not collected again, and one that grows a little not at all', () => {
  const { heap, release } = stage()
  heap.mb = 125
  release.look()
  assert.equal(heap.collections, 0)
  heap.mb = heap.livingMb = 390
  for (let i = 0; i < 5; i++) release.look()
  assert.equal(heap.collections, 1)
  heap.mb = 415
  release.look()
  assert.equal(heap.collections, 1)
  // V8 has collected by itself, so growth counts from here.
  heap.mb = 200
  release.look()
  heap.mb = 260
  release.look()
  assert.equal(heap.collections, 2)
})

test('a heap that would take long to collect is left to V8', () => {
  const { heap, release } = stage()
  heap.mb = 900
  release.look()
  assert.equal(heap.collections, 0)
})

test('memory outside of the heap makes no collection longer, so it does not keep one from happening', () => {
  const { heap, release } = stage()
  heap.outsideMb = 900
  heap.mb = 300
  release.look()
  assert.deepEqual([heap.collections, heap.mb], [1, 100])
})

test('old garbage is collected thoroughly, once the thread is idle and at most every ten minutes', () => {
  const { heap, release } = stage()
  heap.mb = 120
  release.noteGarbage()
  heap.busy = 0.2
  release.look()
  assert.equal(heap.thorough, 0)
  heap.busy = 0.01
  for (let i = 0; i < 3; i++) release.look()
  assert.deepEqual([heap.thorough, heap.collections], [1, 0])
  release.noteGarbage()
  heap.now = 9 * 60_000
  heap.mb = 140
  release.look()
  assert.deepEqual([heap.thorough, heap.collections], [1, 1])
  heap.now = 11 * 60_000
  heap.mb = 120
  release.look()
  assert.equal(heap.thorough, 1, 'it has hardly grown')
  heap.mb = 190
  release.look()
  assert.equal(heap.thorough, 2)
  release.noteGarbage()
  heap.now = 30 * 60_000
  heap.mb = 390
  release.look()
  assert.equal(heap.thorough, 2, 'it is too large')
})

test('the heap of a thread that has ended is given back with a collection, once V8 lets it go, even if nothing has grown', () => {
  const { heap, release } = stage()
  release.noteThreadEnd()
  heap.now = 7_000
  release.look()
  assert.equal(heap.collections, 0)
  heap.now = 17_000
  heap.busy = 0.9
  release.look()
  assert.equal(heap.collections, 0)
  heap.busy = 0.1
  for (let i = 0; i < 5; i++) release.look()
  assert.equal(heap.collections, 1)
  release.noteThreadEnd()
  heap.now = 27_000
  heap.mb = 900
  release.look()
  assert.equal(heap.collections, 1, 'it would take too long')
})

test('a thorough collection of this thread gives back what a plain one keeps', () => {
  const { collect, collectThoroughly, heapBytes } = ofThisThread()
  let objects: object[] = Array.from({ length: 400_000 }, (_, i) => ({ i, numbers: [i, i + 1, i + 2] }))
  collect()
  // One of a hundred lives on, so every page stays in use.
  objects = objects.filter((_, i) => i % 100 === 0)
  collect()
  const before = heapBytes()
  collectThoroughly()
  assert.ok(heapBytes() < before - 5 * MEBIBYTE, `${heapBytes()} of ${before}`)
  assert.equal(objects.length, 4_000)
})

test('the heap of this thread is collected for real', async () => {
  const { collect } = ofThisThread()
  const references = Array.from(
    { length: 100 },
    () => new WeakRef({ numbers: Array.from({ length: 1_000 }, Math.random) }),
  )
  // A WeakRef keeps its object alive until the end of the current turn.
  await turn()
  collect()
  assert.ok(references.filter((each) => each.deref() === undefined).length > 50)
})

test('threads that start together each get a collector', async () => {
  const url = new URL('heap-release.ts', import.meta.url).href
  const code = `import(${JSON.stringify(url)}).then(({ HeapRelease }) => { for (let i = 0; i < 50; i++) new HeapRelease() })`
  const ends = Array.from({ length: 4 }, async () => {
    const worker = new Worker(code, { eval: true })
    const [exitCode] = (await once(worker, 'exit')) as [number]
    return exitCode
  })
  for (let i = 0; i < 50; i++) new HeapRelease().look()
  assert.deepEqual(await Promise.all(ends), [0, 0, 0, 0])
})
