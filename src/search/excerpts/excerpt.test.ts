import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readQuery, eachTermPlace } from '../analysis/analysis.ts'
import { Excerpts, titleLength } from './excerpt.ts'
import { QueryWords } from './query-words.ts'

const FILLER = 'Der Tag war lang und das Wetter gut. '.repeat(40)

function wordsOf({ text, matches }: ReturnType<Excerpts['of']>): string[] {
  return matches.map(({ start, end }) => text.slice(start, end))
}

test('an excerpt shows the place with the words of the query, and its offsets are those words', () => {
  const text = `${FILLER}Den **Antrag** auf [Urlaub](x) stellen Sie im Portal. ${FILLER}`
  const excerpt = new Excerpts('Anträge für Urlaub', 100, true).of({ text, language: 'de', passage: null })
  assert.deepEqual(wordsOf(excerpt), ['Antrag', 'Urlaub'])
  assert.ok(excerpt.text.startsWith('…Den Antrag auf Urlaub stellen'), excerpt.text)
  assert.ok(excerpt.text.length <= 100 && excerpt.text.endsWith('…'))
})

test('inflected words, compounds and joined spellings are found as the search finds them', () => {
  const of = (query: string, text: string, language = 'de') =>
    wordsOf(new Excerpts(query, 200, true).of({ text, language, passage: null }))
  assert.deepEqual(of('running pods', 'A pod that runs. Pods run.', 'en'), ['pod', 'runs', 'Pods', 'run'])
  assert.deepEqual(of('Akku', 'Ein Akkuschrauber mit Ladestation.'), ['Akkuschrauber'])
  assert.deepEqual(of('XK 4711', 'Das Kabel XK-4711 verbindet.'), ['XK-4711'])
  assert.deepEqual(of('email', 'Schreiben Sie eine E-Mail.'), ['E-Mail'])
  assert.deepEqual(of('Käse Straße', 'KAESE in der Strasse, Käsestraßen'), ['KAESE', 'Strasse', 'Käsestraßen'])
  assert.deepEqual(of('happy', 'happiness, unhappy', 'en'), ['happiness'])
  assert.deepEqual(of('5 V', 'Ein Netzteil mit 5 V.'), ['5', 'V'])
  assert.deepEqual(of('Москва', 'Он живёт в Москва.', 'ru'), ['Москва'])
  assert.deepEqual(of('東京', '私は東京に住む', 'ja'), ['東京'])
  assert.deepEqual(of('the of', 'The state of the art', 'en').length > 0, true)
})

test('an alternative of a word of the query is found like the word itself', () => {
  const giraffe = { typed: 'gir', terms: { de: 'giraff', en: 'giraff', other: null } }
  const of = (query: string, text: string) =>
    wordsOf(new Excerpts(query, 200, true, [giraffe]).of({ text, language: 'en', passage: null }))
  assert.deepEqual(of('gir zoo', 'Two giraffes in a zoo.'), ['giraffes', 'zoo'])
  assert.deepEqual(of('the zoo', 'Two giraffes in a zoo.'), ['giraffes', 'zoo'], 'a word that is no concept so far')
})

test('the stretch with most different words is shown, not the first one', () => {
  const text = `Urlaub. ${FILLER}Urlaub und Sonderurlaub. ${FILLER}Antrag auf Urlaub. ${FILLER}`
  const excerpt = new Excerpts('Antrag Urlaub', 80, true).of({ text, language: 'de', passage: null })
  assert.deepEqual(wordsOf(excerpt), ['Antrag', 'Urlaub'])
})

test('a text that is shown to its end has no mark of a cut, whatever white space follows', () => {
  const of = (text: string) => new Excerpts('refund', 200, true).of({ text, language: 'en', passage: null }).text
  assert.equal(of('The refund comes soon.\n'), 'The refund comes soon.')
  const passage = { start: 0, end: 22 }
  const cut = { text: 'The refund comes soon.\n\nAnd more.', language: 'en', passage }
  assert.equal(new Excerpts('refund', 200, true).of(cut).text, 'The refund comes soon.…')
})

test('a first heading counts as the title when it says the title, and something follows', () => {
  assert.equal(titleLength('# Send it *back*\n\nText', 'Send it back'), 17)
  for (const [text, title] of [
    ['# Send it back\n', 'Send it back'],
    ['# Another\nText', 'Send it back'],
    ['Send it back\nText', 'Send it back'],
    ['', ''],
  ]) {
    assert.equal(titleLength(text, title), 0, text)
  }
})

test('without a word of the query the nearest passage is shown from its start', () => {
  const start = FILLER.length
  const text = `${FILLER}Ferien beantragt man hier. ${FILLER}`
  const excerpts = new Excerpts('Quastenflosser', 60, true)
  const { text: shown, matches } = excerpts.of({ text, language: 'de', passage: { start, end: start + 400 } })
  assert.ok(shown.startsWith('Ferien beantragt man hier.'), shown)
  assert.deepEqual(matches, [])
  assert.deepEqual(excerpts.of({ text: '', language: 'de', passage: null }), { text: '', matches: [] })
})

test('a search by meaning stays within its passage, a search by words looks further', () => {
  const text = `${FILLER}${FILLER}Kabel 4711.`
  const source = { text, language: 'de', passage: { start: 0, end: 300 } }
  assert.deepEqual(wordsOf(new Excerpts('Kabel', 60, false).of(source)), [])
  assert.deepEqual(wordsOf(new Excerpts('Kabel', 60, true).of(source)), ['Kabel'])
})

test('a word is found wherever a step of the search for it ends', () => {
  for (let before = 65_520; before <= 65_560; before++) {
    const text = `${'x'.repeat(before - 1)} Kabel ${'y '.repeat(20)}`
    assert.deepEqual(wordsOf(new Excerpts('Kabel', 60, true).of({ text, language: 'de', passage: null })), ['Kabel'])
  }
})

test('texts of which each word may be one of the query are read in many steps, and one search reads only so much', () => {
  const tied = Array.from({ length: 66_000 }, (_, n) => `haus-${n.toString(36).padStart(9, 'b')}`).join('-')
  const excerpts = new Excerpts('hau', 200, true)
  const stepsOf = (text: string): number => {
    let steps = 1
    for (const taking = excerpts.takingFromWhole(text, 'de'); !taking.next().done;) steps++
    return steps
  }
  assert.ok(stepsOf(tied) > 200)
  assert.equal(stepsOf(tied), 1)
  assert.equal(excerpts.takingFromWhole('Das Haus hau', 'de').next().value, null)
})

test('looking only where words may stand finds what reading every word finds', () => {
  const words = [
    'lamp',
    'Lampen',
    'lamps',
    'Käse',
    'Kaese',
    'Straße',
    'Strasse',
    'E-Mail',
    'email',
    'XK-4711',
    'C++',
    '5',
  ]
  const word = fc.constantFrom(...words, 'Akkuschrauber', 'happy', 'study', 'studies', 'wasser', 'v1.29', 'élan', 'a')
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.array(word),
      fc.constantFrom('de', 'en'),
      (queryWords, text, language) => {
        const query = queryWords.join(' ')
        const queryTerms = new Set(readQuery(query).concepts.map(({ terms }) => terms[language]))
        let expected = 0
        const joined = text.join(' ')
        eachTermPlace(language, joined, (_start, _end, terms) => {
          if (terms.some((term) => queryTerms.has(term))) expected++
        })
        assert.equal(new QueryWords(query).matchesIn(joined, language).length, expected)
      },
    ),
  )
})

test('an excerpt is never longer than asked, well formed, and its matches are inside and in order', () => {
  const piece = fc.constantFrom('lamp', 'red', '😀', 'a '.repeat(30), '東京', '. ', ' ', '**', '\n', 'x'.repeat(90))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 50, max: 300 }), (pieces, length) => {
      const text = pieces.join('')
      const excerpt = new Excerpts('red lamp 東京 😀', length, true).of({ text, language: 'en', passage: null })
      assert.ok(excerpt.text.length <= length)
      assert.ok(excerpt.text.isWellFormed())
      let before = 0
      for (const { start, end } of excerpt.matches) {
        assert.ok(start >= before && end > start && end <= excerpt.text.length)
        before = end
      }
    }),
  )
})
