/** Checks the structure of pgvector's replicas, so that a change of it also changes the number of their format. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENTRY_INDEX } from '../../src/knowledge/entries/indexing/index-source.ts'
import type { IndexDefinition } from '../../src/search/engine.ts'
import { prepare } from '../../src/search/indexing/prepared-document.ts'
import { languageAnalyser } from '../../src/search/indexing/text-analyser.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { isSampled, sortKeyOf, unitVectorText } from '../../src/search/pgvector/columns.ts'
import { amountsOf, keysOf } from '../../src/search/pgvector/keys.ts'
import { lexemesOf } from '../../src/search/pgvector/lexemes.ts'
import { encodeDocument, encodeValues } from '../../src/search/pgvector/stored-document.ts'
import { ReplicaHost } from '../../src/search/pgvector/replica-host.ts'
import { FORMAT, tablesOf } from '../../src/search/pgvector/tables-store.ts'
import { PRODUCT_INDEX } from '../../src/shop/products/indexing/index-source.ts'
import { type PgvectorServer, startPgvector, whyNoPgvector } from '../support/pgvector.ts'
import { ChangingSource } from '../support/search/changing-source.ts'
import { DEFINITION } from '../support/search/documents.ts'

/** If a test fails because replicas have other content or other tables now, raise `FORMAT` and note all three here. */
const KNOWN = {
  format: 4,
  content: 'f9b05a8ce3da00df486edf8179c057f5cf4f93dcb113cf01b52c25d68cbecb4a',
  tables: '98b1331ac8e33b01cd6b05866b93978b64047bee668346050f3b8b43a1c122b5',
}

const PARTS = readFileSync(join(import.meta.dirname, '../../src/search/analysis/compound-parts.txt'), 'utf8')
  .trim()
  .split('\n')
const SENTENCES = [
  'The quick brown foxes were jumping over 12 lazy dogs; nobody’s running!',
  'Die Straßenverkehrsordnung galt für Fußgänger, Radfahrerinnen und die Übergänge von 3,5 m Breite.',
  'Les élèves étaient à l’école — Ёлка, Ωμέγα, ｆｕｌｌ ｗｉｄｔｈ, 日本語, naïve café, İstanbul.',
  'Schraube M6x20 DIN 933, Teil-Nr. AB-12/34.5, USB-C 3.2, 10 mm, 1/2", 5kg, R2D2 and user@example.com.',
]

/** Returns the content of replicas of documents that have every part of compounds, and numbers, codes and signs. */
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
      const stored = [encodeDocument(prepared).toString('base64'), encodeValues(document)]
      const lexemes = lexemesOf(prepared.partition, prepared.frequencies)
      const columns = [keysOf(definition, document), amountsOf(document), sortKeyOf(document), isSampled(document.id)]
      return [stored, lexemes, columns, unitVectorText(document.passages[0].vector)]
    }),
  )
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

test('the content of replicas has not changed without the number of their format', () => {
  const contents = [ENTRY_INDEX, PRODUCT_INDEX].map((definition) => [definition, contentOf(definition)])
  assert.deepEqual({ format: FORMAT, content: hashOf(contents) }, { format: KNOWN.format, content: KNOWN.content })
})

describe('the tables of replicas', { skip: whyNoPgvector() }, () => {
  let server: PgvectorServer
  let database: Database

  before(async () => {
    server = await startPgvector()
    database = openDatabase({ dataDir: '', databaseUrl: server.url })
  })
  after(async () => {
    await database?.close()
    await server?.stop()
  })

  test('have not changed without the number of their format', async () => {
    const source = new ChangingSource(DEFINITION)
    const vector = Float32Array.of(1, 2, 3)
    const rest = { language: 'en', changedAt: 1, group: 'g', text: { title: ['lamp'] }, keys: {}, numbers: {} }
    source.put('format', { id: 'a', ...rest, passages: [{ vector, start: 0, end: 1 }] })
    await new ReplicaHost(database, [source]).warm(source.versionOf('format'))
    const { name } = tablesOf(source.versionOf('format'))
    const { rows } = await sql<{ definition: string }>`
      select replace(definition, ${name}, '') as definition from (
        select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
          a.attidentity, pg_get_expr(d.adbin, d.adrelid), n.collname) as definition
        from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          left join pg_collation n on n.oid = a.attcollation
        where c.relname like ${`%${name}`} and a.attnum > 0 and not a.attisdropped
        union all select indexdef from pg_indexes where tablename like ${`%${name}`}
      ) as parts order by replace(definition, ${name}, '') collate "C"`.execute(database.queries)
    const definitions = rows.map((row) => row.definition)
    assert.ok(definitions.length > 20)
    assert.deepEqual(
      { format: FORMAT, tables: hashOf(definitions) },
      { format: KNOWN.format, tables: KNOWN.tables },
      definitions.join('\n'),
    )
  })
})
