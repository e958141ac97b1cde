import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedText } from './bounded-text.ts'

/** Characters of the longest word that the tokenizer gets, once it has normalised the text. */
const longestWord = (text: string): number =>
  Math.max(...text.split(/\s+/u).map((word) => word.normalize('NFKC').length))

test('an ordinary text is read as it is, to its first 10,000 characters', () => {
  const text = 'Die Wärmepumpe läuft auch im Winter: https://example.com/a?b=c … ﬁn, ½ kg. '.repeat(200)
  assert.equal(boundedText(text), text.slice(0, 10_000))
})

test('no word has a length at which the tokenizer takes seconds', () => {
  for (const unit of ['x', '漢', '😀', 'ｷﾛ', 'e\u0301', '0'])
    assert.ok(longestWord(boundedText(unit.repeat(10_000))) <= 1_000, unit)
  // Characters that the tokenizer replaces by several.
  for (const unit of ['\u3316', '\u33af', '\u2057', '\u{1D160}'])
    assert.ok(longestWord(boundedText(unit.repeat(10_000))) <= 3_000, unit)
})

test('characters that stand for many count for many', () => {
  for (const unit of ['\ufdfa', '\u3316', '\ufdfb'])
    assert.ok(boundedText(unit.repeat(8_000)).normalize('NFKC').length <= 20_100, unit)
})

test('a mark that is repeated without end is left out after thirty', () => {
  assert.equal(boundedText(`a${'\u0301'.repeat(5_000)} b`), `a${'\u0301'.repeat(30)} b`)
})
