import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EngineUnavailable, IndexRefused, type SearchRequest, SearchTimedOut } from '../../engine.ts'
import { CoolDowns } from './cool-downs.ts'
import { MemoryEngine } from './engine.ts'
import type { IndexEvent } from '../index/index-event.ts'
import { IndexHost } from './index-host.ts'
import { SnapshotFiles } from '../index/snapshots/snapshot-files.ts'
import { Snapshots } from '../index/snapshots/snapshots.ts'
import { until } from '../../../../test/support/patience.ts'
import { plainSearch } from '../../../../test/support/search/plain-search.ts'
import { createSources } from '../../../../test/support/search/source.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-engine-'))
const SOURCE = new URL('../../../../test/support/search/source.ts', import.meta.url).href
const engine = new MemoryEngine({
  sourceModule: SOURCE,
  sourceOptions: { folder },
  bytesMax: 64 * 2 ** 20,
})
after(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

function write(tenantId: string, changes: readonly object[]): void {
  writeFileSync(join(folder, `${tenantId}.json`), JSON.stringify(changes))
}

function keywordSearch(tenantId: string, watermark: number, query: string): SearchRequest {
  return plainSearch({ tenantId, index: 'things', model: null, watermark }, query)
}

async function idsFor(tenantId: string, watermark: number, query: string): Promise<string[]> {
  const { hits } = await engine.search(keywordSearch(tenantId, watermark, query))
  return hits.map((hit) => hit.id)
}

/** Returns a word for each number, without digits, because analysis would split off digits as a part. */
function wordOf(n: number): string {
  return `zw${String.fromCharCode(97 + n)}ck`
}

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

test('a check tells whether the search thread reaches its database', async () => {
  await engine.check()
  renameSync(folder, `${folder}-away`)
  await assert.rejects(engine.check(), /the database is away/)
  renameSync(`${folder}-away`, folder)
  await engine.check()
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
  assert.equal(broken.status, 'rejected')
  assert.ok(broken.reason instanceof EngineUnavailable)
  assert.match(broken.reason.message, /the database is away/)
})

test('a search for an unknown field is refused, and searches beside it are answered', async () => {
  write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
  const wrong = { ...keywordSearch('well', 1, 'lamp'), filter: { field: 'nonsense', anyOf: [] } }
  const [refused, well] = await Promise.allSettled([engine.search(wrong), idsFor('well', 1, 'lamp')])
  assert.equal(refused.status, 'rejected')
  assert.ok(refused.reason instanceof RangeError)
  assert.equal(well.status, 'fulfilled')
})

test('hits name the change of their document, and many searches in waves each get their own answer', async () => {
  const changes = Array.from({ length: 20 }, (_, i) => ({ seq: i + 1, id: `w${i + 1}`, title: `lamp ${wordOf(i)}` }))
  write('waves', changes)
  const searches = Array.from({ length: 200 }, async (_, i) => {
    await new Promise((resolve) => setTimeout(resolve, i % 7))
    const { hits } = await engine.search(keywordSearch('waves', 20, wordOf(i % 20)))
    assert.deepEqual(
      hits.map(({ id, seq }) => [id, seq]),
      [[`w${(i % 20) + 1}`, (i % 20) + 1]],
    )
  })
  await Promise.all(searches)
})

test('a search that names a write which is not there yet does not hold the others', async () => {
  write('named', [{ seq: 1, id: 'fine', title: 'lamp' }])
  let isAnswered = false
  const texts = { watermark: 1_000, waitMs: 600_000, isPartial: false }
  const waiting = engine.search({ ...keywordSearch('named', 1, 'lamp'), texts })
  void waiting.finally(() => (isAnswered = true)).catch(() => undefined)
  assert.deepEqual(await Promise.all([idsFor('named', 1, 'lamp'), idsFor('named', 1, 'lamp')]), [['fine'], ['fine']])
  assert.equal(isAnswered, false, 'the search that names a write still waits')
  write('named', [{ seq: 1_000, id: 'late', title: 'lamp' }])
  assert.deepEqual((await idsFor('named', 1_000, 'lamp')).toSorted(), ['fine', 'late'])
  assert.equal((await waiting).total, 2)
})

test('if the worker dies, running and waiting searches all fail', async () => {
  const searches = Array.from({ length: 5 }, async (_, i) => {
    for (let turns = 0; turns < i; turns++) await new Promise(setImmediate)
    await assert.rejects(idsFor('crash-early', 1, 'lamp'), IndexRefused)
  })
  await Promise.all(searches)
})

test("after the worker has died, another tenant's next search is answered by a new worker", async () => {
  write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
  const before = await engine.status()
  const [crashed, beside] = await Promise.allSettled([idsFor('crash-late', 1, 'lamp'), idsFor('well', 1, 'lamp')])
  assert.ok(crashed.status === 'rejected' && crashed.reason instanceof IndexRefused)
  assert.ok(beside.status === 'fulfilled' || beside.reason instanceof EngineUnavailable)
  assert.deepEqual(await idsFor('well', 1, 'lamp'), ['fine'])
  assert.equal((await engine.status()).refused, before.refused + 1)
})

test('an index that made the worker die is not built again at once, and later once per cool-down', async () => {
  const clock = { ms: 0 }
  const refusals: string[] = []
  const observer = {
    refused: ({ tenantId, reason }: { tenantId: string; reason: string }) => refusals.push(`${reason} ${tenantId}`),
  }
  const coolDowns = new CoolDowns(() => clock.ms)
  const options = { sourceModule: SOURCE, sourceOptions: { folder }, bytesMax: 64 * 2 ** 20 }
  const other = new MemoryEngine(options, observer, coolDowns)
  write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
  const crash = () => assert.rejects(other.search(keywordSearch('crash', 1, 'lamp')), IndexRefused)
  for (const waitMs of [0, 10_001, 20_001]) {
    clock.ms += waitMs
    await crash()
    await other.search(keywordSearch('well', 1, 'lamp'))
    const { indexes } = await other.status()
    for (let i = 0; i < 5; i++) await crash()
    assert.throws(() => other.requireRoom('crash', 'things'), IndexRefused)
    // The worker that holds the other tenant's index keeps running.
    assert.equal((await other.status()).indexes, indexes)
  }
  assert.deepEqual(refusals, ['ended crash', 'ended crash', 'ended crash'])
  await other.close()
})

test('a search that the thread does not get to ends, and later ones are answered', async () => {
  const options = { sourceModule: SOURCE, sourceOptions: { folder }, bytesMax: 64 * 2 ** 20, buildWaitMs: 10 }
  const other = new MemoryEngine(options, null, new CoolDowns(), 10)
  write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
  const searches = ['stalled', 'well', 'well'].map((tenantId) => other.search(keywordSearch(tenantId, 1, 'lamp')))
  const outcomes = await Promise.allSettled(searches)
  assert.ok(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof SearchTimedOut))
  const status = other.status()
  assert.equal(other.waiting, 0, 'a call that is no search does not count')
  await status.catch(() => undefined)
  await until(async () => {
    const answer = await other.search(keywordSearch('well', 1, 'lamp')).catch(() => null)
    return answer?.total === 1
  }, 'the thread answers again')
  await other.close()
})

test('a refused index is reported once, is not built during its cool-down, and is then tried again', async () => {
  const clock = { ms: 0 }
  let reports = 0
  // All memory is less than what a tenant may take, so that the tenant's documents are not left out one by one.
  const bounds = { bytesMax: 2 ** 20, tenantBytesMax: 16 * 2 ** 20 }
  const options = { sourceModule: SOURCE, sourceOptions: { folder }, ...bounds }
  const other = new MemoryEngine(options, { refused: () => reports++ }, new CoolDowns(() => clock.ms))
  const words = (n: number) => Array.from({ length: 400 }, (_, i) => `x${n}y${i}`).join(' ')
  write('full', [
    { seq: 1, id: 'fine', title: 'lamp' },
    ...Array.from({ length: 200 }, (_, i) => ({ seq: i + 2, id: `d${i}`, title: words(i) })),
  ])
  const refusals = await Promise.allSettled(
    Array.from({ length: 20 }, () => other.search(keywordSearch('full', 201, 'lamp'))),
  )
  for (const refusal of refusals) {
    assert.ok(refusal.status === 'rejected' && refusal.reason instanceof IndexRefused)
    assert.deepEqual([refusal.reason.reason, refusal.reason.retryAfterMs], ['crowded', 10_000])
  }
  assert.deepEqual([reports, (await other.status()).refused], [1, 1])
  // The tenant has fewer documents now, and its search succeeds as soon as the index is tried again.
  write('full', [{ seq: 202, id: 'fine', title: 'lamp' }])
  clock.ms = 9_000
  await assert.rejects(other.search(keywordSearch('full', 202, 'lamp')), IndexRefused)
  clock.ms = 10_001
  assert.equal((await other.search(keywordSearch('full', 202, 'lamp'))).total, 1)
  assert.equal(reports, 1)
  await other.close()
})

test("while a big tenant's index is built, another tenant's searches are answered", async () => {
  write('well', [{ seq: 1, id: 'fine', title: 'lamp' }])
  const load = { done: false }
  const big = engine.search(keywordSearch('big', 6_000, 'word7')).then((answer) => {
    load.done = true
    return answer
  })
  let answered = 0
  while (!load.done) {
    assert.deepEqual(await idsFor('well', 1, 'lamp'), ['fine'])
    answered++
  }
  assert.ok((await big).total > 0)
  assert.ok(answered >= 10, `${answered} searches of another tenant during the load`)
})

test('answers, explanations and passages pass through the worker unchanged', async () => {
  const request = { ...keywordSearch('big', 6_000, 'word7'), vector: Float32Array.of(1, 2, 3), explain: true, limit: 2 }
  const { hits, total, timing } = await engine.search(request)
  assert.ok(total >= 2 && timing.refresh >= 0 && timing.search > 0)
  assert.equal(hits.length, 2)
  for (const hit of hits) {
    assert.ok(hit.similarity > 0 && hit.score === hit.explanation?.bm25)
    assert.equal(hit.explanation.terms[0].term, 'word7')
    assert.equal(hit.explanation.passage?.index, 0)
  }
})

test('status counts what is in memory, and drop frees it', async () => {
  await engine.drop('well')
  const before = await engine.status()
  await idsFor('well', 1, 'lamp')
  const built = await engine.status()
  assert.equal(built.indexes, before.indexes + 1)
  assert.equal(built.documents, before.documents + 1)
  assert.ok(built.bytes > before.bytes)
  await engine.drop('well')
  assert.deepEqual(await engine.status(), before)
})

test('searches after closing are refused as unavailable', async () => {
  const other = new MemoryEngine({
    sourceModule: SOURCE,
    sourceOptions: { folder },
    bytesMax: 2 ** 20,
  })
  await other.close()
  await assert.rejects(other.search(keywordSearch('well', 1, 'lamp')), EngineUnavailable)
})

test('a start waits until the indexes that were used last are in memory, but not for long', async () => {
  const snapshots = { folder: join(folder, 'snapshots'), bytesMax: 2 ** 20 }
  const options = { sourceModule: SOURCE, sourceOptions: { folder }, bytesMax: 64 * 2 ** 20, snapshots }
  write(
    'kept',
    Array.from({ length: 200 }, (_, i) => ({ seq: i + 1, id: `k${i}`, title: 'lamp' })),
  )
  const isWritten = Promise.withResolvers<void>()
  const noted = ({ kind }: { readonly kind: string }): void => {
    if (kind === 'saved') isWritten.resolve()
  }
  const first = new MemoryEngine(options, { refused: () => undefined, noted })
  await first.search(keywordSearch('kept', 200, 'lamp'))
  await isWritten.promise
  await first.close()
  const documentsAfter = async (warmWithinMs: number): Promise<number> => {
    const next = new MemoryEngine({ ...options, warmWithinMs })
    await next.warmed()
    const { documents } = await next.status('kept')
    await next.close()
    return documents
  }
  assert.equal(await documentsAfter(60_000), 200)
  assert.equal(await documentsAfter(0), 0)
})

test('a start waits until indexes are built whose snapshots have another form, but for a bound', async () => {
  const snapshots = { folder: join(folder, 'other-form'), bytesMax: 2 ** 20 }
  const options = { sourceModule: SOURCE, sourceOptions: { folder }, bytesMax: 64 * 2 ** 20, snapshots }
  write(
    'upgraded',
    Array.from({ length: 200 }, (_, i) => ({ seq: i + 1, id: `k${i}`, title: 'lamp' })),
  )
  const { sources } = await createSources({ folder })
  const files = new SnapshotFiles(snapshots.folder, snapshots.bytesMax)
  const policy = { documentsMin: 1, quietMs: 0, seldomMs: 0, oftenMs: 0, changedShare: 0 }
  const limits = { bytesMax: 2 ** 26, tenantBytesMax: 2 ** 26 }
  const former = new IndexHost(sources, limits, { snapshots: new Snapshots({ files, formOf: () => 'former', policy }) })
  const { version } = keywordSearch('upgraded', 200, 'lamp')
  await new Promise((settle) => former.submit({ version, request: null, settle }))
  await former.settled()
  await former.saveDue()
  const documentsAfter = async (rebuildWithinMs: number): Promise<[number, number[]]> => {
    const rebuilding: number[] = []
    const noted = (event: IndexEvent): void => {
      if (event.kind === 'rebuilding') rebuilding.push(event.indexes)
    }
    const next = new MemoryEngine({ ...options, rebuildWithinMs }, { refused: () => undefined, noted })
    await next.warmed()
    const { documents } = await next.status('upgraded')
    await next.close()
    return [documents, rebuilding]
  }
  assert.deepEqual(await documentsAfter(60_000), [200, [1]])
  writeFileSync(join(folder, 'upgraded.hangs'), '')
  assert.deepEqual(await documentsAfter(50), [0, [1]])
})
