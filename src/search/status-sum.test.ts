import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineStatus } from './engine.ts'
import { type StatusNumber, sumOfStatuses } from './status-sum.ts'

const ONE: EngineStatus = {
  indexes: 1,
  documents: 2,
  passages: 3,
  unreadable: 4,
  documentsBehind: 5,
  behind: 1,
  behindMs: 700,
  building: 1,
  builtPercent: 40,
  leftOut: 2,
  leftOutDocuments: [{ index: 'entries', id: 'one', owner: 'ann' }],
  refused: 6,
  bytes: 7,
  fileBytes: 8,
  pagedOut: 9,
  bytesMax: 10,
}

test('the status of several engines is a sum, but for the longest wait and the build of which least is done', () => {
  const sum = sumOfStatuses(ONE, [{ ...ONE, behindMs: 900, builtPercent: 100 }, ONE])
  const { behindMs, builtPercent, leftOutDocuments, ...added } = sum
  assert.deepEqual([behindMs, builtPercent], [900, 40])
  assert.equal(leftOutDocuments.length, 3)
  for (const [field, value] of Object.entries(added)) assert.equal(value, 3 * ONE[field as StatusNumber], field)
  assert.deepEqual(sumOfStatuses(ONE, []), ONE)
})
