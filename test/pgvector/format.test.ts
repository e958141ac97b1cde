/** What the replicas of pgvector are made of, so that nobody changes it and leaves the number of their format alone. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENTRY_INDEX } from '../../src/knowledge/entries/indexing/index-source.ts'
import type { IndexDefinition } from '../../src/search/engine.ts'
import { prepare } from '../../src/search/memory/segment.ts'
import { languageAnalyser } from '../../src/search/memory/text-analyser.ts'
import { isSampled, sortKeyOf } from '../../src/search/pgvector/columns.ts'
import { amountsOf, keysOf } from '../../src/search/pgvector/keys.ts'
import { lexemesOf } from '../../src/search/pgvector/lexemes.ts'
import { encodeDocument } from '../../src/search/pgvector/stored-document.ts'
import { FORMAT } from '../../src/search/pgvector/tables-store.ts'
import { PRODUCT_INDEX } from '../../src/shop/products/indexing/index-source.ts'

/** If this test fails because replicas have other content now, raise `FORMAT` and note both here. */
const KNOWN = { format: 2, content: 'df537465e5789bb5fb1bc87da67c497b3d3270e8a0513c314b37a384955e47b3' }

const PARTS = readFileSync(join(import.meta.dirname, '../../src/search/analysis/compound-parts.txt'), 'utf8')
  .trim()
  .split('\n')
const SENTENCES = [
  'The quick brown foxes were jumping over 12 lazy dogs; nobody’s running!',
  'Die Straßenverkehrsordnung galt für Fußgänger, Radfahrerinnen und die Übergänge von 3,5 m Breite.',
  'Les élèves étaient à l’école — Ёлка, Ωμέγα, ｆｕｌｌ ｗｉｄｔｈ, 日本語, naïve café, İstanbul.',
  'Schraube M6x20 DIN 933, Teil-Nr. AB-12/34.5, USB-C 3.2, 10 mm, 1/2", 5kg, R2D2 and user@example.com.',
]

/** Documents with every word that compounds are made of, and with what is written in other ways. */
function contentOf(definition: IndexDefinition): unknown[] {
  const texts = [
    ...SENTENCES,
    ...Array.from({ length: 16 }, (_, i) => PARTS.filter((_part, n) => n % 16 === i).join(' ')),
  ]
  const [name] = Object.keys(definition.textFields)
  return ['de', 'en', 'fr'].flatMap((language) =>
    texts.map((text, i) => {
      const document = {
        id: `id-${i}`,
        language,
        changedAt: i,
        group: `group-${i}`,
        text: {
          ...Object.fromEntries(Object.keys(definition.textFields).map((field) => [field, [text]])),
          [name]: ['A title'],
        },
        keys: Object.fromEntries(definition.keyFields.map((field) => [field, [`${field} ${text}`]])),
        numbers: Object.fromEntries(definition.numberFields.map((field) => [field, i])),
        properties: { 'x.weight': ['1.5', text] },
        sortText: text,
        passages: [{ vector: Float32Array.of(i, 0.5), start: 0, end: i }],
      }
      const prepared = prepare(definition, document, languageAnalyser)
      const stored = encodeDocument(prepared).toString('base64')
      const lexemes = lexemesOf(prepared.partition, prepared.frequencies)
      const columns = [keysOf(definition, document), amountsOf(document), sortKeyOf(document), isSampled(document.id)]
      return [stored, lexemes, columns]
    }),
  )
}

test('the content of replicas has not changed without the number of their format', () => {
  const made = [ENTRY_INDEX, PRODUCT_INDEX].map((definition) => [definition, contentOf(definition)])
  const content = createHash('sha256').update(JSON.stringify(made)).digest('hex')
  assert.deepEqual({ format: FORMAT, content }, KNOWN)
})
