import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { naiveSearch, plainAnalyser } from '../../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { assertSameAnswer } from '../../../../test/support/search/same-answer.ts'
import { document } from '../../../../test/support/search/source.ts'
import {
  gate,
  idsOf,
  priced,
  secret,
  steps,
  upTo,
  ValueHistory,
} from '../../../../test/support/search/value-history.ts'
import { ValuedSource } from '../../../../test/support/search/valued-source.ts'
import { until } from '../../../../test/support/patience.ts'
import { inTier } from '../../../../test/support/tier.ts'
import { type Filter, IndexBehind, type SearchRequest, type IndexSource } from '../../engine.ts'
import { IndexHost, type IndexHostOptions } from './index-host.ts'

const ROOMY = { bytesMax: 2 ** 30, tenantBytesMax: 2 ** 30 }
const EVERYTHING: Filter = { all: [] }
const NOT_SECRET: Filter = { not: { field: 'level', anyOf: ['secret'] } }

function hostOf(source: ValuedSource, options: IndexHostOptions = {}): IndexHost {
  return new IndexHost([source], ROOMY, { analyser: plainAnalyser, freshWaitMs: 0, ...options })
}

function lamps(source: ValuedSource, more: Partial<SearchRequest> = {}): SearchRequest {
  return { ...plainSearch(source.versionOf(), 'lamp'), limit: 100, ...more }
}

test('a search sees every value and removal at once while texts wait, and says how many documents it is behind', async () => {
  const source = new ValuedSource(DEFINITION)
  for (const id of ['a', 'b', 'c']) source.put(priced(id, 'lamp', 10))
  const host = hostOf(source)
  assert.deepEqual(idsOf(await answerOf(host, lamps(source))), ['a', 'b', 'c'])
  const { pass, open } = gate()
  source.beforeTexts = pass
  source.put(priced('a', 'chair', 1))
  source.put(priced('d', 'lamp', 1))
  source.setValues('b', { ...priced('b', 'lamp', 2), keys: { level: ['secret'] } })
  source.remove('c')
  const cheap = await answerOf(host, lamps(source, { filter: upTo(5), passages: true }))
  assert.deepEqual([idsOf(cheap), cheap.behind], [['a', 'b'], 2])
  assert.deepEqual(idsOf(await answerOf(host, lamps(source, { visible: NOT_SECRET }))), ['a'])
  open()
  await until(async () => (await answerOf(host, lamps(source))).behind === undefined, 'the index has the texts')
  assert.deepEqual(idsOf(await answerOf(host, lamps(source))), ['b', 'd'])
  assert.deepEqual(source.textsRead.toSorted(), ['a', 'd'], 'no text was read that had not changed')
})

test('secret words do not find a document that is published with other words', async () => {
  const source = new ValuedSource(DEFINITION)
  for (const id of ['a', 'b', 'c']) source.put(secret(document(id, 'lamp')))
  const host = hostOf(source)
  assert.deepEqual(idsOf(await answerOf(host, lamps(source))), ['a', 'b', 'c'])
  const { pass, open } = gate()
  source.beforeTexts = pass
  source.put(document('a', 'chair'))
  source.put(secret(document('b', 'chair')))
  await answerOf(host, lamps(source))
  for (const id of ['b', 'c']) source.setValues(id, document(id, ''))
  const { behind, ...answer } = await answerOf(host, lamps(source, { visible: NOT_SECRET }))
  assert.deepEqual([idsOf(answer), behind], [['c'], 2])
  open()
  const chairs = () => answerOf(host, { ...lamps(source), query: 'chair', visible: NOT_SECRET })
  await until(async () => idsOf(await chairs()).join() === 'a,b', 'the index has the texts')
})

test('an answer from before a write says that it lacks the document that the write hides until its text is read', async () => {
  const source = new ValuedSource(DEFINITION)
  for (const id of ['a', 'b']) source.put(document(id, 'lamp'))
  const host = hostOf(source)
  const early = lamps(source)
  assert.deepEqual(idsOf(await answerOf(host, early)), ['a', 'b'])
  const { pass, open } = gate()
  source.beforeTexts = pass
  source.put(secret(document('a', 'chair')))
  await answerOf(host, lamps(source))
  const answer = await answerOf(host, early)
  assert.deepEqual([idsOf(answer), answer.behind], [['b'], 1])
  open()
  await until(async () => (await answerOf(host, early)).behind === undefined, 'the index has the text')
})

test('secret words that were read late do not find a document that was published with other words since', async () => {
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'table'))
  const host = hostOf(source)
  await answerOf(host, lamps(source))
  const reads = [gate(), gate(), gate()]
  let read = 0
  source.beforeTexts = () => reads[read++]?.pass() ?? Promise.resolve()
  source.put(document('a', 'bed'))
  await answerOf(host, lamps(source))
  source.put(secret(document('a', 'lamp')))
  reads[0].open()
  await until(() => read === 2, 'the secret text is read')
  source.put(document('a', 'chair'))
  await answerOf(host, lamps(source))
  reads[1].open()
  await until(() => read === 3, 'the text is read again')
  assert.deepEqual(idsOf(await answerOf(host, lamps(source, { visible: NOT_SECRET }))), [])
  reads[2].open()
  const chairs = () => answerOf(host, { ...lamps(source), query: 'chair' })
  await until(async () => idsOf(await chairs()).length === 1, 'the index has the last text')
})

test('a build from a copy of the database that lags has no value that is older than the copy knows', async () => {
  for (const fails of [false, true]) {
    const source = new ValuedSource(DEFINITION)
    for (const id of ['a', 'b']) source.put(document(id, 'lamp'))
    source.freezeCopy()
    const { pass, open } = gate()
    if (fails) source.beforeTexts = () => pass().then(() => Promise.reject(new Error('the copy is away')))
    else source.beforeCount = pass
    const host = hostOf(source)
    const first = answerOf(host, lamps(source)).catch((error: Error) => error)
    await turn()
    source.setValues('a', secret(document('a', '')))
    source.remove('b')
    const second = answerOf(host, lamps(source, { visible: NOT_SECRET })).catch((error: Error) => error)
    await turn()
    open()
    await Promise.all([first, second])
    source.beforeTexts = () => Promise.resolve()
    assert.deepEqual(idsOf(await answerOf(host, lamps(source, { visible: NOT_SECRET }))), [])
  }
})

test('a search that names a write waits for its text, as long as it says', async () => {
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const host = hostOf(source)
  await answerOf(host, lamps(source))
  const { pass, open } = gate()
  source.beforeTexts = pass
  const watermark = source.put(document('b', 'lamp'))
  const wanting = (waitMs: number | null) => lamps(source, { texts: { watermark, waitMs, isPartial: false } })
  await assert.rejects(answerOf(host, wanting(1)), IndexBehind)
  const patient = answerOf(host, wanting(null))
  assert.deepEqual(idsOf(await answerOf(host, lamps(source))), ['a'])
  open()
  const { hits, behind } = await patient
  assert.deepEqual([hits.length, behind], [2, undefined])
})

test('a search that names a write that is there is not held for texts of later writes', async () => {
  const source = new ValuedSource(DEFINITION)
  const watermark = source.put(document('a', 'lamp'))
  const host = hostOf(source)
  await answerOf(host, lamps(source))
  const { pass, open } = gate()
  source.beforeTexts = pass
  source.put(document('b', 'lamp'))
  const { hits, behind } = await answerOf(host, lamps(source, { texts: { watermark, waitMs: 1, isPartial: false } }))
  assert.deepEqual([hits.map(({ id }) => id), behind], [['a'], 1])
  open()
})

test('an index follows again after a reading that failed', async () => {
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const host = hostOf(source)
  await answerOf(host, lamps(source))
  source.beforeValues = () => Promise.reject(new Error('the database is away'))
  source.put(document('b', 'lamp'))
  host.follow(source.versionOf())
  await assert.rejects(answerOf(host, lamps(source)), /the database is away/)
  source.beforeValues = () => Promise.resolve()
  host.follow(source.versionOf())
  await until(() => host.status().documents === 2, 'the index follows')
})

test('an index that is being built answers for what it has to those who prefer that, and others wait', async () => {
  const source = new ValuedSource(DEFINITION, 1)
  for (const id of ['a', 'b', 'c']) source.put(document(id, 'lamp'))
  const host = hostOf(source)
  let read = 0
  const { pass, open } = gate()
  source.beforeTexts = () => (read++ < 2 ? Promise.resolve() : pass())
  const whole = answerOf(host, lamps(source))
  const partial = lamps(source, { texts: { watermark: null, waitMs: null, isPartial: true } })
  await until(async () => (await answerOf(host, partial)).total === 2, 'two documents are read')
  source.setValues('a', { ...document('a', 'lamp'), keys: { level: ['secret'] } })
  const hidden = { ...partial, version: source.versionOf(), visible: NOT_SECRET }
  assert.deepEqual([idsOf(await answerOf(host, hidden)), (await answerOf(host, hidden)).behind], [['b'], 1])
  open()
  const { total, behind } = await whole
  assert.deepEqual([total, behind], [3, undefined])
})

test('an index follows writes that no search has asked about', async () => {
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const host = hostOf(source)
  await answerOf(host, lamps(source))
  source.put(document('b', 'lamp'))
  const { tenantId, model, watermark } = source.versionOf()
  host.follow({ tenantId, model, watermark })
  await until(() => host.status().documents === 2, 'the index follows')
})

test('a first index is begun beside an import, for the kinds that have documents', async () => {
  const source = new ValuedSource(DEFINITION)
  const empty = new ValuedSource({ ...DEFINITION, name: 'none' })
  source.put(document('a', 'lamp'))
  const host = new IndexHost([source, empty], ROOMY, { analyser: plainAnalyser })
  await host.begin(source.versionOf())
  await until(() => host.status().documents === 1, 'the index is there')
  assert.equal(host.status().indexes, 1)
})

test('an index that is paused neither follows writes nor begins, but a search brings it up to date', async () => {
  const source = new ValuedSource(DEFINITION)
  let now = 0
  source.put(document('a', 'lamp'))
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser, now: () => now })
  const paused = { tenantId: 't', index: DEFINITION.name, remainingMs: 1_000 }
  host.pause(paused)
  await host.begin(source.versionOf())
  assert.equal(host.status().indexes, 0)
  await answerOf(host, lamps(source))
  source.put(document('b', 'lamp'))
  host.follow(source.versionOf())
  assert.equal(host.status().behind, 0, 'the index has not heard of the change')
  assert.deepEqual(idsOf(await answerOf(host, lamps(source))), ['a', 'b'])
  source.put(document('c', 'lamp'))
  now = 1_001
  host.follow(source.versionOf())
  await until(() => host.status().documents === 3, 'the index follows again')
})

test('texts that cannot be read are not tried again and again while a search waits for them', async () => {
  const source = new ValuedSource(DEFINITION)
  source.put(document('a', 'lamp'))
  const host = hostOf(source)
  await answerOf(host, lamps(source))
  let attempts = 0
  source.beforeTexts = async () => {
    if (attempts++ < 5) throw new Error('the database is away')
  }
  const watermark = source.put(document('b', 'lamp'))
  const answer = answerOf(host, { ...lamps(source), texts: { watermark, waitMs: null, isPartial: false } })
  for (let turns = 0; turns < 50; turns++) await turn()
  assert.ok(attempts <= 2, `${attempts} attempts in a moment`)
  assert.deepEqual(idsOf(await answer), ['a', 'b'], 'the search is answered once they can be read')
})

test('a search does not wait for a few texts while texts are read slowly', async () => {
  const source = new ValuedSource(DEFINITION)
  let now = 0
  source.put(document('a', 'lamp'))
  const host = new IndexHost([source], ROOMY, { analyser: plainAnalyser, now: () => now, freshWaitMs: 200 })
  await answerOf(host, lamps(source))
  source.beforeTexts = async () => void (now += 1_000)
  for (let n = 0; n < 10; n++) source.put(document(`n${n}`, 'lamp'))
  host.follow(source.versionOf())
  await until(() => host.status().documents === 11, 'the texts are read')
  source.beforeTexts = gate().pass
  for (const id of ['x', 'y']) source.put(document(id, 'lamp'))
  assert.equal((await answerOf(host, lamps(source))).behind, 2)
})

test('an index with many documents is not begun, and not counted again for a while', async () => {
  const source = new ValuedSource(DEFINITION)
  let now = 0
  let counts = 0
  const { values } = source
  const counted: IndexSource = {
    definition: DEFINITION,
    changes: (version, after) => source.changes(version, after),
    values: { ...values, count: async (_version, max) => (counts++, max) },
  }
  const host = new IndexHost([counted], ROOMY, { analyser: plainAnalyser, now: () => now })
  for (now of [0, 59_999, 60_000, 60_001]) await host.begin(source.versionOf())
  assert.equal(counts, 2)
  assert.equal(host.status().indexes, 0)
})

test('however reading is interleaved with writes, no answer has an older value than when its search began', async () => {
  const property = fc.asyncProperty(
    steps({ weight: 3, arbitrary: fc.nat(4).map((turns) => ({ turns })) }),
    fc.infiniteStream(fc.nat(3)),
    async (history, delays) => {
      const source = new ValuedSource(DEFINITION)
      const wait = async (): Promise<void> => {
        for (let turns = delays.next().value!; turns > 0; turns--) await turn()
      }
      source.beforeTexts = wait
      source.beforeValues = wait
      const host = hostOf(source)
      const searches: Promise<void>[] = []
      const values = new ValueHistory(source)
      for (const each of history) {
        if ('turns' in each) for (let turns = each.turns; turns > 0; turns--) await turn()
        else if ('level' in each)
          searches.push(values.search(lamps(source), each, (request) => answerOf(host, request)))
        else values.write(each)
      }
      await Promise.all(searches)
      const whole = { ...lamps(source), texts: { watermark: source.watermark, waitMs: null, isPartial: false } }
      const last = await answerOf(host, { ...whole, visible: EVERYTHING })
      assertSameAnswer(last, naiveSearch(DEFINITION, source.living, whole, plainAnalyser), null)
      await host.settled()
    },
  )
  await fc.assert(property, { numRuns: inTier({ gate: 100, all: 1_000 }) })
})
