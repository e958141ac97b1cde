import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Behind, behindInWords, isLongBehind } from './behind.ts'

const UP_TO_DATE: Behind = {
  documents_behind: 0,
  indexes_behind: 0,
  behind_seconds: 0,
  indexes_building: 0,
  built_percent: 100,
}
const READING: Behind = { ...UP_TO_DATE, documents_behind: 1_200, indexes_behind: 2, behind_seconds: 11.2 }

test('words say how many documents are behind, for how long, and why', () => {
  assert.equal(behindInWords(UP_TO_DATE), 'up to date')
  assert.equal(behindInWords(READING), '1200 documents behind for 12 s: reading texts')
  const values = { ...READING, documents_behind: 0 }
  assert.equal(behindInWords(values), '0 documents behind for 12 s: reading changes')
  const building = { ...READING, documents_behind: 1, indexes_building: 2, built_percent: 40 }
  assert.equal(behindInWords(building), '1 document behind for 12 s: being built (40 percent)')
  assert.equal(
    behindInWords({ ...READING, indexes_building: 1, built_percent: 40 }),
    '1200 documents behind for 12 s: being built (40 percent) and reading texts',
  )
})

test('an index that is behind for a minute is worth a look', () => {
  assert.deepEqual([isLongBehind(READING), isLongBehind({ behind_seconds: 60 })], [false, true])
})
