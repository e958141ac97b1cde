import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Partition, QueryConcept } from '../analysis/analysis.ts'
import { nearOnes } from '../../../test/support/search/naive.ts'
import {
  PREFIX_WORDS_MAX,
  PREFIX_WEIGHT,
  CORRECTED_MAX,
  corrections,
  expand,
  lastWordOf,
  ONE_EDIT_WEIGHT,
  type Vocabulary,
  wholeOf,
} from './expansion.ts'

function vocabulary(frequencies: Readonly<Record<string, number>>, excess = 0): Vocabulary {
  const frequency = (partition: Partition, term: string) => (partition === 'other' ? (frequencies[term] ?? 0) : 0)
  return {
    frequency,
    frequencyAtMost: (partition, term) => frequency(partition, term) + (term.length % 2) * excess,
    eachWithPrefix: (partition, prefix, visit) => {
      const terms = partition === 'other' ? Object.keys(frequencies) : []
      for (const term of terms) if (term.startsWith(prefix)) visit(term, frequencies[term] + (term.length % 2) * excess)
    },
    near: (partition, word, limit, areBegun) =>
      partition === 'other' ? nearOnes(Object.keys(frequencies), word, limit, areBegun) : [],
    remembered: (_key, make) => make(),
  }
}

function concept(word: string, weight = 1): QueryConcept {
  return { text: word, weight, terms: { de: word, en: word, other: word } }
}

const words = (concepts: readonly QueryConcept[]): string[] => concepts.map((each) => each.text)

test('a word that no document has stands for the nearest words that some have: fewest edits, then most frequent', () => {
  const expanded = expand(
    [concept('durcker')],
    { fuzzy: true, prefix: null },
    vocabulary({ drucker: 3, durckers: 9, drucken: 50, lucker: 7 }),
  )
  assert.deepEqual(words(expanded), ['durckers', 'drucker'])
  assert.deepEqual([expanded[0].weight, expanded[0].typed, expanded[0].wordNumber], [ONE_EDIT_WEIGHT, 'durcker', 0])
})

test('a mistyped word that is the stem of another finds it, although its own stem is too short', () => {
  const mous: QueryConcept = { ...concept('mous'), terms: { de: 'mous', en: 'mou', other: 'mous' } }
  const frequency = (partition: Partition, term: string) => (partition === 'en' && term === 'mous' ? 365 : 0)
  const stems = { ...vocabulary({}), frequency, frequencyAtMost: frequency }
  const [stem] = expand([mous], { fuzzy: true, prefix: null }, stems)
  assert.deepEqual([stem.text, stem.terms.en, stem.weight, stem.typed], ['mous', 'mous', ONE_EDIT_WEIGHT, 'mous'])
})

test('a mistyped word stands for a word one edit away whose stem is far from its own, a rare one does not', () => {
  const antene: QueryConcept = { ...concept('antene'), terms: { de: 'ant', en: 'anten', other: 'antene' } }
  const wordsAmong = (frequencies: Readonly<Record<string, number>>) => {
    const frequency = (partition: Partition, term: string) => (partition === 'de' ? (frequencies[term] ?? 0) : 0)
    return words(
      expand([antene], { fuzzy: true, prefix: null }, { ...vocabulary({}), frequency, frequencyAtMost: frequency }),
    )
  }
  assert.deepEqual(wordsAmong({ antenn: 3 }), ['antenn'])
  assert.deepEqual(wordsAmong({ antenn: 300, ant: 1 }), ['antene'])
})

test('words that a document has, short words, parts and words with digits are not corrected', () => {
  const documents = vocabulary({ toner: 1, tonet: 5, ink: 4, hp3050: 2, abcdefgx: 1 })
  const typed = [concept('toner'), concept('inc'), concept('hp3051'), concept('abcdefgh', 0.3)]
  assert.deepEqual(words(expand(typed, { fuzzy: true, prefix: null }, documents)), [
    'toner',
    'inc',
    'hp3051',
    'abcdefgh',
  ])
})

test('a rare word also stands for a near one that is far more frequent, and a common one does not', () => {
  const typed = [concept('mozarella')]
  const wordsAmong = (frequencies: Readonly<Record<string, number>>) =>
    expand(typed, { fuzzy: true, prefix: null }, vocabulary(frequencies)).map(({ text, typed: of }) => [text, of])
  const both = [
    ['mozarella', undefined],
    ['mozzarella', 'mozarella'],
  ]
  assert.deepEqual(wordsAmong({ mozarella: 7, mozzarella: 300, mozarela: 8 }), both)
  assert.deepEqual(wordsAmong({ mozarella: 7, mozzarella: 69 }), both.slice(0, 1))
  assert.deepEqual(wordsAmong({ mozarella: 21, mozzarella: 3000 }), both.slice(0, 1))
})

test('only the first unknown words of a query are corrected, however many it has', () => {
  const typed = Array.from({ length: 64 }, (_, i) =>
    concept(`xaaaaa${String.fromCharCode(97 + (i % 26)).repeat(2 + i)}`),
  )
  let lookUps = 0
  const documents = vocabulary({ toner: 30, drucker: 3 })
  const counting: Vocabulary = {
    ...documents,
    near(...word) {
      if (word[0] === 'other') lookUps++
      return documents.near(...word)
    },
  }
  expand(typed, { fuzzy: true, prefix: null }, counting)
  assert.equal(lookUps, CORRECTED_MAX)
  for (const [correctedMax, expected] of [
    [3, 3],
    [1_000, CORRECTED_MAX],
  ]) {
    lookUps = 0
    expand(typed, { fuzzy: true, prefix: null, correctedMax }, counting)
    assert.equal(lookUps, expected)
  }
  // Words that are never corrected do not count towards the limit.
  const others = [concept('toner'), concept('inc'), concept('hp3051'), concept('abcdefgh', 0.3)]
  const expanded = expand(
    [...others, ...typed.slice(1, CORRECTED_MAX), concept('durcker'), concept('tomer')],
    {
      fuzzy: true,
      prefix: null,
    },
    documents,
  )
  assert.deepEqual(words(expanded).slice(-2), ['drucker', 'tomer'])
})

test('a part is asked for only if no document has its whole', () => {
  const piece = { ...concept('4872', 0.3), unless: concept('c4872a').terms }
  const typed = [concept('toner'), concept('c4872a'), piece, concept('black')]
  const wordsAmong = (frequencies: Readonly<Record<string, number>>) =>
    expand(typed, { fuzzy: false, prefix: null }, vocabulary(frequencies)).map(
      ({ text, wordNumber }) => `${text} ${wordNumber}`,
    )
  assert.deepEqual(wordsAmong({ c4872a: 1, 4872: 5 }), ['toner 0', 'c4872a 1', 'black 2'])
  assert.deepEqual(wordsAmong({ 4872: 5 }), ['toner 0', 'c4872a 1', '4872 2', 'black 3'])
})

test('the word being typed also stands for words that start with it, most frequent first', () => {
  const documents = vocabulary({ log: 1, logi: 2, logitech: 9, lotus: 30 })
  const expanded = expand([concept('mouse'), concept('log')], { fuzzy: false, prefix: 'log' }, documents)
  assert.deepEqual(words(expanded), ['mouse', 'log', 'logitech', 'logi'])
  assert.deepEqual([expanded[2].weight, expanded[2].wordNumber], [PREFIX_WEIGHT, 1])
})

test('the most frequent words are found even if the upper bounds of frequencies are far off', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`la${'x'.repeat(n)}`, (n * 37) % 101]))
  const expected = Object.entries(many).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const expanded = expand([concept('la')], { fuzzy: false, prefix: 'la' }, vocabulary(many, 1_000))
  assert.deepEqual(
    words(expanded),
    expected.slice(0, PREFIX_WORDS_MAX).map(([word]) => word),
  )
})

test('a word mistyped before it is finished stands for the words that begin nearly so', () => {
  const documents = vocabulary({ akkuschrauber: 2, akkuschlauch: 5, akkus: 9, akazie: 7 })
  const expanded = expand([concept('akuschr')], { fuzzy: true, prefix: 'akuschr' }, documents)
  assert.deepEqual(words(expanded), ['akkuschrauber'])
  assert.deepEqual([expanded[0].typed, expanded[0].edits, expanded[0].weight], ['akuschr', 1, ONE_EDIT_WEIGHT])
  // A word that is finished is compared as a whole, and one that begins a word is not mistyped.
  assert.deepEqual(words(expand([concept('akuschr')], { fuzzy: true, prefix: null }, documents)), ['akuschr'])
  const completions = expand([concept('akkusch')], { fuzzy: true, prefix: 'akkusch' }, documents)
  assert.deepEqual(words(completions), ['akkuschlauch', 'akkuschrauber'])
})

test('a word typed past its stem stands for the stem, as long as it begins no other word', () => {
  const documents: Vocabulary = {
    ...vocabulary({}),
    frequency: (partition, term) => (partition === 'en' && term === 'instal' ? 3 : 0),
    frequencyAtMost: (partition, term) => (partition === 'en' && term === 'instal' ? 3 : 0),
  }
  for (const typed of ['installa', 'installat', 'installatio']) {
    const [stem, ...others] = expand([concept(typed)], { fuzzy: true, prefix: typed }, documents)
    assert.deepEqual([stem.text, stem.typed, stem.edits, others], ['instal', typed, undefined, []])
  }
  assert.deepEqual(words(expand([concept('installat')], { fuzzy: false, prefix: null }, documents)), ['installat'])
})

test('corrections name each word that is taken for others, nearest first, with how many documents have these', () => {
  const documents = vocabulary({ drucker: 3, durckers: 9, patrone: 4, toner: 2 })
  const typed = [concept('durcker'), concept('toner'), concept('patrnoe'), concept('zzzzzz'), concept('ton')]
  const concepts = expand(typed, { fuzzy: true, prefix: 'ton' }, documents)
  const correctedWords = corrections(
    concepts,
    concepts.map(({ terms }) => documents.frequency('other', terms.other!)),
  )
  assert.deepEqual(
    correctedWords.map(({ typed: word, nearest }) => [
      word,
      nearest.map(({ term, edits, frequency }) => [term, edits, frequency]),
    ]),
    [
      [
        'durcker',
        [
          ['durckers', 1, 9],
          ['drucker', 1, 3],
        ],
      ],
      ['patrnoe', [['patrone', 1, 4]]],
    ],
  )
  assert.deepEqual(correctedWords[0].nearest[0].partitions, ['other'])
})

test('a word being typed counts even if the analysis leaves it out', () => {
  const expanded = expand([concept('hut')], { fuzzy: false, prefix: 'mit' }, vocabulary({ hut: 1, mittel: 2 }))
  assert.deepEqual(words(expanded), ['hut', 'mittel'])
})

test('the last word is a prefix only if the query ends with it', () => {
  assert.equal(lastWordOf('HP Drucker'), 'drucker')
  assert.equal(lastWordOf('Spül'), 'spuel')
  assert.equal(lastWordOf('drucker '), null)
  assert.equal(lastWordOf(''), null)
})

test('coverage counts only the best of the words that one typed word stands for', () => {
  const own = { ...concept('a'), wordNumber: 0 }
  assert.equal(wholeOf([own, { ...own, typed: 'a' }, { ...concept('b'), wordNumber: 1 }], [2, 3, 4]), 7)
})

test('a word that no document has is cut into two that some have, of which a document needs both', () => {
  const documents = vocabulary({ head: 9, set: 5, heads: 1, eadset: 3, he: 50 })
  const typed = { ...concept('headset'), answers: [0] }
  const [whole, ...parts] = expand(
    [typed, { ...concept('blue'), answers: [1] }],
    { fuzzy: true, prefix: null },
    documents,
  )
  assert.deepEqual([whole.text, whole.answers], ['headset', [0]])
  assert.deepEqual(
    parts.map(({ text, answers, wordNumber }) => ({ text, answers, wordNumber })),
    [
      { text: 'head', answers: [0], wordNumber: 1 },
      { text: 'set', answers: [2], wordNumber: 2 },
      { text: 'blue', answers: [1], wordNumber: 3 },
    ],
  )
  assert.deepEqual(words(expand([typed], { fuzzy: false, prefix: null }, documents)), ['headset'])
  assert.deepEqual(words(expand([typed], { fuzzy: true, prefix: null }, vocabulary({ head: 9, set: 1 }))), ['headset'])
})

test('a word that is nearly another is corrected rather than cut', () => {
  const typed = { ...concept('headset'), answers: [0] }
  const [only, ...others] = expand([typed], { fuzzy: true, prefix: null }, vocabulary({ head: 9, set: 5, headsets: 2 }))
  assert.deepEqual([only.text, only.answers, others], ['headsets', [0], []])
})

test('a spelling that the user may have meant is asked for only if documents have it', () => {
  const pair = { ...concept('headset'), ifKnown: true }
  assert.deepEqual(words(expand([pair], { fuzzy: true, prefix: null }, vocabulary({ headsets: 5 }))), [])
  assert.deepEqual(words(expand([pair], { fuzzy: false, prefix: null }, vocabulary({ headset: 5 }))), ['headset'])
})
