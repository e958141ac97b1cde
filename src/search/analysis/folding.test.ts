import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { inTier } from '../../../test/support/tier.ts'
import { fold, foldUnspaced } from './folding.ts'

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['Kündigung', 'kuendigung'],
  ['KÜNDIGUNG', 'kuendigung'],
  ['Ku\u0308ndigung', 'kuendigung'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['Kün\u00addi\u00adgung', 'kuendigung'],
  ['Café', 'cafe'],
  ['Łódź', 'lodz'],
  ['Ærø', 'aero'],
  ['İstanbul', 'istanbul'],
  ['ﬁle', 'file'],
  ['ＡＢＣ１２', 'abc12'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['हिन्दी', 'हिन्दी'],
]

for (const [written, folded] of SPELLINGS) {
  test(`"${written}" folds to "${folded}"`, () => {
    assert.equal(fold(written), folded)
  })
}

test('kana keep their voicing marks in full and half width', () => {
  assert.equal(foldUnspaced('ｶﾞ'), 'ガ')
  assert.notEqual(foldUnspaced('か'), foldUnspaced('が'))
})

test('folding letters and digits of any script twice gives the same as folding once', () => {
  const text = fc.string({ unit: anyCharacter }).map((any) => any.replace(/[^\p{L}\p{N}]/gu, ''))
  fc.assert(
    fc.property(text, (any) => fold(fold(any)) === fold(any)),
    { numRuns: inTier({ gate: 400, all: 2000 }) },
  )
})
