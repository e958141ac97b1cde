import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { IndexBuilding, type IndexDocument, type IndexSource, type SearchRequest } from '../engine.ts'
import { type PgvectorServer, startPgvector, whyNoPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { ReplicaHost } from './replica-host.ts'

describe('the host of replicas', { skip: whyNoPgvector() }, () => {
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

  const documentOf = (id: string, title: string, vector?: readonly number[]): IndexDocument => ({
    id,
    language: 'en',
    changedAt: 1,
    group: id,
    text: { title: [title] },
    keys: { level: [id.startsWith('secret') ? 'secret' : 'public'] },
    numbers: {},
    passages: vector === undefined ? [] : [{ vector: Float32Array.from(vector), start: 0, end: 4 }],
  })
  const requestOf = (source: ChangingSource, tenantId: string, query: string): SearchRequest => ({
    version: source.versionOf(tenantId),
    mode: 'keyword',
    query,
    vector: null,
    visible: { field: 'level', anyOf: ['public'] },
    filter: { all: [] },
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0.5,
    groups: null,
    explain: true,
  })
  const idsFor = async (host: ReplicaHost, request: SearchRequest): Promise<string[]> =>
    (await host.search(request)).hits.map(({ id }) => id).sort()

  test('a document whose vector has another size is counted and not found, until it is written well', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source])
    source.put('sizes', documentOf('first', 'lamp', [1, 2, 3]))
    source.put('sizes', documentOf('wrong', 'lamp', [1, 2]))
    assert.deepEqual(await idsFor(host, requestOf(source, 'sizes', 'lamp')), ['first'])
    assert.equal((await host.status('sizes')).unreadable, 1)
    source.put('sizes', documentOf('wrong', 'lamp', [3, 2, 1]))
    assert.deepEqual(await idsFor(host, requestOf(source, 'sizes', 'lamp')), ['first', 'wrong'])
    assert.equal((await host.status('sizes')).unreadable, 0)
  })

  test('a replica of a database that was set back is built anew', async () => {
    const lost = new ChangingSource(DEFINITION)
    lost.put('past', documentOf('lost', 'lamp'))
    await idsFor(new ReplicaHost(database, [lost]), requestOf(lost, 'past', 'lamp'))
    const source = new ChangingSource(DEFINITION)
    source.put('past', documentOf('kept', 'lamp'))
    const history = { mark: () => Promise.resolve('now'), contains: () => Promise.resolve(false) }
    const host = new ReplicaHost(database, [withHistory(source, history)])
    assert.deepEqual(await idsFor(host, requestOf(source, 'past', 'lamp')), ['kept'])
  })

  test('a replica that another version of the program made is built anew', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source])
    source.put('format', documentOf('one', 'lamp'))
    assert.deepEqual(await idsFor(host, requestOf(source, 'format', 'lamp')), ['one'])
    await sql`update search_replicas.replicas set format = 0 where tenant_id = 'format'`.execute(database.queries)
    assert.deepEqual(await idsFor(host, requestOf(source, 'format', 'lamp')), ['one'])
  })

  test('a search that may not wait says how far the replica is, and a later one finds it built', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source], { buildWaitMs: 0 })
    source.put('soon', documentOf('one', 'lamp'))
    await assert.rejects(host.search(requestOf(source, 'soon', 'lamp')), IndexBuilding)
    await host.warm(source.versionOf('soon'))
    assert.deepEqual(await idsFor(host, requestOf(source, 'soon', 'lamp')), ['one'])
  })

  test('while the replica of a new model is built, words find all that is there in the one of the former model', async () => {
    const source = new ChangingSource(DEFINITION)
    source.put('models', documentOf('one', 'lamp', [1, 2, 3]))
    const former = new ReplicaHost(database, [source])
    await former.warm(source.versionOf('models', 'former'))
    const isBuilt = Promise.withResolvers<void>()
    const held: IndexSource = {
      definition: source.definition,
      async *changes(version, from) {
        if (version.model === 'new') await isBuilt.promise
        yield* source.changes(version, from)
      },
    }
    const host = new ReplicaHost(database, [held], { buildWaitMs: 0 })
    source.put('models', documentOf('two', 'lamp', [3, 2, 1]))
    const request: SearchRequest = {
      ...requestOf(source, 'models', 'lamp'),
      version: source.versionOf('models', 'new'),
      mode: 'semantic',
      vector: Float32Array.of(1, 2, 3),
    }
    const { hits, isExact } = await host.search(request)
    assert.deepEqual([hits.map(({ id }) => id).sort(), isExact], [['one', 'two'], false])
    isBuilt.resolve()
    await host.warm(request.version)
    const after = await host.search(request)
    assert.deepEqual([after.hits[0].id, after.isExact], ['one', true])
    assert.equal((await host.status('models')).indexes, 1)
  })

  test('a word that very many visible documents have is counted in a sample, and hidden ones move no count', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    const host = new ReplicaHost(database, [source])
    for (let n = 0; n < 4_500; n++) source.put('many', documentOf(`d${n}`, n === 0 ? 'lamp chair' : 'lamp'))
    const scoreOf = async (): Promise<{ idf: number; isExact: boolean | undefined }> => {
      const { hits, isExact } = await host.search(requestOf(source, 'many', 'lamp chair'))
      assert.equal(hits[0].id, 'd0')
      const [{ idf }, chair] = hits[0].explanation!.terms
      assert.ok(chair.idf > 5)
      return { idf, isExact }
    }
    const before = await scoreOf()
    assert.equal(before.isExact, false)
    // All documents have the word, so its idf is next to nothing in any fair sample.
    assert.ok(before.idf < 0.5)
    for (let n = 0; n < 200; n++) source.put('many', documentOf(`secret${n}`, 'lamp chair'))
    assert.deepEqual(await scoreOf(), before)
  })
})

function withHistory(source: ChangingSource, history: NonNullable<IndexSource['history']>): IndexSource {
  return { definition: source.definition, changes: (version, after) => source.changes(version, after), history }
}
