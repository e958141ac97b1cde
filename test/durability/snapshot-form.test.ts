/**
 * Holds the numbers of what is stored in snapshots of search indexes. A program reads every snapshot whose numbers are
 * its own, so a change of the stored bytes, or of the words in them, must take another number.
 */
import assert from 'node:assert/strict'
import crypto, { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { SEARCHABLE_ENTRIES } from '../../src/knowledge/entries/indexing/index-source.ts'
import { ANALYSER_NUMBERS } from '../../src/search/analysis/analyser-numbers.ts'
import { type Partition, PARTITIONS, partitionOf, titleKey } from '../../src/search/analysis/analysis.ts'
import type { IndexDefinition, IndexDocument } from '../../src/search/engine.ts'
import { analyseDocument } from '../support/search/analysed.ts'
import { prepare, TERMS_MAX } from '../../src/search/indexing/prepared-document.ts'
import { signatureOf } from '../../src/search/indexing/signature.ts'
import { languageAnalyser } from '../../src/search/indexing/text-analyser.ts'
import { Arena } from '../../src/search/memory/columns/arena.ts'
import { SnapshotWriter } from '../../src/search/memory/columns/checked-stream.ts'
import { createVectorMemory } from '../../src/search/memory/columns/vector-column.ts'
import { loadKernel } from '../../src/search/memory/columns/vector-kernel.ts'
import { saveIndex } from '../../src/search/memory/index/snapshots/index-snapshot.ts'
import { SNAPSHOT_FORMAT, snapshotForm } from '../../src/search/memory/index/snapshots/snapshot-form.ts'
import { TenantIndex } from '../../src/search/memory/index/tenant-index.ts'
import { SEARCHABLE_PRODUCTS } from '../../src/shop/products/indexing/index-source.ts'
import { DEFINITION } from '../support/search/documents.ts'
import { plainAnalyser } from '../support/search/naive.ts'

/**
 * What each number stands for. If a test fails because a content has changed on purpose, raise its number where it is
 * declared, and note both here.
 */
const KNOWN = {
  /** `SNAPSHOT_FORMAT` */
  bytes: [6, 'ca7e16afbbc962ce'],
  /** `ANALYSER_NUMBERS` */
  analysers: { de: [1, '43fb9dc4aee924f2'], en: [1, 'ae94712a08b38d4b'], other: [1, '2ebda1c34183451e'] },
  /** `documentNumber` of the definition of an index */
  documents: { entries: [1, '162fe18eb086f95c'], products: [1, '7f8160569056ce50'] },
}

const PARTS = readFileSync(join(import.meta.dirname, '../../src/search/analysis/compound-parts.txt'), 'utf8')
  .trim()
  .split('\n')
const LANGUAGES: Readonly<Record<Partition, string>> = { de: 'de-AT', en: 'en', other: 'fr' }
const TEXTS = [
  'The keys of both rooms were lying on the shelves; nobody’s asked for them, and there is no lamp without a switch.',
  'Der Schlüssel der Häuser liegt in der Straßenmeisterei, ohne Zubehör; Übergänge und Fußgängerampeln gingen um 3,5 m zurück.',
  'Les clés de l’hôtel étaient à l’étage — Ёжик, Ωρα, ｗｉｄｅ, 東京タワー, naïve, İzmir, ﬁnden.',
  'Schraube M8x40 DIN 912, Teil-Nr. XY-77/12.5, USB-C 3.1, 25 mm, 3/4", 2kg, B4U and hello@example.org.',
  'wi-fi wifi Wi Fi e-mail foot-ball 12" 30cm 1.000,50 C++ .NET https://example.org/a_b?c=d',
]

/** A full row of each kind, with the columns that its index is made of. */
const ENTRY = {
  id: 'entry-1',
  category_id: 'category-1',
  type: 'glossary',
  visibility: 'workspace',
  created_by_user_id: 'user-1',
  workspace_id: 'workspace-1',
  layer: 'layer-1',
  tags: '["Büro","keys"]',
  language: 'de-AT',
  translation_group_id: 'group-1',
  title: 'Schlüssel der Häuser 12"',
  source: 'manual',
  metadata: '{"term":"Schlüssel","synonyms":["key"],"weight":1.5,"nested":{"list":["a","b",3]},"long":"x"}',
  expires_at: 5,
  created_at: 1,
  updated_at: 2,
  projects: 'project-1,project-2',
  sites: 'site-1',
  content: TEXTS.join('\n'),
  search_keywords: '["Türschlüssel"]',
}
const PRODUCT = {
  id: 'product-1',
  site_id: 'site-1',
  external_id: 'AB-12/3',
  sku: 'sku 7',
  gtin: '4006381333931',
  gtins: '["0012345678905"]',
  brand: 'Lampen & Co',
  category: 'Home > Lamps > Desk',
  availability: 'InStock',
  variants_availability: null,
  language: 'de',
  parent_external_id: 'family-1',
  parent_product_id: null,
  is_variant: 1,
  is_parent: 0,
  price_on_request: 1,
  attributes: '{"Farbe":"Grün","width":"30 cm"}',
  properties: '{"material":["Holz","steel"]}',
  price_current: '12.50',
  price_special: '9.99',
  price_special_from: 3,
  price_special_until: 4,
  rating_average: '4.5',
  rating_count: 3,
  created_at: 1,
  updated_at: 2,
  retired_at: null,
  title: 'Schreibtischlampe',
  short_description: 'Light',
  description: TEXTS[1],
  search_keywords: '["lamp"]',
}

/** Rows that leave empty what the first ones have, with values of other kinds. */
const EMPTY_ENTRY = {
  ...ENTRY,
  id: 'entry-2',
  visibility: 'public',
  created_by_user_id: null,
  workspace_id: null,
  layer: null,
  tags: '[]',
  language: 'EN_us',
  metadata: '{}',
  expires_at: null,
  projects: null,
  sites: null,
  search_keywords: '[]',
}
const PARENT_PRODUCT = {
  ...PRODUCT,
  id: 'product-2',
  external_id: null,
  sku: null,
  gtin: null,
  gtins: '[]',
  brand: null,
  category: null,
  availability: 'OutOfStock',
  variants_availability: 'InStock',
  parent_external_id: null,
  parent_product_id: 'product-2',
  is_variant: 0,
  is_parent: 1,
  price_on_request: 0,
  attributes: '{}',
  properties: '{}',
  price_current: null,
  price_special: null,
  price_special_from: null,
  price_special_until: null,
  rating_average: null,
  rating_count: null,
  short_description: null,
  description: null,
  search_keywords: '[]',
}
const GONE_PRODUCT = { ...PRODUCT, retired_at: 6 }

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** Returns what becomes of the corpus in a partition: each term with its share, the lengths, and keys of titles. */
function analysed(partition: Partition): unknown[] {
  const joined = Array.from({ length: 16 }, (_, i) => PARTS.filter((_part, n) => n % 16 === i).join(' '))
  const texts = [...TEXTS, ...joined].map((text) => {
    const terms: [string, number][] = []
    const length = analyseDocument(partition, text, (term, share) => terms.push([term, share]))
    return [terms, length, titleKey(text, partition)]
  })
  return [...texts, ...DOCUMENTS.map((text) => preparedOf(partition, text))]
}

/** Texts of documents that are analysed in several pieces, the last one with more words than are indexed. */
const DOCUMENTS: readonly IndexDocument['text'][] = [
  { title: ['A lamp', 'Die Lampe'], body: TEXTS, tags: ['lamp', 'lamp Lampe lampes'] },
  { title: ['x'.repeat(20_000)], body: [`${TEXTS.join(' ')} `.repeat(60), `${TEXTS.join('. ')}\n`.repeat(60)] },
  { body: [Array.from({ length: TERMS_MAX + 500 }, (_, i) => `q${i.toString(36)}w`).join(' ')], tags: ['beyond'] },
]

/** Returns the terms of a document with their weights, and its lengths. */
function preparedOf(partition: Partition, text: IndexDocument['text']): unknown {
  const language = LANGUAGES[partition]
  const document = { id: 'd', language, changedAt: 1, group: 'g', text, keys: {}, numbers: {}, passages: [] }
  const prepared = prepare(DEFINITION, document, languageAnalyser)
  const { frequencies, length, nameTerms, nameLength } = prepared
  return [prepared.partition, [...frequencies].toSorted(), length, [...nameTerms], nameLength]
}

/** Returns the parts of a document that its row decides; the key of its title belongs to the analysers. */
function documentOf<Row extends ValueRow & { readonly id: string }, ValueRow extends object>(
  kind: {
    readonly valuesOf: (row: ValueRow & { readonly id: string }) => Pick<IndexDocument, 'group' | 'keys' | 'properties'>
    readonly numbersOf: (row: ValueRow) => IndexDocument['numbers']
    readonly textOf: (row: Row) => object
    readonly valueColumns: readonly (keyof ValueRow & string)[]
    readonly besideNames?: readonly (keyof ValueRow & string)[]
    readonly isGone?: (row: Row) => boolean
  },
  row: Row,
): unknown {
  if (kind.isGone?.(row) === true) return 'gone'
  const { keys, ...values } = kind.valuesOf(row)
  const { title: _title, ...others } = keys
  const columns = [...kind.valueColumns, ...(kind.besideNames ?? [])]
  const signature = signatureOf(columns.map((column) => row[column] as string | number | null))
  return [others, values, kind.numbersOf(row), kind.textOf(row), signature]
}

/** Returns the snapshot of an index in which documents were changed and removed, without its head. */
async function snapshotBytes(): Promise<Buffer> {
  const arena = new Arena()
  const index = new TenantIndex(DEFINITION, createVectorMemory(arena, loadKernel(arena.memory)), plainAnalyser)
  for (let n = 0; n < 300; n++) {
    const words = ['lamp', 'blue', 'table', `w${n % 17}`, `w${n % 5}`, 'wood']
    const vector = Float32Array.from({ length: 48 }, (_, i) => (((n + 1) * (i + 3)) % 29) - 14)
    index.apply({
      seq: n + 1,
      textSeq: n + 1,
      signature: n,
      put: {
        id: `d${n}`,
        language: ['de', 'en', 'fr'][n % 3],
        changedAt: 1_000 + n,
        group: `g${n % 50}`,
        text: { title: [words.slice(n % 3).join(' ')], body: [words.join(' '), 'größe ёж'], tags: ['wood', 'wood'] },
        keys: { level: [`l${n % 4}`], owner: n % 2 === 0 ? [] : [`o${n % 7}`, 'o1'] },
        numbers: { expires: n % 3 === 0 ? null : n, size: n / 8 },
        properties: { 'x.weight': [String(n % 9)], 'x.name': ['Grün', 'x'.repeat(n)] },
        sortText: `titel ${n}`,
        passages: n % 10 === 0 ? [] : [{ vector, start: 0, end: n }],
      },
    })
    if (n === 150) index.closeOpenSegment()
  }
  index.apply({ seq: 301, remove: 'd3' })
  index.apply({ seq: 302, unreadable: 'd4' })
  for (const n of [7, 200]) index.leaveOut(`d${n}`, n + 1, { owner: `o${n % 7}`, bytes: 500 + n })
  index.reached = 302
  const pieces: Buffer[] = []
  const writer = new SnapshotWriter(async (piece) => void pieces.push(Buffer.from(piece)))
  const capture = index.capture()
  for (const { segment } of capture.segments) await segment.freeze(() => undefined)
  const head = { tenantId: '', index: '', model: null, mark: '', bytes: 0, heapBytes: 0, fileBytes: 0 }
  await saveIndex(writer, head, capture)
  index.endCapture(capture)
  index.free()
  return Buffer.concat(pieces)
}

test('the bytes of a snapshot have not changed without the number of their format', async (t) => {
  // Dictionaries are hashed with a random seed, which is part of the bytes.
  t.mock.method(crypto, 'randomInt', () => 7)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  assert.deepEqual([SNAPSHOT_FORMAT, hashOf(await snapshotBytes())], KNOWN.bytes)
})

test('a language has not changed its analyser without the numbers of both', () => {
  const languages = { de: ['de', 'DE', 'de-AT', 'de_CH', 'deu', 'ger'], en: ['en', 'EN', 'en-GB', 'en_US', 'eng'] }
  const others = ['', 'fr', 'nl', 'da', 'pt-BR', 'gsw', 'nds', 'enm', 'den', 'und', 'zh']
  for (const [partition, codes] of Object.entries({ ...languages, other: others }))
    for (const code of codes) assert.equal(partitionOf(code), partition, code)
})

test('the words of documents have not changed without the number of their analyser', () => {
  for (const partition of PARTITIONS) assert.equal(partitionOf(LANGUAGES[partition]), partition)
  const analysers = PARTITIONS.map((partition) => [
    partition,
    [ANALYSER_NUMBERS[partition], hashOf(JSON.stringify(analysed(partition)))],
  ])
  assert.deepEqual(Object.fromEntries(analysers), KNOWN.analysers)
})

test('the documents that rows become have not changed without the number of their index', () => {
  const numberOf = ({ definition: { documentNumber = 1 } }: { readonly definition: IndexDefinition }) => documentNumber
  const documents = {
    entries: [
      numberOf(SEARCHABLE_ENTRIES),
      hashOf(JSON.stringify([ENTRY, EMPTY_ENTRY].map((row) => documentOf(SEARCHABLE_ENTRIES, row as never)))),
    ],
    products: [
      numberOf(SEARCHABLE_PRODUCTS),
      hashOf(
        JSON.stringify(
          [PRODUCT, PARENT_PRODUCT, GONE_PRODUCT].map((row) => documentOf(SEARCHABLE_PRODUCTS, row as never)),
        ),
      ),
    ],
  }
  assert.deepEqual(documents, KNOWN.documents)
})

test('a snapshot names each of these numbers, the definition of its index, and the Unicode of its Node', () => {
  const form = JSON.parse(snapshotForm(DEFINITION)) as Record<string, unknown>
  const { unicode, icu } = process.versions
  assert.deepEqual(
    [form.format, form.analysers, form.definition, form.unicode, form.icu],
    [SNAPSHOT_FORMAT, { ...ANALYSER_NUMBERS }, DEFINITION, unicode, icu],
  )
})
