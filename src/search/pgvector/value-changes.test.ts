import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { type Filter, IndexBehind, type IndexChange, type IndexVersion, type SearchRequest } from '../engine.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { naiveSearch, plainAnalyser } from '../../../test/support/search/naive.ts'
import { plainSearch } from '../../../test/support/search/plain-search.ts'
import { assertSameAnswer } from '../../../test/support/search/same-answer.ts'
import { document } from '../../../test/support/search/source.ts'
import { gate, idsOf, priced, secret, steps, upTo, ValueHistory } from '../../../test/support/search/value-history.ts'
import { putOf, valueChangeOf } from '../../../test/support/search/values.ts'
import { ValuedSource } from '../../../test/support/search/valued-source.ts'
import { until } from '../../../test/support/patience.ts'
import { inTier } from '../../../test/support/tier.ts'
import { awaitedAmong } from './awaited-store.ts'
import { applyValues } from './changes-store.ts'
import { ReplicaHost, type ReplicaHostOptions } from './replica-host.ts'
import { dropReplicas } from './replica-store.ts'
import { tablesOf } from './tables-store.ts'

const EVERYTHING: Filter = { all: [] }
const NOT_SECRET: Filter = { not: { field: 'level', anyOf: ['secret'] } }

describe('values of replicas on PostgreSQL with pgvector', { skip: whyNoPgvector() }, () => {
  let database: Database
  let tenants = 0

  withPgvector((opened) => {
    database = opened
  })

  const begin = (batch?: number) => {
    const source = new ValuedSource(DEFINITION, batch)
    const tenantId = `t${tenants++}`
    const version = (): IndexVersion => ({ ...source.versionOf(), tenantId, engine: 'pgvector' })
    const lamps = (more: Partial<SearchRequest> = {}): SearchRequest => ({
      ...plainSearch(version(), 'lamp'),
      limit: 100,
      ...more,
    })
    const statesOf = (ids: readonly string[]) => Promise.resolve(ids.includes(tenantId) ? [version()] : [])
    const open = (options: ReplicaHostOptions = {}) =>
      new ReplicaHost(database, [source], { analyser: plainAnalyser, freshWaitMs: 0, statesOf, ...options })
    return { source, tenantId, version, lamps, open }
  }

  test('a search sees every value and removal at once while texts wait, and says how many documents it is behind', async () => {
    const { source, lamps, open: openHost } = begin()
    const passages = [{ vector: Float32Array.of(1, 0), start: 0, end: 4 }]
    for (const id of ['a', 'b', 'c']) source.put({ ...priced(id, 'lamp', 10), passages })
    const host = openHost()
    assert.deepEqual(idsOf(await host.search(lamps())), ['a', 'b', 'c'])
    const { pass, open } = gate()
    source.beforeTexts = pass
    source.put(priced('a', 'chair', 1))
    source.put(priced('d', 'lamp', 1))
    source.setValues('b', { ...priced('b', 'lamp', 2), keys: { level: ['secret'] } })
    source.remove('c')
    const cheap = await host.search(lamps({ filter: upTo(5), passages: true, vector: Float32Array.of(1, 0) }))
    assert.deepEqual([idsOf(cheap), cheap.behind], [['a', 'b'], 2])
    const passageOf = (id: string) => cheap.hits.find((hit) => hit.id === id)?.passage
    assert.deepEqual([passageOf('a'), passageOf('b')], [null, { index: 0, start: 0, end: 4 }])
    assert.deepEqual(idsOf(await host.search(lamps({ visible: NOT_SECRET }))), ['a'])
    open()
    await until(async () => (await host.search(lamps())).behind === undefined, 'the replica has the texts')
    assert.deepEqual(idsOf(await host.search(lamps())), ['b', 'd'])
    assert.deepEqual(source.textsRead.toSorted(), ['a', 'd'], 'no text was read that had not changed')
  })

  test('secret words do not find a document that is published with other words', async () => {
    const { source, lamps, open: openHost } = begin()
    for (const id of ['a', 'b', 'c']) source.put(secret(document(id, 'lamp')))
    const host = openHost()
    assert.deepEqual(idsOf(await host.search(lamps())), ['a', 'b', 'c'])
    const { pass, open } = gate()
    source.beforeTexts = pass
    source.put(document('a', 'chair'))
    source.put(secret(document('b', 'chair')))
    await host.search(lamps())
    for (const id of ['b', 'c']) source.setValues(id, document(id, ''))
    const { behind, ...answer } = await host.search(lamps({ visible: NOT_SECRET }))
    assert.deepEqual([idsOf(answer), behind], [['c'], 2])
    open()
    await host.warm(lamps().version)
    assert.deepEqual(idsOf(await host.search(lamps({ query: 'chair', visible: NOT_SECRET }))), ['a', 'b'])
  })

  test('secret words that were read late do not find a document that was published with other words since', async () => {
    const { source, lamps, open: openHost } = begin()
    source.put(document('a', 'table'))
    const [slow, quick] = [openHost(), openHost()]
    await slow.warm(lamps().version)
    const reads = [gate(), gate(), gate()]
    let read = 0
    source.beforeTexts = () => reads[read++]?.pass() ?? Promise.resolve()
    source.put(document('a', 'bed'))
    await slow.search(lamps())
    source.put(secret(document('a', 'lamp')))
    reads[0].open()
    await until(() => read === 2, 'the secret text is read')
    source.put(document('a', 'chair'))
    await quick.search(lamps())
    reads[1].open()
    await until(() => read === 3, 'the text is read again')
    assert.deepEqual(idsOf(await quick.search(lamps({ visible: NOT_SECRET }))), [])
    reads[2].open()
    await slow.warm(lamps().version)
    assert.deepEqual(idsOf(await quick.search(lamps({ query: 'chair' }))), ['a'])
  })

  test('a search that has a replica built sees a document that changed while the build read it', async () => {
    const { source, lamps, open: openHost } = begin()
    const { pass, open } = gate()
    source.beforeTexts = pass
    for (const id of ['a', 'b']) source.put(document(id, 'lamp'))
    const answer = openHost().search(lamps())
    await sleep(50)
    source.setValues('a', priced('a', 'lamp', 1))
    open()
    assert.deepEqual(idsOf(await answer), ['a', 'b'])
  })

  test('a search that names a write waits for its text, as long as it says', async () => {
    const { source, lamps, open: openHost } = begin()
    source.put(document('a', 'lamp'))
    const host = openHost()
    await host.search(lamps())
    const { pass, open } = gate()
    source.beforeTexts = pass
    const watermark = source.put(document('b', 'lamp'))
    const wanting = (waitMs: number | null) => lamps({ texts: { watermark, waitMs, isPartial: false } })
    await assert.rejects(host.search(wanting(1)), IndexBehind)
    const patient = host.search(wanting(null))
    assert.deepEqual(idsOf(await host.search(lamps())), ['a'])
    open()
    const { hits, behind } = await patient
    assert.deepEqual([hits.length, behind], [2, undefined])
  })

  test('a search waits a moment for texts, and not at all for more than are read in that time', async () => {
    const { source, lamps, open: openHost } = begin(500)
    source.put(document('a', 'lamp'))
    const host = openHost({ freshWaitMs: 60_000 })
    await host.search(lamps())
    source.put(document('b', 'lamp'))
    assert.deepEqual(idsOf(await host.search(lamps())), ['a', 'b'])
    const { pass, open } = gate()
    source.beforeTexts = pass
    for (let n = 0; n < 300; n++) source.put(document(`n${n}`, 'lamp'))
    const { hits, behind } = await openHost({ freshWaitMs: 500 }).search(lamps())
    assert.deepEqual([hits.length, behind], [2, 300])
    open()
    await host.warm(lamps().version)
  })

  test('what one process has read before a change does not replace what another process has stored after it', async () => {
    const { source, lamps, open: openHost } = begin()
    for (const id of ['a', 'gone']) source.put(priced(id, 'chair', 1))
    const [slow, quick] = [openHost(), openHost()]
    await slow.warm(lamps().version)
    for (const id of ['a', 'gone', 'new', 'lost']) source.put(priced(id, 'lamp', 1))
    let reads = 0
    const [first, others] = [gate(), gate()]
    // The slow process has read texts and waits before it analyses them; nothing else is read meanwhile.
    source.beforeTexts = () => {
      const read = ++reads
      return read === 1 ? Promise.resolve() : read === 2 ? first.pass() : others.pass()
    }
    await slow.search(lamps())
    await until(() => reads === 2, 'the slow process has read the texts')
    for (const id of ['a', 'new']) source.setValues(id, priced(id, 'lamp', 10))
    for (const id of ['gone', 'lost']) source.remove(id)
    assert.deepEqual(idsOf(await quick.search(lamps({ filter: upTo(5) }))), [])
    assert.equal(reads, 2, 'the quick process leaves texts to the one that reads them')
    first.open()
    // A search that names a write reads texts whether or not another process does.
    const texts = { watermark: source.watermark, waitMs: 1, isPartial: false }
    await assert.rejects(quick.search(lamps({ texts })), IndexBehind)
    await until(() => reads === 4, 'both processes read texts again')
    const { behind, ...answer } = await quick.search(lamps())
    assert.deepEqual([idsOf(answer), behind], [['a'], 1])
    assert.deepEqual(idsOf(await quick.search(lamps({ filter: upTo(5) }))), [])
    others.open()
    await slow.warm(lamps().version)
    assert.deepEqual(idsOf(await slow.search(lamps())), ['a', 'new'])
    assert.deepEqual(idsOf(await slow.search(lamps({ filter: upTo(5) }))), [])
  })

  test('a failure to read texts fails only searches that need them', async () => {
    const { source, lamps, open: openHost } = begin()
    source.put(document('a', 'lamp'))
    const host = openHost({ freshWaitMs: 10_000 })
    await host.search(lamps())
    source.beforeTexts = () => Promise.reject(new Error('the database is away'))
    source.put(document('b', 'lamp'))
    const { hits, behind } = await host.search(lamps())
    assert.deepEqual([hits.length, behind], [1, 1])
    await assert.rejects(host.warm(lamps().version), /the database is away/)
  })

  test('the status tells of each process how far replicas are behind, and for how long', async () => {
    const { source, tenantId, version, lamps, open: openHost } = begin()
    const lagOf = async (host: ReplicaHost) => {
      const { documentsBehind, behind, behindMs } = await host.status(tenantId)
      return [documentsBehind, behind, behindMs > 0]
    }
    const [host, other] = [openHost(), openHost()]
    assert.deepEqual(await lagOf(host), [0, 0, false], 'there is no replica yet')
    source.put(document('a', 'lamp'))
    await host.warm(version())
    for (const each of [host, other]) assert.deepEqual(await lagOf(each), [0, 0, false])
    const { pass, open } = gate()
    source.beforeTexts = pass
    for (const id of ['b', 'c']) source.put(document(id, 'lamp'))
    assert.deepEqual((await lagOf(host)).slice(0, 2), [0, 1], 'nothing was read yet')
    assert.equal((await host.search(lamps())).behind, 2)
    await lagOf(other)
    for (const each of [host, other]) assert.deepEqual(await lagOf(each), [2, 1, true])
    const { behindMs } = await host.status()
    await sleep(5)
    assert.ok((await host.status()).behindMs > behindMs, 'the change is older')
    const left = openHost({ statesOf: async () => [{ ...version(), engine: 'memory' }] })
    assert.deepEqual(await lagOf(left), [0, 0, false], 'no search of a tenant with another engine waits for it')
    open()
    await host.warm(version())
    for (const each of [host, other]) assert.deepEqual(await lagOf(each), [0, 0, false])
  })

  test('a replica follows writes without a search, values before texts, and none is begun', async () => {
    const { source, tenantId, version, lamps, open: openHost } = begin(100)
    const [host, other] = [openHost(), openHost()]
    source.put(priced('a', 'lamp', 10))
    assert.equal(await host.follow(version()), true)
    assert.equal((await host.status(tenantId)).indexes, 0, 'nobody has searched yet')
    await host.warm(version())
    const { pass, open } = gate()
    source.beforeTexts = pass
    source.setValues('a', priced('a', 'lamp', 1))
    source.put(priced('b', 'lamp', 1))
    const following = host.follow(version())
    await until(async () => (await other.status(tenantId)).documentsBehind === 1, 'the values are read')
    assert.equal(await other.follow(version()), false, 'another process is at it')
    source.beforeValues = () => assert.fail('the search finds all values')
    assert.deepEqual(idsOf(await other.search(lamps({ filter: upTo(5) }))), ['a'])
    open()
    assert.equal(await following, true)
    source.beforeTexts = () => assert.fail('the search finds all texts')
    const { behind, ...answer } = await other.search(lamps({ filter: upTo(5) }))
    assert.deepEqual([idsOf(answer), behind], [['a', 'b'], undefined])
  })

  test('a tenant with many texts has several turns, and one whose texts cannot be read fails', async () => {
    const { source, tenantId, version, open: openHost } = begin(500)
    const host = openHost()
    source.put(document('a', 'lamp'))
    await host.warm(version())
    for (let n = 0; n < 150; n++) source.put(document(`n${n}`, 'lamp'))
    assert.equal(await host.follow(version()), false)
    const { documentsBehind } = await host.status(tenantId)
    assert.ok(documentsBehind > 0 && documentsBehind < 150, `${documentsBehind} texts wait`)
    source.beforeTexts = () => Promise.reject(new Error('the database is away'))
    await assert.rejects(host.follow(version()), /the database is away/)
    source.beforeTexts = () => Promise.resolve()
    await until(() => host.follow(version()), 'the replica has all texts')
    assert.equal((await host.status(tenantId)).behind, 0)
  })

  test('a document that one process has removed is not awaited again by another that listed it before', async () => {
    const { source, tenantId, version, open: openHost } = begin()
    source.put(document('a', 'lamp'))
    await openHost().warm(version())
    const tables = tablesOf(version())
    const from = source.watermark
    const apply = (change: IndexChange, to: number | null): Promise<boolean> =>
      applyValues(database, DEFINITION, version(), [valueChangeOf(change)], {
        from,
        to,
        mark: { last: from, text: null },
      })
    const awaited = async () => {
      const texts = await awaitedAmong(database.queries, tables, ['a', 'b'])
      return [...texts.values()].map(({ id, seq }) => [id, seq])
    }
    const listed = putOf(from + 1, document('b', 'lamp'))
    // Neither process has read all changes, so neither is rejected.
    assert.equal(await apply({ seq: from + 2, remove: 'b' }, null), true)
    assert.equal(await apply(listed, null), true)
    assert.deepEqual(await awaited(), [])
    assert.equal((await openHost().status(tenantId)).documentsBehind, 0)
    assert.equal(await apply({ seq: from + 3, remove: 'c' }, from + 3), true)
    assert.equal(await apply(listed, null), false, 'the other process has read all changes')
    const { rows } = await sql`select id from ${tables.awaited}`.execute(database.queries)
    assert.deepEqual(rows, [], 'what is gone is forgotten with the end of a pass')
    const again = { from: from + 3, to: null, mark: { last: from, text: null } }
    const changes = [{ seq: from + 4, remove: 'b' }, putOf(from + 5, document('b', 'lamp'))]
    for (const change of changes) await applyValues(database, DEFINITION, version(), [valueChangeOf(change)], again)
    assert.deepEqual(await awaited(), [['b', from + 5]], 'one that is created again is awaited')
  })

  test('however processes interleave reading with writes, no answer has an older value than when its search began', async () => {
    const property = fc.asyncProperty(
      steps({ weight: 5, arbitrary: fc.nat(12).map((pauseMs) => ({ pauseMs })) }),
      fc.infiniteStream(fc.nat(12)),
      async (history, delays) => {
        const { source, tenantId, lamps, open } = begin()
        const wait = async (): Promise<void> => {
          await sleep(delays.next().value)
        }
        source.beforeTexts = wait
        source.beforeValues = wait
        const hosts = [open(), open()]
        const searches: Promise<void>[] = []
        const values = new ValueHistory(source)
        for (const each of history) {
          if ('pauseMs' in each) await sleep(each.pauseMs)
          else if ('level' in each) {
            const host = hosts[searches.length % 2]
            searches.push(values.search(lamps(), each, (request) => host.search(request)))
          } else values.write(each)
        }
        await Promise.all(searches)
        const whole = lamps({ texts: { watermark: source.watermark, waitMs: 60_000, isPartial: false } })
        for (const host of hosts) {
          const last = await host.search({ ...whole, visible: EVERYTHING })
          assertSameAnswer(last, naiveSearch(DEFINITION, source.living, whole, plainAnalyser), null)
        }
        await dropReplicas(database, tenantId)
      },
    )
    await fc.assert(property, { numRuns: inTier({ gate: 15, all: 200 }) })
  })
})
