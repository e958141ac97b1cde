import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WORDS } from '../../console/src/i18n/words.ts'
import { isLongBehind, searchLagText } from '../../console/src/parts/text/search-lag.ts'

const NONE = { documents_behind: 0, indexes_behind: 0, behind_seconds: 0, indexes_building: 0, built_percent: 100 }

test('words say how many texts search lacks, for how long, and why', () => {
  const inGerman = (lag: Partial<typeof NONE>) => searchLagText({ ...NONE, ...lag }, WORDS.de.searchLag, String)
  assert.equal(inGerman({}), 'Alle da')
  const reading = { documents_behind: 12, indexes_behind: 1, behind_seconds: 2.1 }
  assert.equal(inGerman(reading), '12 fehlen seit 3 s: Texte werden gelesen')
  assert.equal(inGerman({ ...reading, documents_behind: 0 }), 'Texte werden gelesen')
  assert.equal(
    inGerman({ ...reading, indexes_building: 1, built_percent: 40 }),
    '12 fehlen seit 3 s: der Index wird aufgebaut, 40 Prozent sind fertig',
  )
  assert.deepEqual([isLongBehind(NONE), isLongBehind({ behind_seconds: 60 })], [false, true])
})
