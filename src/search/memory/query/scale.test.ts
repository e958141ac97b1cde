import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedStaticModel } from '../../../embedding/builtin/static-model.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainSearch } from '../../../../test/support/search/plain-search.ts'
import type { IndexDocument, SearchAnswer, SearchRequest } from '../../engine.ts'
import { languageAnalyser } from '../../indexing/text-analyser.ts'
import { Arena } from '../columns/arena.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'
import { TenantIndex } from '../index/tenant-index.ts'

/** Titles and texts of documents in German and English; those after `---` have no vectors. */
const TEXTS = `
en|Returning a parcel|Goods can be sent back within thirty days. Print the label and hand the parcel to the courier.
en|Resetting a password|Follow the link on the sign-in page. A new password needs twelve characters and arrives by mail.
en|Holiday requests|Ask your manager for leave two weeks ahead. Days of last year expire at the end of March.
en|Office printers|The printer on the second floor prints in colour. Paper lies in the cupboard beside it.
en|Travel expenses|Hand in receipts of a business trip within a month. Train tickets are paid in second class.
en|Opening hours|The shop in the old town opens at nine and closes at six, on Saturdays at two.
en|Delivery times|Parcels within the country arrive in two working days, bulky goods take a week.
en|Parental leave|Parents may stay at home for up to three years and come back part time.
de|Ein Paket zurücksenden|Waren können innerhalb von dreißig Tagen zurückgegeben werden. Das Etikett liegt der Sendung bei.
de|Passwort vergessen|Auf der Anmeldeseite lässt sich das Passwort neu setzen. Der Verweis kommt per E-Mail.
de|Urlaub beantragen|Urlaub wird zwei Wochen vorher bei der Führungskraft beantragt. Resturlaub verfällt Ende März.
de|Reisekosten abrechnen|Belege einer Dienstreise werden innerhalb eines Monats eingereicht. Bezahlt wird die zweite Klasse.
de|Lieferzeit|Pakete kommen in zwei Werktagen an, sperrige Ware dauert eine Woche.
de|Kaffeemaschine reinigen|Die Maschine wird freitags entkalkt. Das Mittel steht unter der Spüle.
---
en|Parcel labels|Labels for a parcel are printed at the counter.
en|Password rules|A password is changed once a year.
de|Urlaubstage|Wie viele Tage Urlaub bleiben, zeigt das Portal.
`

const QUERIES = [
  'how do I send goods back',
  'password',
  'Wie beantrage ich Urlaub?',
  'printer',
  'Kosten einer Reise',
  'when does my parcel arrive',
  'Elternzeit',
  'the speed of light in a vacuum',
  'Quantenphysik',
  'parcel label',
]

const OPTIONS: readonly Partial<SearchRequest>[] = [
  {},
  { byQuery: true },
  { byQuery: true, isContextual: true, rated: { min: 0.2 } },
  { byQuery: true, fuzzy: true, rated: { min: 0.2 } },
  { rated: { min: 0.5 }, facets: { keys: [{ field: 'owner', limit: 3 }], numbers: [] } },
  { relevance: { minSimilarityWithoutMatch: 0.45 }, allWords: { enough: 10, shareMin: 0.5, bonus: 1 } },
  { relevance: { minSimilarityWithoutMatch: 0.45 }, named: { bonus: 0.4 }, limit: 3, offset: 1 },
  { minSimilarity: 0.3, byQuery: true },
  { pin: { filter: { field: 'owner', anyOf: ['bob'] }, bonus: 0.4 } },
  { raises: [{ filter: { field: 'owner', anyOf: ['bob'] }, bonus: 0.3, qualifies: true }], rated: { min: 0.1 } },
  { groups: { prefer: { field: 'owner', anyOf: ['ann'] } }, byQuery: true },
]

const model = sharedStaticModel()
const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))

/** Returns vectors whose cosines are .8 + .2 x those of the given ones. */
function squeezed(vector: Float32Array): Float32Array {
  return Float32Array.of(...vector.map((component) => Math.sqrt(0.2) * component), Math.sqrt(0.8))
}

function indexOf(changed: (vector: Float32Array) => Float32Array): TenantIndex {
  const index = new TenantIndex(DEFINITION, memory, languageAnalyser)
  let hasVectors = true
  for (const [i, line] of TEXTS.trim().split('\n').entries()) {
    if (line === '---') hasVectors = false
    const [language, title, text] = line.split('|')
    if (text === undefined) continue
    const put: IndexDocument = {
      id: title,
      language,
      changedAt: i,
      group: `g${i % 9}`,
      text: { title: [title], body: [text] },
      keys: { level: [], owner: [i % 3 === 0 ? 'ann' : 'bob'] },
      numbers: {},
      passages: hasVectors
        ? [{ vector: changed(model.embedTitled(`${title}\n${text}`)), start: 0, end: text.length }]
        : [],
    }
    index.apply({ seq: i, put })
  }
  return index
}

/** Returns what a search shows of meaning, with its figures rounded. */
function shown(index: TenantIndex, request: SearchRequest): object {
  const [answer] = index.search([request])
  if (answer instanceof Error) throw answer
  const { total, facets, hits }: Omit<SearchAnswer, 'timing'> = answer
  const rounded = (figure = -1): number => Number(figure.toFixed(4))
  return {
    total,
    facets,
    hits: hits.map(({ id, matched, score, relevance, explanation }) => ({
      id,
      matched,
      score: rounded(score),
      relevance: rounded(relevance),
      weight: rounded(explanation!.vectorWeight ?? undefined),
      instead: rounded(explanation!.instead),
    })),
  }
}

const straight = indexOf((vector) => vector)
const narrow = indexOf(squeezed)

test('a model that squeezes all cosines ranks, rates and finds nothing as the model does that it was made of', () => {
  const totals = new Set<number>()
  const searches = QUERIES.flatMap((query) =>
    (['semantic', 'keyword', 'hybrid'] as const).flatMap((mode) =>
      OPTIONS.map((options) => ({ query, mode, options })),
    ),
  )
  for (const { query, mode, options } of searches) {
    const version = { tenantId: 't', index: 'things', model: 'm', watermark: 0 }
    const request: SearchRequest = {
      ...plainSearch(version, query),
      mode,
      vector: model.embed(query),
      vectorWeight: 0.5,
      explain: true,
      rated: { min: null },
      ...options,
    }
    if (mode === 'hybrid' && options.byQuery === true && options.allWords !== undefined) continue
    const { minSimilarity: min, vector } = request
    const expected = shown(straight, request)
    const same: Partial<SearchRequest> = {
      vector: squeezed(vector!),
      minSimilarity: min === null ? null : 0.8 + 0.2 * min,
      scale: { factor: 5, offset: -4 },
    }
    const actual = shown(narrow, { ...request, ...same })
    assert.deepEqual(actual, expected, `${mode} ${query} ${JSON.stringify(options)}`)
    totals.add((expected as { total: number }).total)
  }
  assert.ok(totals.has(0) && totals.size > 8)
})

test('similarities and their least stay cosines, whatever the scale', () => {
  const version = { tenantId: 't', index: 'things', model: 'm', watermark: 0 }
  const request: SearchRequest = {
    ...plainSearch(version, 'password'),
    mode: 'hybrid',
    vector: model.embed('password'),
  }
  const similarities = (more: Partial<SearchRequest>): Map<string, number> => {
    const [answer] = straight.search([{ ...request, ...more }])
    if (answer instanceof Error) throw answer
    return new Map(answer.hits.map(({ id, similarity }) => [id, similarity]))
  }
  const plain = similarities({ minSimilarity: 0.2 })
  assert.ok(plain.size > 0 && plain.size < 10)
  for (const scale of [
    { factor: 9, offset: -7 },
    { factor: 0.1, offset: 3 },
  ]) {
    const scaled = similarities({ minSimilarity: 0.2, scale })
    assert.deepEqual(new Map([...scaled].sort()), new Map([...plain].sort()))
  }
})

test('a scale that turns the order round, or is no number, is refused', () => {
  const version = { tenantId: 't', index: 'things', model: 'm', watermark: 0 }
  for (const scale of [
    { factor: 0, offset: 0 },
    { factor: -1, offset: 0 },
    { factor: Infinity, offset: 0 },
    { factor: 1, offset: Number.NaN },
  ]) {
    const [answer] = straight.search([{ ...plainSearch(version, 'lamp'), scale }])
    assert.ok(answer instanceof RangeError)
  }
})
