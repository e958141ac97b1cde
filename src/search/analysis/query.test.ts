import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { inTier } from '../../../test/support/tier.ts'
import { analyseDocument } from '../../../test/support/search/analysed.ts'
import { PARTITIONS } from './partitions.ts'
import { PIECE_SHARE } from './document.ts'
import { ANALYSED_MAX, analyseQuery, JOINED_WEIGHT, PAIR_WEIGHT, PART_WEIGHT, readQuery } from './query.ts'

/** Returns the texts of a query's concepts, without the spellings that count only if documents have them. */
function texts(query: string, language: string | null = null): string {
  return analyseQuery(query, language)
    .filter((concept) => concept.ifKnown !== true)
    .map((concept) => concept.text)
    .join(' ')
}

const WEIGHTLESS: readonly (readonly [string, string])[] = [
  ['Wie kündige ich meinen Vertrag?', 'kündige Vertrag'],
  ['how do I reset my password', 'reset password'],
  ['Was ist das Internet of Things', 'Internet Things'],
  ['WIE KÜNDIGE ICH', 'KÜNDIGE'],
  ['die Kündigung', 'Kündigung'],
  ['die hard', 'die hard'],
  ['wie ist das', 'wie ist das'],
  ['to be or not to be', 'to be or not'],
  ['Wer hilft in der IT', 'hilft IT'],
  ["user's guide", 'user guide'],
  ['vitamin d', 'vitamin d'],
  ['camera for underwater photos', 'camera underwater photos'],
  ['iphone pro hülle', 'iphone pro hülle'],
  ['Kosten pro Monat', 'Kosten Monat'],
  ['Was kostet das iPhone pro Monat', 'kostet iPhone Monat'],
  ['Milch mit Honig', 'Milch Honig'],
  ['Kopfhörer on ear', 'Kopfhörer on ear'],
  ['adapter von hdmi auf dvi', 'adapter hdmi dvi'],
]

for (const [query, rest] of WEIGHTLESS) {
  test(`"${query}" asks for "${rest}"`, () => {
    assert.equal(texts(query), rest)
  })
}

test('a known language decides which words are function words', () => {
  assert.equal(texts('die hard', 'de'), 'hard')
  assert.equal(texts('die hard', 'en'), 'die hard')
  assert.equal(texts('will man', 'fr'), 'will man')
})

test('a compound asks for itself, and in German also for its parts with less weight', () => {
  const [whole, ...parts] = analyseQuery('Akkuschrauber', null)
  assert.deepEqual(whole, {
    text: 'Akkuschrauber',
    weight: 1,
    terms: { de: 'akkuschraub', en: 'akkuschraub', other: 'akkuschrauber' },
    answers: [0, 1],
  })
  assert.deepEqual(parts, [
    { text: 'akku', weight: PART_WEIGHT, terms: { de: 'akku', en: null, other: null }, answers: [0] },
    { text: 'schrauber', weight: PART_WEIGHT, terms: { de: 'schraub', en: null, other: null }, answers: [1] },
  ])
  for (const language of ['en', 'fr']) assert.equal(texts('Akkuschrauber', language), 'Akkuschrauber')
})

test('a chain of words asks for its words, and for its joined spelling with less weight', () => {
  const weights = Object.fromEntries(analyseQuery('E-Mail', null).map(({ text, weight }) => [text, weight]))
  assert.deepEqual(weights, { e: PART_WEIGHT, mail: 1, email: JOINED_WEIGHT })
})

test('a part of a part number is asked for only if no document has the number', () => {
  const whole = { de: 'c4872a', en: 'c4872a', other: 'c4872a' }
  assert.deepEqual(
    analyseQuery('C4872A', null).map(({ text, weight, unless }) => ({ text, weight, unless })),
    [
      { text: 'C4872A', weight: 1, unless: undefined },
      { text: '4872a', weight: PIECE_SHARE, unless: whole },
      { text: '4872', weight: PIECE_SHARE, unless: whole },
    ],
  )
  assert.ok(analyseQuery('ReplicaSet Akkuschrauber', null).every(({ unless }) => unless === undefined))
})

test('a number and its word also ask for their joined spelling, with less weight', () => {
  const weights = analyseQuery('cat 6 Kabel', null).map(({ text, weight }) => [text, weight])
  assert.deepEqual(weights, [
    ['cat', 1],
    ['6', 1],
    ['Kabel', 1],
    ['cat6', JOINED_WEIGHT],
  ])
})

test('a concept that is asked for again, in any spelling, counts again, but no part beside its word', () => {
  const countedTexts = (query: string) =>
    analyseQuery(query, null)
      .filter((concept) => concept.ifKnown !== true)
      .map(({ text, times }) => (times === undefined ? text : `${text} x${times}`))
  assert.deepEqual(countedTexts('Kündigung kuendigung KÜNDIGUNG'), ['Kündigung x3'])
  assert.deepEqual(countedTexts('Akku Akkuschrauber'), ['Akku', 'Akkuschrauber', 'schrauber'])
  assert.deepEqual(countedTexts('Akkuschrauber oder Akkuschrauber'), ['Akkuschrauber x2', 'akku x2', 'schrauber x2'])
})

test('a word that may be a function word is asked for, and not required', () => {
  const required = (query: string) =>
    analyseQuery(query, null).flatMap(({ text, answers = [] }) => (answers.length > 0 ? [text] : []))
  assert.deepEqual(required('tea mit ginger').slice(0, 2), ['tea', 'ginger'])
  assert.match(texts('tea mit ginger'), /mit/)
})

test('a measure is one thing, and its number and unit are asked for only where no document has it', () => {
  const concepts = analyseQuery('Akku 18 Volt', null)
  const measure = { de: '18v', en: '18v', other: '18v' }
  assert.deepEqual(
    concepts.slice(0, 4).map(({ text, unless, ifKnown, answers }) => ({ text, unless, ifKnown, answers })),
    [
      { text: 'Akku', unless: undefined, ifKnown: undefined, answers: [0] },
      { text: '18', unless: measure, ifKnown: undefined, answers: [1] },
      { text: '18v', unless: undefined, ifKnown: true, answers: [1, 2] },
      { text: 'Volt', unless: measure, ifKnown: undefined, answers: [2] },
    ],
  )
})

test('two words are also looked for as one, if documents have it, and that one answers both', () => {
  const pair = analyseQuery('head set', null).at(-1)
  assert.deepEqual(pair, {
    text: 'headset',
    weight: PAIR_WEIGHT,
    terms: { de: 'headset', en: 'headset', other: 'headset' },
    answers: [0, 1],
    ifKnown: true,
    isPair: true,
  })
  const pairs = (query: string) => analyseQuery(query, null).flatMap(({ text, ifKnown }) => (ifKnown ? [text] : []))
  assert.deepEqual(pairs('5 kabel, grau'), [])
  assert.deepEqual(pairs('head, set'), [])
})

test('what is asked for twice is required once, and answered by the first concept', () => {
  const [first, ...others] = analyseQuery('Kabel kabel', null).filter((concept) => concept.ifKnown !== true)
  assert.deepEqual([first.text, first.answers, others], ['Kabel', [0, 1], []])
})

const MEETINGS: readonly (readonly [string, string])[] = [
  ['Schrauber mit Akku', 'Akkuschrauber'],
  ['Akkuschrauber', 'Schrauber mit Akku'],
  ['Vollkornmehl', 'Weizenvollkornmehl'],
  ['Weizenvollkornmehl', 'Vollkornmehl'],
  ['Kuendigung', 'Kündigungen'],
  ['Strasse', 'Straßen'],
  ['xm4', 'WH-1000XM4'],
  ['wh1000xm4', 'WH-1000XM4'],
  ['iPhone 15', 'iphone15'],
  ['1.29', 'v1.29'],
  ['32GB', '32 GB'],
  ['TN3280', 'TN 3280'],
  ['TN 3280', 'TN-3280'],
  ['apiserver', 'kube-apiserver'],
  ['replica set', 'ReplicaSet'],
  ['Email', 'E-Mail'],
  ['snakeCase', 'snake_case'],
  ['水', '飲料水'],
  ['18 V', '18Volt'],
  ['18Volt', '18-V-Akku'],
  ['1,5 m', '1.5m'],
  ['2 Liter', '2l'],
  ['24 zoll', '24" TFT'],
  ['1.5', '1,5'],
  ['head set', 'Headset'],
]

for (const [query, document] of MEETINGS) {
  test(`"${query}" finds "${document}"`, () => {
    assert.ok(shared(query, document, 'de') > 0)
  })
}

function shared(query: string, document: string, partition: (typeof PARTITIONS)[number]): number {
  const terms = new Set<string>()
  analyseDocument(partition, document, (term) => void terms.add(term))
  return analyseQuery(query, null).filter((concept) => terms.has(concept.terms[partition] ?? '')).length
}

test('the number of concepts is bounded, and words come before parts', () => {
  const long = Array.from({ length: 600 }, (_, at) => `wort${at}`).join(' ')
  const concepts = analyseQuery(`Akkuschrauber ${long}`, null)
  assert.equal(concepts.length, ANALYSED_MAX)
  assert.ok(concepts.every((concept) => concept.weight === 1))
})

test('a query without letters and digits has no concepts', () => {
  for (const query of ['', '  ', '🔥', '?!', '\u0000', '\ud800']) assert.deepEqual(analyseQuery(query, null), [])
})

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(fc.constantFrom('die', 'Haus', 'tür', 'C++', '-', '.', ' ', 'XM4', '水', '1.2', 'ẞ', 'the', '\u0301', "'s"))
    .map((pieces) => pieces.join('')),
)

const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

test('any text can be analysed, always with the same result, and a document that contains the query shares a term with it', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, fc.constantFrom(...PARTITIONS), (before, query, after, partition) => {
      const concepts = analyseQuery(query, null)
      assert.deepEqual(analyseQuery(query, null), concepts)
      assert.ok(concepts.every(({ weight }) => weight > 0 && weight <= 1))
      // A few letters are compatibility forms of a space and a mark, which give no term; a few symbols are
      // compatibility forms of letters.
      if (Array.from(query).some((each) => isWord(each) && isWord(each.normalize('NFKD'))))
        assert.ok(shared(query, `${before} ${query} ${after}`, partition) > 0)
    }),
    { numRuns: inTier({ gate: 500, all: 3000 }) },
  )
})

test('function words and umlauts show the language of a query surely, nouns do not', () => {
  const languages = ['Wie kündige ich?', 'how do I cancel', 'Übersicht', 'Container Cluster', 'Haus', 'xk-4711', '']
  assert.deepEqual(
    languages.map((query) => readQuery(query).language),
    ['de', 'en', 'de', null, null, null, null],
  )
})

test('cached words change nothing: a query is read the same after very many others', () => {
  const query = 'Ohne Zucker: Weizenvollkornmehl 18 Volt WH-1000XM4 head set E-Mail'
  const before = readQuery(query)
  for (let word = 0; word < 30_000; word += 1) readQuery(`wort${word}`)
  assert.deepEqual(readQuery(query), before)
})
