import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Partition } from './partitions.ts'
import { titleKey, titleKeysOf } from './title-key.ts'

const SAME: readonly (readonly [string, string, Partition])[] = [
  ['pod', 'Pods', 'en'],
  ['pods', 'Pod', 'en'],
  ['configmap', 'ConfigMaps', 'en'],
  ['config map', 'ConfigMaps', 'en'],
  ['replica-sets', 'ReplicaSet', 'en'],
  ['network policies', 'Network Policy', 'en'],
  ['cookie', 'Cookies', 'en'],
  ['storage classes', 'StorageClass', 'en'],
  ['cache', 'Caches', 'en'],
  ['ingress', 'Ingress', 'en'],
  ['KNOTEN', 'Knoten', 'de'],
  ['Haus', 'Häuser', 'de'],
  ['haeuser', 'Haus', 'de'],
  ['Aufgabe', 'Aufgaben', 'de'],
  ['pod lebenszyklus', 'Pod-Lebenszyklus', 'de'],
  ['controllers', 'Controller', 'de'],
  ['Verwaltung', 'Verwaltungen', 'de'],
  ['Regeln', 'Regel', 'de'],
  ['Kinder', 'Kind', 'de'],
  ['日本語', '日本語', 'other'],
  ['v1.29', 'V1.29', 'en'],
]

for (const [query, title, partition] of SAME) {
  test(`"${query}" is the title "${title}"`, () => {
    assert.ok(titleKeysOf(query).includes(titleKey(title, partition)))
  })
}

const OTHERS: readonly (readonly [string, string, Partition])[] = [
  ['pod', 'Pod Lifecycle', 'en'],
  ['operator', 'Operations', 'en'],
  ['plan', 'Plane', 'en'],
  ['version 12', 'Version 1 2', 'en'],
  ['verwalten', 'Verwaltung', 'de'],
  ['sicher', 'Sicherheit', 'de'],
  ['knotem', 'Knoten', 'de'],
]

for (const [query, title, partition] of OTHERS) {
  test(`"${query}" is not the title "${title}"`, () => {
    assert.ok(!titleKeysOf(query).includes(titleKey(title, partition)))
  })
}

test('a query without letters and digits is no title', () => {
  for (const query of ['', '?!', '🔥']) assert.deepEqual(titleKeysOf(query), [])
})
