import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { assertPlans, watched } from '../../../test/support/plans.ts'
import { createTenant } from '../../composition/new-tenant.ts'
import { BUILTIN_ID } from '../../embedding/builtin/builtin.ts'
import type { EmbeddedKind } from '../../embedding/embedded-kind.ts'
import { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { countJobs } from '../../embedding/job-store.ts'
import { planVectors } from '../../embedding/planned-vectors.ts'
import { EmbeddingQueue } from '../../embedding/queue.ts'
import { storedTarget } from '../../embedding/target-store.ts'
import { decodeVector, encodeVector } from '../../embedding/vector-codec.ts'
import { SEARCHABLE_ENTRIES } from '../../knowledge/entries/indexing/index-source.ts'
import { columnTypes } from '../../platform/database/columns.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { listChanges, listValues, readChanged } from '../../platform/database/document-changes.ts'
import type { DocumentTables } from '../../platform/database/document-tables.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { SEARCHABLE_PRODUCTS } from '../../shop/products/indexing/index-source.ts'
import { findAnchor } from '../request/anchor.ts'
import type { IndexChange, ValueChange } from '../engine.ts'
import { indexSource, type SearchableKind } from './index-source.ts'

interface NoteRow {
  readonly tenant_id: string
  readonly id: string
  readonly edition: number
  readonly body: string
  readonly motto: string | null
  readonly embedding_model: string | null
  readonly is_hidden: number
  readonly updated_at: number
  readonly seq: number
  readonly text_seq: number
}

interface NoteVectors {
  readonly vectors: Buffer
  readonly motto: Buffer | null
}

const SHORT_MAX = 40

/** Returns vectors to save that are those of all texts. */
const allOf = (...vectors: Float32Array[]) => ({ vectors, hashes: null, isSearched: true })

const NOBODY = {
  user_id: null,
  credential_id: null,
  client_id: null,
  claimed_source: null,
  claimed_client_id: null,
  details: null,
}

const NOTE_EMBEDDING: EmbeddedKind<Pick<NoteRow, 'id' | 'edition' | 'body' | 'motto'>, NoteVectors> = {
  name: 'note',
  // The tables exist only in this test, so the service's types do not know them.
  tables: {
    documents: 'notes',
    vectors: 'note_vectors',
    tombstones: 'note_tombstones',
    idColumn: 'note_id',
  } as unknown as DocumentTables,
  versionColumn: 'edition',
  textColumns: ['body', 'motto'],
  passageColumns: ['vectors'],
  anchorColumn: 'motto',
  textsOf: ({ body, motto }) => ({
    texts: motto === null ? [body] : [body, motto],
    encode: ([vector, second]) => ({
      vectors: encodeVector(vector),
      motto: second === undefined ? null : encodeVector(second),
    }),
  }),
  vectorsOf: ({ vectors, motto }) => [vectors, ...(motto === null ? [] : [motto])].map(decodeVector),
  isShort: ({ body }) => body.length <= SHORT_MAX,
  passagesOf: ({ body }, { vectors }) => [{ vector: decodeVector(vectors), start: 0, end: body.length }],
}

const SEARCHABLE_NOTES: SearchableKind<NoteRow & { readonly letters: number }, NoteVectors> = {
  definition: { name: 'notes', textFields: { body: 1 }, keyFields: [], numberFields: ['letters'] },
  embedding: NOTE_EMBEDDING,
  longColumns: ['body'],
  valueColumns: [],
  numberColumns: ['is_hidden'],
  beside: () => sql`length(d.body) as letters`,
  besideNames: ['letters'],
  isGone: ({ is_hidden }) => is_hidden === 1,
  numbersOf: ({ letters }) => ({ letters }),
  valuesOf: ({ id }) => ({ group: id, keys: {} }),
  textOf({ body }) {
    if (body === 'damaged') throw new Error('no document can be made of it')
    return { language: 'en', text: { body: [body] } }
  },
}

async function createTables({ queries, portable }: Database): Promise<void> {
  const { key, bytes } = columnTypes(portable.name)
  await sql`create table notes (
    tenant_id ${key} not null, id ${key} not null, edition integer not null, body text not null, motto text,
    embedding_model text, is_hidden integer not null, updated_at bigint not null, seq bigint not null,
    text_seq bigint not null, primary key (tenant_id, id))`.execute(queries)
  await sql`create table note_vectors (
    tenant_id ${key} not null, note_id ${key} not null, model ${key} not null, vectors ${bytes} not null,
    motto ${bytes}, text_hashes ${bytes}, primary key (tenant_id, note_id, model))`.execute(queries)
  await sql`create table note_tombstones (
    tenant_id ${key} not null, note_id ${key} not null, seq bigint not null, primary key (tenant_id, note_id))`.execute(
    queries,
  )
}

onEachDatabase('a third kind of documents, defined over its own tables', (kind) => {
  let place: TestDatabase
  let database: Database
  const embedders = new EmbedderPool({ provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null })
  const target = storedTarget(NOTE_EMBEDDING)
  const embed = async (text: string) => (await embedders.of(BUILTIN_ID)!.embed([text], 'passage'))[0]

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
    await createTables(database)
    for (const id of ['a', 'b']) await createTenant(database, { id, name: id, host: null })
  })
  after(async () => {
    await database.close()
    await place.remove()
    await embedders.close()
  })

  /** Stores a note of tenant `a` with its vectors or its job. @returns its row */
  const write = (id: string, body: string, fields: Partial<NoteRow> = {}): Promise<NoteRow> =>
    database.write(async (tx) => {
      const { seq, ...models } = await advanceWatermark(tx, 'a')
      const plain = { tenant_id: 'a', id, edition: 1, body, motto: null, embedding_model: null, is_hidden: 0 }
      const row: NoteRow = { ...plain, updated_at: 0, seq, text_seq: seq, ...fields }
      const vectors = await planVectors(NOTE_EMBEDDING, embedders, [row], models)
      const stored = { ...row, embedding_model: vectors.modelOf(id) }
      await sql`delete from notes where tenant_id = 'a' and id = ${id}`.execute(tx)
      const names = Object.keys(stored).map((name) => sql.ref(name))
      await sql`insert into notes (${sql.join(names)}) values (${sql.join(Object.values(stored))})`.execute(tx)
      await vectors.store(tx)
      return stored
    })
  const drain = () =>
    new EmbeddingQueue({ database, embedders, targets: [target], log: { warn() {} } }).drain([BUILTIN_ID])
  const changesSince = async (after: number, model: string | null = BUILTIN_ID): Promise<IndexChange[]> => {
    const version = { tenantId: 'a', index: 'notes', model, watermark: Number.MAX_SAFE_INTEGER }
    const changes: IndexChange[] = []
    for await (const batch of indexSource(database, SEARCHABLE_NOTES).changes(version, after)) changes.push(...batch)
    return changes
  }

  test('has a short document embedded within its write, and read for the index with the values beside it', async () => {
    const row = await write('short', 'Ten lamps')
    assert.equal(row.embedding_model, BUILTIN_ID)
    const [change] = await changesSince(row.seq - 1)
    assert.ok('put' in change)
    const { text, numbers, passages } = change.put
    assert.deepEqual([text, numbers], [{ body: ['Ten lamps'] }, { letters: 9 }])
    assert.deepEqual(passages, [{ vector: await embed('Ten lamps'), start: 0, end: 9 }])
    const [bare] = await changesSince(row.seq - 1, 'another')
    assert.deepEqual('put' in bare && bare.put.passages, [])
  })

  test('has a long document embedded by the queue, which stamps it for the index', async () => {
    const body = 'lamp '.repeat(SHORT_MAX)
    const row = await write('long', body)
    assert.equal(row.embedding_model, null)
    assert.equal((await countJobs(database.queries, 'a', BUILTIN_ID)).pending, 1)
    assert.equal(await drain(), 1)
    const changes = await changesSince(row.seq)
    assert.equal(changes.length, 1)
    assert.deepEqual('put' in changes[0] && changes[0].put.passages.length, 1)
  })

  test('loses the vectors of an earlier text, and the queue stores none for a text that has changed', async () => {
    await write('moving', 'first')
    const long = await write('moving', 'x'.repeat(SHORT_MAX + 1), { edition: 2 })
    const [before] = await changesSince(long.seq - 1)
    assert.deepEqual('put' in before && before.put.passages, [])
    const [item] = await target.load(database.queries, 'a', ['moving'], { id: BUILTIN_ID })
    await write('moving', 'third', { edition: 3 })
    const saved = await database.write((tx) => target.save(tx, 'a', BUILTIN_ID, item, allOf(new Float32Array(1)), 99))
    assert.equal(saved, false)
    await drain()
  })

  test('takes hidden and deleted documents out of the index, and counts unreadable ones', async () => {
    const { seq } = await write('hidden', 'h', { is_hidden: 1 })
    await write('broken', 'damaged')
    await database.write(async (tx) => {
      const { seq: gone } = await advanceWatermark(tx, 'a')
      await sql`insert into note_tombstones values ('a', 'deleted', ${gone})`.execute(tx)
    })
    assert.deepEqual(await changesSince(seq - 1), [
      { seq, remove: 'hidden' },
      { seq: seq + 1, unreadable: 'broken' },
      { seq: seq + 2, remove: 'deleted' },
    ])
  })

  test('has the values of changed documents read without their texts, page after page', async () => {
    const { values } = indexSource(database, SEARCHABLE_NOTES)
    const { seq: after } = await write('first', 'one')
    const written = [await write('moved', 'two'), await write('hidden', 'h', { is_hidden: 1 })]
    const moved = await write('moved', 'two', { text_seq: written[0].seq })
    await database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, 'a')
      await sql`insert into note_tombstones values ('a', 'gone', ${seq})`.execute(tx)
    })
    const version = { tenantId: 'a', index: 'notes', model: BUILTIN_ID, watermark: moved.seq + 1 }
    const changes: ValueChange[] = []
    for await (const batch of values.changes(version, after)) changes.push(...batch)
    const [hidden, put, gone] = changes
    assert.deepEqual(
      [hidden, gone],
      [
        { seq: written[1].seq, remove: 'hidden' },
        { seq: moved.seq + 1, remove: 'gone' },
      ],
    )
    assert.ok('rest' in put)
    const { rest, textBytes, signature: _signature, ...own } = put
    const { seq, text_seq: textSeq } = moved
    assert.deepEqual(own, { id: 'moved', seq, textSeq, changedAt: 0, numbers: { letters: 3 } })
    assert.deepEqual([rest(), (textBytes ?? 0) > 'two'.length], [{ group: 'moved', keys: {} }, true])
    const [later] = (await Array.fromAsync(values.changes(version, moved.seq - 1))).flat()
    assert.equal('rest' in later && later.textBytes, null, 'the text has not changed since')
    const [document] = await values.documents(version, ['moved', 'nowhere'], moved.seq)
    assert.ok('put' in document && document.put.passages.length === 1)
    assert.equal(document.textSeq, textSeq)
    assert.deepEqual([(await values.count(version, 100)) >= 3, await values.count(version, 2)], [true, 2])
  })

  test('has as its anchor the vector of the text written for it, else the mean of its passages', async () => {
    const anchorOf = (row: NoteRow, model: string | null) => findAnchor(database.queries, NOTE_EMBEDDING, row, model)
    const plain = await write('plain', 'Ten lamps')
    const anchored = await write('anchored', 'Ten lamps', { motto: 'Light' })
    assert.deepEqual(await anchorOf(anchored, BUILTIN_ID), await embed('Light'))
    const mean = (await anchorOf(plain, BUILTIN_ID))!
    const alone = await embed('Ten lamps')
    for (const [i, component] of mean.entries()) assert.ok(Math.abs(component - alone[i]) < 1e-6)
    assert.equal(await anchorOf(plain, null), null)
    assert.equal(await anchorOf(plain, 'another'), null)
    assert.equal(await anchorOf({ ...plain, tenant_id: 'b' }, BUILTIN_ID), null)
  })

  test('moves from one model to another, one tenant at a time', async () => {
    const { queries } = database
    const { items, embedded } = await target.count(queries, 'a', BUILTIN_ID)
    assert.ok(items > 4)
    assert.equal(embedded, items)
    assert.deepEqual(await target.count(queries, 'a', 'next'), { items, embedded: 0 })
    assert.deepEqual(await target.count(queries, 'b', BUILTIN_ID), { items: 0, embedded: 0 })
    const missing = await target.missing(queries, 'a', 'next', '', 1_000)
    assert.equal(missing.length, items)
    assert.deepEqual(await target.missing(queries, 'a', 'next', missing[0], 2), missing.slice(1, 3))
    assert.deepEqual(await target.missing(queries, 'a', BUILTIN_ID, '', 1_000), [])

    const [item] = await target.load(queries, 'a', ['plain'], { id: 'next' })
    const vectors = allOf(Float32Array.of(1, 0))
    const modelOf = async (id: string) =>
      (
        await sql<{ model: string | null }>`select embedding_model as model from notes where id = ${id}`.execute(
          queries,
        )
      ).rows[0].model
    await database.write((tx) => target.save(tx, 'a', 'next', item, vectors, 1))
    assert.equal(await modelOf('plain'), BUILTIN_ID)
    await database.write((tx) => target.activate(tx, 'a', 'next'))
    assert.deepEqual([await modelOf('plain'), await modelOf('short')], ['next', null])

    assert.equal(await database.write((tx) => target.forgetOthers(tx, 'a', 'next', items - 1)), items - 1)
    assert.equal(await database.write((tx) => target.forgetOthers(tx, 'a', 'next', items)), 1)
    assert.deepEqual(await target.count(queries, 'a', BUILTIN_ID), { items, embedded: 0 })
    assert.deepEqual(await target.count(queries, 'a', 'next'), { items, embedded: 1 })
  })

  test('tells a database that goes on from one that was set back and wrote other changes with the same numbers', async () => {
    const history = indexSource(database, SEARCHABLE_NOTES).history!
    const audit = (id: string) =>
      database.write(async (tx) => {
        const what = { action: 'create', resource_type: 'note', resource_id: 'x', at: 0, source: 'api' }
        await tx
          .insertInto('audit_log')
          .values({ ...what, tenant_id: 'a', id, ...NOBODY })
          .execute()
      })
    await audit('audit-1')
    const first = await write('marked', 'one')
    const mark = await history.mark('a', first.seq)
    assert.equal(await history.contains('a', mark), true)
    assert.equal(await history.contains('b', mark), false)
    await write('marked', 'two')
    await write('later', 'three')
    await audit('audit-2')
    assert.equal(await history.contains('a', mark), true, 'the youngest document has changed since')
    const younger = await history.mark('a', first.seq)
    await sql`delete from audit_log where id = 'audit-2'`.execute(database.queries)
    assert.equal(await history.contains('a', younger), false, 'its audit record is gone')
    await sql`update notes set seq = ${first.seq - 1} where id = 'marked'`.execute(database.queries)
    assert.equal(await history.contains('a', mark), false, 'the youngest document was not written yet')
    await sql`delete from notes where id = 'marked'`.execute(database.queries)
    assert.equal(await history.contains('a', mark), false, 'it is gone without a trace')
    await database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, 'a')
      await sql`insert into note_tombstones values ('a', 'marked', ${seq})`.execute(tx)
    })
    assert.equal(await history.contains('a', mark), true, 'it was deleted')
    assert.equal(await history.follows('a', mark), true, 'nothing of it was set back')
    assert.equal(await history.follows('a', younger), false, 'it was set back to before the audit record')
    await sql`delete from audit_log where tenant_id = 'a' and id <= 'audit-1'`.execute(database.queries)
    await audit('audit-3')
    assert.equal(await history.contains('a', mark), false, 'the audit log was swept past the mark')
    assert.equal(await history.follows('a', mark), true, 'the youngest document knows')
    await sql`delete from note_tombstones where note_id = 'marked'`.execute(database.queries)
    assert.equal(await history.follows('a', mark), false, 'the youngest document is gone without a trace')
  })

  test('has its changes read along indexes, one statement for each reading, like entries and products', async () => {
    const seen = watched(database)
    const version = { tenantId: 'a', model: BUILTIN_ID }
    for (const kind of [SEARCHABLE_ENTRIES, SEARCHABLE_PRODUCTS]) {
      const { embedding, longColumns, beside } = kind
      const { tables, passageColumns: vectorColumns } = embedding
      const after = { seq: 0, id: 'x' }
      await listChanges(seen.database, version, tables, longColumns, { after, limit: 100 })
      const { valueColumns, numberColumns, besideNames } = kind
      const columns = [...valueColumns, ...numberColumns]
      const listed = { columns, beside, besideNames, longColumns }
      await listValues(seen.database, version, tables, listed, { after, limit: 100 })
      const range = { ids: ['x', 'y'], last: 9 }
      await readChanged(seen.database, version, tables, { vectorColumns, beside }, range)
    }
    assert.equal(seen.statements.length, 2 * 3)
    // A step by the tenant alone would visit all of the tenant's rows once for each document.
    const sqlite = /^(?![^]*\(tenant_id=\?\)(?:\n|$))[^]*USING (?:COVERING )?INDEX/
    await assertPlans(database, seen.statements, { sqlite, postgres: /Index/ })
  })
})
