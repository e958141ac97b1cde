/** Tests that both search engines behave alike behind the interface `SearchEngine`. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startPgvector, whyNoPgvector } from '../../test/support/pgvector.ts'
import { openDatabase } from '../platform/database/database.ts'
import { type EngineForRequests, EngineUnavailable, type IndexVersion, type SearchRequest } from './engine.ts'
import { MemoryEngine } from './memory/host/engine.ts'
import { PgvectorEngine } from './pgvector/engine.ts'
import { dropReplica, everyReplica } from './pgvector/replicas.ts'
import { plainSearch } from '../../test/support/search/plain-search.ts'

const SOURCE = new URL('../../test/support/search/source.ts', import.meta.url).href

/** A kind of engine to test. */
interface Kind {
  readonly name: string
  /** Reason why this machine cannot test the kind; false if it can. */
  readonly skip: string | false
  open(folder: string): Promise<OpenEngine>
}

interface OpenEngine {
  readonly engine: EngineForRequests & { close(): Promise<void> }
  /** Builds the index, without a search where the engine can. */
  build(version: IndexVersion): Promise<void>
  /** Drops the tenant's indexes and replicas. */
  drop(tenantId: string): Promise<void>
  stop(): Promise<void>
}

const KINDS: readonly Kind[] = [
  {
    name: 'in memory',
    skip: false,
    open: (folder) => {
      const engine = new MemoryEngine({ sourceModule: SOURCE, sourceOptions: { folder }, bytesMax: 64 * 2 ** 20 })
      return Promise.resolve({
        engine,
        build: async (version) => void (await engine.search(plainSearch(version, 'lamp'))),
        drop: (tenantId) => engine.drop(tenantId),
        stop: () => Promise.resolve(),
      })
    },
  },
  {
    name: 'on PostgreSQL with pgvector',
    skip: whyNoPgvector(),
    async open(folder) {
      const server = await startPgvector()
      const place = { dataDir: folder, databaseUrl: server.url }
      const database = openDatabase(place)
      const engine = new PgvectorEngine(
        { sourceModule: SOURCE, database: place, buildWaitMs: 60_000, catchUpWaitMs: 60_000, freshWaitMs: 60_000 },
        { warn: () => undefined },
      )
      return {
        engine,
        build: (version) => engine.warm(version),
        async drop(tenantId) {
          const replicas = await everyReplica(database)
          for (const each of replicas) if (each.tenantId === tenantId) await dropReplica(database, each)
        },
        async stop() {
          await database.close()
          await server.stop()
        },
      }
    },
  },
]

for (const { name, skip, open } of KINDS) {
  describe(`a search engine ${name}`, { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-conformance-'))
    let engine: OpenEngine['engine']
    let build: OpenEngine['build']
    let drop: OpenEngine['drop']
    let stop: OpenEngine['stop']

    before(async () => {
      const opened = await open(folder)
      engine = opened.engine
      build = opened.build
      drop = opened.drop
      stop = opened.stop
    })
    after(async () => {
      await engine?.close()
      await stop?.()
      rmSync(folder, { recursive: true })
    })

    const write = (tenantId: string, changes: readonly object[]): void =>
      writeFileSync(join(folder, `${tenantId}.json`), JSON.stringify(changes))

    const requestOf = (tenantId: string, watermark: number, query: string): SearchRequest =>
      plainSearch({ tenantId, index: 'things', model: null, watermark, engine: 'pgvector' }, query)

    const idsFor = async (tenantId: string, watermark: number, query: string): Promise<string[]> => {
      const { hits } = await engine.search(requestOf(tenantId, watermark, query))
      return hits.map((hit) => hit.id)
    }

    /** Returns another word for each number, without digits, because analysis would split off digits as a part. */
    const wordOf = (n: number): string => `zw${String.fromCharCode(97 + n)}ck`

    test('a search sees every change up to its watermark', async () => {
      const changes: object[] = []
      for (let seq = 1; seq <= 20; seq++) {
        changes.push({ seq, id: `a${seq}`, title: `lamp ${wordOf(seq)}` })
        write('a', changes)
        assert.deepEqual(await idsFor('a', seq, wordOf(seq)), [`a${seq}`])
      }
      write('a', [...changes, { seq: 21, remove: 'a3' }])
      assert.deepEqual(await idsFor('a', 21, wordOf(3)), [])
    })

    test('searches that arrive together, before the index is there, all get their own answers', async () => {
      write(
        'waves',
        Array.from({ length: 20 }, (_, i) => ({ seq: i + 1, id: `w${i}`, title: `lamp ${wordOf(i)}` })),
      )
      const searches = Array.from({ length: 60 }, async (_, i) => {
        const { hits } = await engine.search(requestOf('waves', 20, wordOf(i % 20)))
        assert.deepEqual(
          hits.map(({ id, seq }) => [id, seq]),
          [[`w${i % 20}`, (i % 20) + 1]],
        )
      })
      await Promise.all(searches)
    })

    test('documents of a tenant are found only by its own searches', async () => {
      write('left', [{ seq: 1, id: 'one', title: 'shared secretleft' }])
      write('right', [{ seq: 1, id: 'two', title: 'shared secretright' }])
      const [left, right, none] = await Promise.all([
        idsFor('left', 1, 'shared'),
        idsFor('right', 1, 'shared'),
        idsFor('left', 1, 'secretright'),
      ])
      assert.deepEqual([left, right, none], [['one'], ['two'], []])
    })

    test('a failing source makes its own searches unavailable, and no others', async () => {
      write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
      const [broken, well] = await Promise.allSettled([idsFor('broken', 1, 'lamp'), idsFor('well', 1, 'lamp')])
      assert.equal(well.status, 'fulfilled')
      assert.ok(broken.status === 'rejected' && broken.reason instanceof EngineUnavailable)
      assert.match(broken.reason.message, /the database is away/)
    })

    test('a search for an unknown field is refused, and searches beside it are answered', async () => {
      write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
      const wrong = { ...requestOf('well', 1, 'lamp'), filter: { field: 'nonsense', anyOf: [] } }
      const [refused, well] = await Promise.allSettled([engine.search(wrong), idsFor('well', 1, 'lamp')])
      assert.ok(refused.status === 'rejected' && refused.reason instanceof RangeError)
      assert.equal(well.status, 'fulfilled')
    })

    test('answers, explanations and passages come whole through the thread', async () => {
      const request = { ...requestOf('big', 6_000, 'word7'), vector: Float32Array.of(1, 2, 3), explain: true, limit: 2 }
      const { hits, total, timing } = await engine.search(request)
      assert.ok(total >= 2 && timing.refresh >= 0 && timing.search > 0)
      assert.equal(hits.length, 2)
      for (const hit of hits) {
        assert.ok(hit.similarity > 0 && hit.score === hit.explanation?.bm25)
        assert.equal(hit.explanation.terms[0].term, 'word7')
        assert.equal(hit.explanation.passage?.index, 0)
      }
    })

    test('an index is built, counted, dropped, and built again for the next search', async () => {
      write('kept', [{ seq: 1, id: 'fine', title: 'lamp' }])
      await build({ tenantId: 'kept', index: 'things', model: null, watermark: 1, engine: 'pgvector' })
      const built = await engine.status('kept')
      assert.deepEqual([built.indexes, built.documents], [1, 1])
      await drop('kept')
      assert.equal((await engine.status('kept')).indexes, 0)
      assert.deepEqual(await idsFor('kept', 1, 'lamp'), ['fine'])
    })

    test('searches after closing are refused as unavailable', async () => {
      await engine.close()
      await assert.rejects(engine.search(requestOf('well', 1, 'lamp')), EngineUnavailable)
    })
  })
}
