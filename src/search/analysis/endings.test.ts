import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsWithin } from './endings.ts'
import { type Partition, termOf } from './partitions.ts'

test('while a word is typed past its stem, its stem is among the terms that it may become', () => {
  const words: readonly [Partition, string][] = [
    ['en', 'installation'],
    ['en', 'vacation'],
    ['en', 'payments'],
    ['en', 'darkness'],
    ['en', 'charging'],
    ['de', 'bestellungen'],
    ['de', 'einstellungen'],
    ['de', 'sicherheit'],
    ['de', 'freundlichen'],
  ]
  for (const [partition, word] of words) {
    const stem = termOf(partition, word)
    assert.ok(stem.length < word.length, word)
    for (let length = Math.max(5, stem.length + 1); length < word.length; length++) {
      assert.ok(termsWithin(partition, word.slice(0, length)).includes(stem), word.slice(0, length))
    }
  }
})

test('a beginning of a compound does not become its first part, and a short word nothing', () => {
  assert.ok(!termsWithin('de', 'reisepl').includes('reis'))
  assert.deepEqual(termsWithin('de', 'reis'), [])
  assert.deepEqual(termsWithin('other', 'installat'), [])
})
