import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import {
  EngineUnavailable,
  IndexBuilding,
  type IndexChange,
  type IndexDocument,
  type IndexSource,
  type SearchRequest,
  SearchTimedOut,
} from '../engine.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { ReplicaHost } from './replica-host.ts'
import { plainSearch } from '../../../test/support/search/plain-search.ts'
import { valuesOf } from '../../../test/support/search/values.ts'
import { until } from '../../../test/support/patience.ts'

describe('the host of replicas', { skip: whyNoPgvector() }, () => {
  let database: Database

  withPgvector((opened) => {
    database = opened
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
    ...plainSearch(source.versionOf(tenantId), query),
    visible: { field: 'level', anyOf: ['public'] },
    explain: true,
  })
  const byMeaningOf = (source: ChangingSource, tenantId: string, vector: readonly number[]): SearchRequest => ({
    ...requestOf(source, tenantId, ''),
    mode: 'semantic',
    limit: 20,
    vector: Float32Array.from(vector, (value) => value / Math.hypot(...vector)),
  })
  const idsFor = async (host: ReplicaHost, request: SearchRequest): Promise<string[]> =>
    (await host.search(request)).hits.map(({ id }) => id).sort()

  test('a document whose vector has another size is counted and found by words alone, until it is written well', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source])
    source.put('sizes', documentOf('first', 'lamp', [1, 2, 3]))
    source.put('sizes', documentOf('wrong', 'lamp', [1, 2]))
    source.put('sizes', documentOf('broken', 'lamp', [NaN, 1, 2]))
    const byWords = () => idsFor(host, requestOf(source, 'sizes', 'lamp'))
    const byMeaning = () => idsFor(host, byMeaningOf(source, 'sizes', [1, 2, 3]))
    assert.deepEqual(await byWords(), ['broken', 'first', 'wrong'])
    assert.deepEqual(await byMeaning(), ['first'])
    assert.equal((await host.status('sizes')).unreadable, 2)
    source.put('sizes', documentOf('wrong', 'lamp', [3, 2, 1]))
    source.remove('sizes', 'broken')
    assert.deepEqual(await byWords(), ['first', 'wrong'])
    assert.deepEqual(await byMeaning(), ['first', 'wrong'])
    assert.equal((await host.status('sizes')).unreadable, 0)
  })

  test('documents whose rows cannot be read are counted from the build on, and found once their rows can be read', async () => {
    const changes: IndexChange[] = [
      { seq: 1, put: documentOf('first', 'lamp') },
      { seq: 2, unreadable: 'second' },
    ]
    const listed = (after: number) => [changes.filter(({ seq }) => seq > after)]
    const source: IndexSource = {
      definition: DEFINITION,
      async *changes(_version, after) {
        yield* await Promise.resolve(listed(after))
      },
      values: valuesOf((_version, after) => listed(after)),
    }
    const host = new ReplicaHost(database, [source])
    const found = () => {
      const version = { ...new ChangingSource(DEFINITION).versionOf('rows'), watermark: changes.length }
      return idsFor(host, plainSearch(version, 'lamp'))
    }
    const count = async () => (await host.status('rows')).unreadable
    assert.deepEqual([await found(), await count()], [['first'], 1])
    changes.push({ seq: 3, unreadable: 'third' })
    assert.deepEqual([await found(), await count()], [['first'], 2])
    changes.push({ seq: 4, unreadable: 'first' })
    assert.deepEqual([await found(), await count()], [[], 3])
    for (const id of ['first', 'second', 'third']) {
      changes.push({ seq: changes.length + 1, put: documentOf(id, 'lamp') })
    }
    assert.deepEqual([await found(), await count()], [['first', 'second', 'third'], 0])
  })

  for (const exactMax of [undefined, 0]) {
    const how = exactMax === 0 ? 'that the index of vectors chooses' : 'that are all ranked'
    test(`documents ${how} are found by words while their vectors get another length, and then by meaning`, async () => {
      const tenantId = `lengths-${exactMax}`
      const source = new ChangingSource(DEFINITION)
      const host = new ReplicaHost(database, [source], { exactMax })
      const ids = Array.from({ length: 100 }, (_, n) => `d${n}`)
      const byWords = async () => (await host.search(requestOf(source, tenantId, 'lamp'))).total
      const byMeaning = async (vector: readonly number[]) =>
        (await host.search(byMeaningOf(source, tenantId, vector))).total
      for (const id of ids) source.put(tenantId, documentOf(id, 'lamp', [1, 2, 3]))
      assert.deepEqual([await byWords(), await byMeaning([1, 2, 3])], [100, 100])
      for (const id of ids.slice(1)) {
        source.put(tenantId, documentOf(id, 'lamp', [1, 2]))
        if (id === 'd60') assert.deepEqual([await byWords(), await byMeaning([1, 2, 3])], [100, 40])
      }
      // One document still has a vector of the former length.
      assert.deepEqual([await byWords(), await byMeaning([1, 2, 3])], [100, 1])
      assert.equal((await host.status(tenantId)).unreadable, 99)
      source.put(tenantId, documentOf('d0', 'lamp', [1, 2]))
      assert.equal(await byWords(), 100)
      const restarted = new ReplicaHost(database, [source], { exactMax })
      await restarted.warm(source.versionOf(tenantId))
      assert.equal(await byMeaning([1, 2]), 100)
      assert.equal((await restarted.status(tenantId)).unreadable, 0)
    })
  }

  /** Makes a history whose marks are numbers that increase. */
  const countingHistory = (follows: (mark: number) => boolean | Promise<boolean>) => {
    let marks = 0
    return {
      mark: () => Promise.resolve(String(++marks)),
      contains: () => assert.fail('a replica keeps no words of what is gone'),
      follows: async (_tenantId: string, mark: string) => follows(Number(mark)),
    }
  }

  test('a replica of a database that was set back is built anew', async () => {
    const lost = new ChangingSource(DEFINITION)
    lost.put('past', documentOf('lost', 'lamp'))
    const history = countingHistory(() => false)
    await idsFor(new ReplicaHost(database, [withHistory(lost, history)]), requestOf(lost, 'past', 'lamp'))
    const source = new ChangingSource(DEFINITION)
    source.put('past', documentOf('kept', 'lamp'))
    let calls = 0
    const setBack = countingHistory(() => calls++ > 0)
    const host = new ReplicaHost(database, [withHistory(source, setBack)])
    assert.deepEqual(await idsFor(host, requestOf(source, 'past', 'lamp')), ['kept'])
  })

  test('a replica whose build was interrupted by a restore is begun anew', async () => {
    const lost = new ChangingSource(DEFINITION, 1)
    for (const id of ['a', 'b', 'c']) lost.put('half', documentOf(id, 'lamp'))
    const broken: IndexSource = {
      ...withHistory(
        lost,
        countingHistory(() => true),
      ),
      async *changes(version, from) {
        let read = 0
        for await (const batch of lost.changes(version, from)) {
          if (read++ === 2) throw new Error('the database is away')
          yield batch
        }
      },
    }
    await assert.rejects(new ReplicaHost(database, [broken]).warm(lost.versionOf('half')))
    const source = new ChangingSource(DEFINITION)
    for (const id of ['x', 'y', 'z']) source.put('half', documentOf(id, 'lamp'))
    let calls = 0
    const host = new ReplicaHost(database, [
      withHistory(
        source,
        countingHistory(() => calls++ > 0),
      ),
    ])
    assert.deepEqual(await idsFor(host, requestOf(source, 'half', 'lamp')), ['x', 'y', 'z'])
  })

  test('each change renews the mark of a replica, so a restart finds it whatever became of older marks', async () => {
    const source = new ChangingSource(DEFINITION)
    let oldest = 0
    const history = countingHistory((mark) => mark > oldest)
    const start = () => new ReplicaHost(database, [withHistory(source, history)], { buildWaitMs: 0 })
    source.put('renewed', documentOf('one', 'lamp'))
    const first = start()
    await first.warm(source.versionOf('renewed'))
    oldest = Number(await history.mark())
    source.put('renewed', documentOf('two', 'lamp'))
    await idsFor(first, requestOf(source, 'renewed', 'lamp'))
    assert.deepEqual(await idsFor(start(), requestOf(source, 'renewed', 'lamp')), ['one', 'two'])
  })

  test('a process with an older view does not drop a replica that another one has built anew meanwhile', async () => {
    const source = new ChangingSource(DEFINITION)
    source.put('raced', documentOf('one', 'lamp'))
    let oldest = 0
    const history = countingHistory((mark) => mark > oldest)
    const start = (more: ReturnType<typeof countingHistory> = history) =>
      new ReplicaHost(database, [withHistory(source, more)], { buildWaitMs: 0 })
    await start().warm(source.versionOf('raced'))
    oldest = Number(await history.mark())
    const slow = {
      ...history,
      async follows(tenantId: string, mark: string) {
        const isOfPast = await history.follows(tenantId, mark)
        if (!isOfPast) await start().warm(source.versionOf('raced'))
        return isOfPast
      },
    }
    assert.deepEqual(await idsFor(start(slow), requestOf(source, 'raced', 'lamp')), ['one'])
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

  test('a search waits a bounded time for changes that take long to read, and a later one finds them', async () => {
    const source = new ChangingSource(DEFINITION)
    const isRead = Promise.withResolvers<void>()
    const slowSource: IndexSource = {
      ...sameAs(source),
      values: {
        ...source.values,
        async *changes(version, from) {
          await isRead.promise
          yield* source.values.changes(version, from)
        },
      },
    }
    const host = new ReplicaHost(database, [slowSource], { catchUpWaitMs: 100 })
    source.put('behind', documentOf('one', 'lamp'))
    assert.deepEqual(await idsFor(host, requestOf(source, 'behind', 'lamp')), ['one'])
    source.put('behind', documentOf('two', 'lamp'))
    await assert.rejects(host.search(requestOf(source, 'behind', 'lamp')), EngineUnavailable)
    isRead.resolve()
    await host.warm(source.versionOf('behind'))
    assert.deepEqual(await idsFor(host, requestOf(source, 'behind', 'lamp')), ['one', 'two'])
  })

  test('a search ends though the database does not say how far the replica is', async () => {
    const source = new ChangingSource(DEFINITION)
    const history = countingHistory(() => true)
    source.put('hanging', documentOf('one', 'lamp'))
    await new ReplicaHost(database, [withHistory(source, history)]).warm(source.versionOf('hanging'))
    const hanging = { ...history, follows: () => new Promise<boolean>(() => undefined) }
    const waits = { buildWaitMs: 0, catchUpWaitMs: 10, freshWaitMs: 0 }
    const host = new ReplicaHost(database, [withHistory(source, hanging)], waits)
    await assert.rejects(host.search(requestOf(source, 'hanging', 'lamp')), SearchTimedOut)
  })

  test('a tenant that went back to memory is searched in the replica that is there, and none is built for it', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source])
    source.put('back', documentOf('one', 'lamp'))
    const leaving = (): SearchRequest => {
      const request = requestOf(source, 'back', 'lamp')
      return { ...request, version: { ...request.version, engine: 'memory' } }
    }
    await assert.rejects(host.search(leaving()), IndexBuilding)
    assert.equal((await host.status('back')).indexes, 0)
    assert.deepEqual(await idsFor(host, requestOf(source, 'back', 'lamp')), ['one'])
    source.put('back', documentOf('two', 'lamp'))
    assert.deepEqual(await idsFor(host, leaving()), ['one', 'two'])
  })

  test('while the replica of a new model is built, words find all that is there in the one of the former model', async () => {
    const source = new ChangingSource(DEFINITION)
    source.put('models', documentOf('one', 'lamp', [1, 2, 3]))
    const former = new ReplicaHost(database, [source])
    await former.warm(source.versionOf('models', 'former'))
    const isBuilt = Promise.withResolvers<void>()
    const slowSource: IndexSource = {
      ...sameAs(source),
      async *changes(version, from) {
        if (version.model === 'new') await isBuilt.promise
        yield* source.changes(version, from)
      },
    }
    const host = new ReplicaHost(database, [slowSource], { buildWaitMs: 0 })
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

  test('another process knows how far a build has come, and none says that it is done before it is', async () => {
    const source = new ChangingSource(DEFINITION, 1)
    for (let n = 0; n < 4; n++) source.put('quarters', documentOf(`d${n}`, 'lamp'))
    const isRead = Promise.withResolvers<void>()
    const slowSource: IndexSource = {
      ...sameAs(source),
      async *changes(version, from) {
        let read = 0
        for await (const batch of source.changes(version, from)) {
          if (read++ === 3) await isRead.promise
          yield batch
        }
      },
    }
    const building = new ReplicaHost(database, [slowSource], { buildWaitMs: 0 })
    const other = new ReplicaHost(database, [source])
    const request = (): SearchRequest => requestOf(source, 'quarters', 'lamp')
    const percentOf = async (host: ReplicaHost, search: SearchRequest): Promise<number | null> => {
      try {
        await host.search(search)
      } catch (error) {
        if (error instanceof IndexBuilding) return error.percent
        throw error
      }
      return null
    }
    // A tenant of the engine in memory builds no replica, so the search only reads how far the build is.
    const byOther = () => percentOf(other, { ...request(), version: { ...request().version, engine: 'memory' } })
    assert.equal(await percentOf(building, request()), 0)
    await until(async () => (await byOther()) === 50, 'the other process knows of two batches')
    assert.equal(await percentOf(building, request()), 75)
    isRead.resolve()
    await until(async () => {
      const percent = await percentOf(building, request())
      assert.ok(percent === null || percent < 100, `${percent} percent`)
      return percent === null
    }, 'the replica is built')
  })

  test('replicas are built again after they were all dropped', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source])
    source.put('dropped', documentOf('one', 'lamp'))
    assert.deepEqual(await idsFor(host, requestOf(source, 'dropped', 'lamp')), ['one'])
    await sql`drop schema search_replicas cascade`.execute(database.queries)
    await assert.rejects(host.search(requestOf(source, 'dropped', 'lamp')), EngineUnavailable)
    assert.deepEqual(await idsFor(host, requestOf(source, 'dropped', 'lamp')), ['one'])
  })

  test('pages far down an order are reached, and nothing before them is read', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    const host = new ReplicaHost(database, [source])
    const numbered = (n: number): IndexDocument => ({
      ...documentOf(`d${String(n).padStart(4, '0')}`, 'lamp'),
      changedAt: n,
      numbers: { size: 5_000 - n },
    })
    for (let n = 0; n < 3_000; n++) source.put('deep', numbered(n))
    const pageAt = async (offset: number, sort?: SearchRequest['sort']) => {
      const request = { ...requestOf(source, 'deep', ''), mode: 'hybrid' as const, offset, limit: 3 }
      const { hits, total, isExact } = await host.search(sort === undefined ? request : { ...request, sort })
      return { ids: hits.map(({ id }) => id), total: total >= offset + hits.length, isExact }
    }
    const isLowerBound = { total: true, isExact: false }
    const newest = { ids: ['d0499', 'd0498', 'd0497'], ...isLowerBound }
    assert.deepEqual(await pageAt(2_500), newest)
    assert.deepEqual(await pageAt(2_500, { number: 'size', descending: false }), newest)
    const dearest = { ids: ['d2997', 'd2998', 'd2999'], ...isLowerBound }
    assert.deepEqual(await pageAt(2_997, { number: 'size', descending: true }), dearest)
  })

  test('special prices decide the order of thousands of products, on the first page and far down', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    const host = new ReplicaHost(database, [source])
    const idOf = (n: number): string => `d${String(n).padStart(4, '0')}`
    const isOnSale = (n: number): boolean => n % 400 === 7
    // Those on sale are neither cheap without it nor new.
    const priceOf = (n: number): number => (isOnSale(n) ? n / 1_000 : 10_000 - n)
    for (let n = 0; n < 3_000; n++) {
      const numbers = isOnSale(n) ? { size: 90_000, expires: n / 1_000 } : { size: 10_000 - n, expires: 1 }
      source.put('sale', {
        ...documentOf(idOf(n), 'lamp'),
        keys: { level: isOnSale(n) ? ['public', 'sale'] : ['public'] },
        numbers,
      })
    }
    const cheapest = Array.from({ length: 3_000 }, (_, n) => n).toSorted((a, b) => priceOf(a) - priceOf(b))
    const instead = { field: 'expires', where: { field: 'level', anyOf: ['sale'] } }
    for (const descending of [false, true]) {
      const sorted = descending ? cheapest.toReversed() : cheapest
      for (const offset of [0, 1_990, 2_500, 2_980]) {
        const page = { offset, limit: 20, sort: { number: 'size', instead, descending } }
        const { hits } = await host.search({ ...requestOf(source, 'sale', ''), mode: 'hybrid', ...page })
        assert.deepEqual(
          hits.map(({ id }) => id),
          sorted.slice(offset, offset + 20).map(idOf),
        )
      }
    }
  })

  test('of a few letters, documents with all words come alone where there are enough, as of whole words', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    const host = new ReplicaHost(database, [source])
    for (let n = 0; n < 12; n++) source.put('letters', documentOf(`both${n}`, 'x y'))
    for (let n = 0; n < 5; n++) source.put('letters', documentOf(`one${n}`, 'x'))
    for (let n = 0; n < 40; n++) source.put('letters', documentOf(`none${n}`, 'lamp'))
    const allWords = { enough: 10, shareMin: 0.1, bonus: 1 }
    const request = { ...requestOf(source, 'letters', 'x y'), explain: false, prefixLast: true, allWords }
    const { total, isExact } = await host.search(request)
    assert.deepEqual({ total, isExact }, { total: 12, isExact: true })
  })

  test('a page of a search by meaning is full, even if single documents have more passages than are looked at', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source], { exactMax: 0 })
    const long = documentOf('long', 'lamp', [1, 0])
    source.put('passages', { ...long, passages: Array.from({ length: 200 }, () => long.passages[0]) })
    for (let n = 0; n < 5; n++) source.put('passages', documentOf(`d${n}`, 'lamp', [1, 1 + n]))
    const { hits } = await host.search(byMeaningOf(source, 'passages', [1, 0]))
    assert.deepEqual(
      hits.map(({ id }) => id),
      ['long', 'd0', 'd1', 'd2', 'd3', 'd4'],
    )
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

/** Returns the parts of a source, which a test may replace one by one. */
function sameAs(source: ChangingSource): IndexSource {
  const { definition, values } = source
  return { definition, changes: (version, after) => source.changes(version, after), values }
}

function withHistory(source: ChangingSource, history: NonNullable<IndexSource['history']>): IndexSource {
  return { ...sameAs(source), history }
}
