import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HitCache } from './hit-cache.ts'
import { DocumentShape, type WrittenDocument } from './written-document.ts'

const SHAPE = new DocumentShape(['text'])
const json = (bytes: number): WrittenDocument => SHAPE.write({ text: 'x'.repeat(bytes) })

test('a cached document is returned only for its tenant, its change and its model', () => {
  const cache = new HitCache(1_000_000)
  cache.put('a', 'one', 7, 'model', json(10))
  assert.deepEqual(cache.get('a', 'one', 7, 'model'), json(10))
  assert.equal(cache.get('b', 'one', 7, 'model'), null)
  assert.equal(cache.get('a', 'two', 7, 'model'), null)
  assert.equal(cache.get('a', 'one', 8, 'model'), null)
  assert.equal(cache.get('a', 'one', 6, 'model'), null)
  assert.equal(cache.get('a', 'one', 7, 'other'), null)
  assert.equal(cache.get('a', 'one', 7, null), null)
})

test('the newest version replaces the one before, and its bytes count once', () => {
  const cache = new HitCache(1_000_000)
  cache.put('a', 'one', 1, null, json(1_000))
  const { bytes } = cache
  cache.put('a', 'one', 2, null, json(1_000))
  assert.equal(cache.bytes, bytes)
  assert.equal(cache.get('a', 'one', 1, null), null)
  assert.deepEqual(cache.get('a', 'one', 2, null), json(1_000))
})

test('the cache never exceeds its bytes: unused documents are dropped first, and huge ones are not cached', () => {
  const cache = new HitCache(100_000)
  cache.put('a', 'used', 1, null, json(1_000))
  cache.put('a', 'unused', 1, null, json(1_000))
  for (let i = 0; i < 200; i++) {
    assert.notEqual(cache.get('a', 'used', 1, null), null)
    cache.put('a', `${i}`, 1, null, json(1_000))
    assert.ok(cache.bytes <= 100_000)
  }
  assert.equal(cache.get('a', 'unused', 1, null), null)
  assert.equal(cache.get('a', '0', 1, null), null)
  assert.notEqual(cache.get('a', '199', 1, null), null)
  const { bytes } = cache
  cache.put('a', 'giant', 1, null, json(2_000))
  assert.equal(cache.bytes, bytes)
})
