import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { document } from '../../../../test/support/search/source.ts'
import { gate } from '../../../../test/support/search/value-history.ts'
import { ValuedSource } from '../../../../test/support/search/valued-source.ts'
import { IndexBuilding, SearchTimedOut, type SearchRequest } from '../../engine.ts'
import { IndexHost, type IndexHostOptions } from './index-host.ts'

/** Milliseconds that searches wait. A search that waits for a database that hangs would never end. */
const WAIT_MS = 20
/** A host over a database that a test can make hang. */
function stage(options: IndexHostOptions = {}) {
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const limits = { bytesMax: 2 ** 30, tenantBytesMax: 2 ** 30 }
  const host = new IndexHost([source], limits, {
    analyser: plainAnalyser,
    buildWaitMs: WAIT_MS,
    freshWaitMs: 1,
    ...options,
  })
  const lamps = (more: Partial<SearchRequest> = {}): SearchRequest => ({
    ...plainSearch(source.versionOf(), 'lamp'),
    limit: 100,
    ...more,
  })
  const find = async (more: Partial<SearchRequest> = {}): Promise<string[]> =>
    (await answerOf(host, lamps(more))).hits.map(({ id }) => id).sort()
  return { source, host, lamps, find }
}

describe('every wait of a search has an end', () => {
  // The timers of waits do not keep a process alive by themselves.
  let alive: NodeJS.Timeout
  before(() => {
    alive = setInterval(() => undefined, 1_000)
  })
  after(() => clearInterval(alive))

  test('a search that waits for values of a database that hangs ends, and is answered once the database is back', async () => {
    const { source, find } = stage()
    await find()
    const { pass, open } = gate()
    source.beforeValues = pass
    source.put(document('b', 'lamp'))
    await assert.rejects(find(), SearchTimedOut)
    await assert.rejects(find(), SearchTimedOut, 'also one that comes while the reading hangs')
    open()
    source.beforeValues = () => Promise.resolve()
    await find().catch(() => undefined)
    assert.deepEqual(await find(), ['a', 'b'])
  })

  test('a search whose index is dropped while the database hangs ends', async () => {
    const { source, host, find } = stage()
    await find()
    const { pass, open } = gate()
    source.beforeValues = pass
    source.put(document('b', 'lamp'))
    const waiting = find()
    // The run has begun to read.
    await new Promise((resolve) => setImmediate(resolve))
    const counted = source.values.count
    Object.assign(source.values, { count: () => pass().then(() => 2) })
    void host.drop('t')
    await assert.rejects(waiting, IndexBuilding)
    open()
    Object.assign(source.values, { count: counted })
    source.beforeValues = () => Promise.resolve()
    await find().catch(() => undefined)
    assert.deepEqual(await find(), ['a', 'b'])
  })

  test('a search of an index that a job without a search builds ends while that build hangs', async () => {
    const { source, host, lamps, find } = stage()
    const { pass, open } = gate()
    Object.assign(source.values, { count: () => pass().then(() => 1) })
    const warmed = new Promise((resolve) => {
      host.submit({ version: lamps().version, request: null, settle: resolve })
    })
    await assert.rejects(find(), IndexBuilding)
    open()
    assert.equal(await warmed, null)
    assert.deepEqual(await find(), ['a'])
  })

  test('a search ends where nothing is being built at the moment, and the index is not there', async () => {
    const { source, find } = stage()
    let failures = 0
    Object.assign(source.values, {
      count: () => {
        failures++
        return Promise.reject(new Error('the database is away'))
      },
    })
    await assert.rejects(find(), /cannot be brought up to date|being built/)
    assert.ok(failures > 0)
  })

  test('a search that waits for texts of a database that hangs is answered without them', async () => {
    const { source, find } = stage()
    await find()
    const { pass, open } = gate()
    source.beforeTexts = pass
    source.put(document('b', 'lamp'))
    assert.deepEqual(await find(), ['a'])
    open()
  })

  test('a search that names a write ends after its own time while the database hangs, before and after the index is there', async () => {
    const { source, find } = stage()
    const { pass, open } = gate()
    const counted = source.values.count
    Object.assign(source.values, { count: () => pass().then(() => 1) })
    const texts = { watermark: source.watermark, waitMs: 2, isPartial: false }
    await assert.rejects(find({ texts }), { name: 'IndexBehind' })
    open()
    Object.assign(source.values, { count: counted })
    await find().catch(() => undefined)
    assert.deepEqual(await find(), ['a'])
    const later = gate()
    source.beforeValues = later.pass
    const watermark = source.put(document('b', 'lamp'))
    await assert.rejects(find({ texts: { watermark, waitMs: 2, isPartial: false } }), { name: 'IndexBehind' })
    later.open()
  })

  test('searches of several tenants in turns end, though the databases of all hang', async () => {
    const { source, host, lamps } = stage()
    const { pass, open } = gate()
    Object.assign(source.values, { count: () => pass().then(() => 1) })
    const searches = Array.from({ length: 30 }, (_, n) => {
      const request = lamps()
      return answerOf(host, { ...request, version: { ...request.version, tenantId: `t${n % 3}` } })
    })
    const outcomes = await Promise.allSettled(searches)
    assert.ok(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof IndexBuilding))
    open()
  })
})
