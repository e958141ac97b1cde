import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EngineForRequests,
  type EngineStatus,
  IndexBehind,
  IndexBuilding,
  IndexRefused,
  type SearchRequest,
} from '../engine.ts'
import { ReplicaUse } from './replica-use.ts'
import { RoutedEngine } from './routed-engine.ts'
import { plainSearch } from '../../../test/support/search/plain-search.ts'

const STATUS: EngineStatus = {
  indexes: 1,
  documents: 2,
  passages: 3,
  unreadable: 0,
  documentsBehind: 5,
  behind: 1,
  behindMs: 700,
  building: 1,
  builtPercent: 40,
  leftOut: 0,
  leftOutDocuments: [],
  refused: 0,
  bytes: 4,
  fileBytes: 0,
  pagedOut: 0,
  bytesMax: 5,
}

/** Answers every search with its own name as the only hit, or fails with `failure`. */
class NamedEngine implements EngineForRequests {
  failure: Error | null = null
  /** Documents that the engine leaves out. */
  leftOut = 0
  /** Whether no search is ever answered. */
  hangs = false
  last: SearchRequest | null = null
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  search(request: SearchRequest) {
    this.last = request
    if (this.hangs) return new Promise<never>(() => undefined)
    if (this.failure !== null) return Promise.reject(this.failure)
    const hits = [{ id: this.#name, seq: 1, similarity: 0, score: 1 }]
    const leftOut = this.leftOut === 0 ? {} : { leftOut: this.leftOut }
    return Promise.resolve({ hits, total: 1, ...leftOut, timing: { refresh: 0, search: 0 } })
  }

  requireRoom(): void {
    if (this.failure !== null) throw this.failure
  }

  status = () => Promise.resolve(STATUS)
}

function requestOf(engine: 'memory' | 'pgvector', tenantId = 'acme'): SearchRequest {
  return plainSearch({ tenantId, index: 'things', model: null, watermark: 1, engine }, 'lamp')
}

const PLACE = { tenantId: 'acme', index: 'things' }

function engines() {
  const memory = new NamedEngine('memory')
  const pgvector = new NamedEngine('pgvector')
  const use = new ReplicaUse()
  const routed = new RoutedEngine(memory, pgvector, use)
  /** Returns the name of the engine that answers, called as the rules call it: `requireRoom` first. */
  const answeredBy = async (engine: 'memory' | 'pgvector', tenantId = 'acme'): Promise<string> => {
    routed.requireRoom(tenantId, 'things', engine)
    return (await routed.search(requestOf(engine, tenantId))).hits[0].id
  }
  return { memory, pgvector, use, routed, answeredBy }
}

const BUILDING = new IndexBuilding(40, 1_000)
const REFUSED = new IndexRefused('tenant', 60_000)

test('each tenant is searched by the engine of its settings', async () => {
  const { answeredBy, routed } = engines()
  assert.equal(await answeredBy('pgvector', 'large'), 'pgvector')
  assert.equal(await answeredBy('memory', 'small'), 'memory')
  assert.equal((await routed.status('large')).documents, 4)
  assert.equal((await routed.status('small')).documents, 2)
})

test('while a replica is built memory answers', async () => {
  const { pgvector, answeredBy, routed } = engines()
  pgvector.failure = BUILDING
  assert.equal((await routed.status('acme')).building, 1)
  assert.equal(await answeredBy('pgvector'), 'memory')
  assert.equal((await routed.status('acme')).building, 2, 'the status tells of the first replica that is being built')
  pgvector.failure = null
  assert.equal(await answeredBy('pgvector'), 'pgvector')
})

test('a search that waits for a write waits for its own engine, and no other one answers', async () => {
  const { memory, pgvector, routed } = engines()
  const behind = new IndexBehind(1_000)
  const texts = { watermark: 7, waitMs: 10, isPartial: false }
  pgvector.failure = behind
  await assert.rejects(routed.search({ ...requestOf('pgvector'), texts }), behind)
  pgvector.failure = null
  await routed.search({ ...requestOf('pgvector'), texts })
  assert.deepEqual(pgvector.last?.texts, texts)
  memory.failure = behind
  await assert.rejects(routed.search({ ...requestOf('memory'), texts }), behind)
})

test('a tenant that does not fit into memory is told how far its replica is', async () => {
  const { memory, pgvector, routed } = engines()
  pgvector.failure = BUILDING
  memory.failure = REFUSED
  routed.requireRoom('acme', 'things', 'pgvector')
  assert.throws(() => routed.requireRoom('acme', 'things', 'memory'), IndexRefused)
  await assert.rejects(routed.search(requestOf('pgvector')), BUILDING)
})

for (const failure of [BUILDING, REFUSED]) {
  test(`a tenant that leaves pgvector is searched by it for as long as ${failure.message}`, async () => {
    const { memory, answeredBy, use } = engines()
    memory.failure = failure
    await assert.rejects(answeredBy('memory'), failure)
    await answeredBy('pgvector')
    for (let i = 0; i < 3; i++) assert.equal(await answeredBy('memory'), 'pgvector')
    assert.equal(use.isReplaced(PLACE), false)
    memory.failure = null
    assert.equal(await answeredBy('memory'), 'memory')
    assert.equal(use.isReplaced(PLACE), true)
  })
}

test('a tenant that leaves pgvector is searched by it for as long as memory has no room for all documents', async () => {
  const { memory, pgvector, answeredBy, use } = engines()
  memory.leftOut = 3
  assert.equal(await answeredBy('memory'), 'memory', 'without a replica memory answers')
  use.know([PLACE])
  assert.equal(await answeredBy('memory'), 'pgvector')
  assert.equal(use.isReplaced(PLACE), false)
  pgvector.failure = BUILDING
  assert.equal(await answeredBy('memory'), 'memory')
  pgvector.failure = null
  memory.leftOut = 0
  assert.equal(await answeredBy('memory'), 'memory')
  assert.equal(use.isReplaced(PLACE), true)
})

test('a search that has waited for one engine does not wait as long again for the other', async () => {
  const [memory, pgvector] = [new NamedEngine('memory'), new NamedEngine('pgvector')]
  const use = new ReplicaUse()
  use.know([PLACE])
  const routed = new RoutedEngine(memory, pgvector, use, 10)
  const alive = setInterval(() => undefined, 1_000)
  memory.failure = BUILDING
  pgvector.hangs = true
  await assert.rejects(routed.search(requestOf('memory')), BUILDING)
  clearInterval(alive)
})

test('a replica that another process has built, or this one before a restart, answers too', async () => {
  const { memory, answeredBy, use } = engines()
  memory.failure = REFUSED
  use.know([PLACE])
  assert.equal(await answeredBy('memory'), 'pgvector')
  await assert.rejects(answeredBy('memory', 'other'), REFUSED)
})

test('a tenant whose replica is gone is told why memory does not answer', async () => {
  const { memory, pgvector, answeredBy, use } = engines()
  await answeredBy('pgvector')
  memory.failure = REFUSED
  pgvector.failure = BUILDING
  await assert.rejects(answeredBy('memory'), REFUSED)
  use.know([])
  pgvector.failure = null
  await assert.rejects(answeredBy('memory'), REFUSED)
})

test('a replica is needed again when memory no longer answers', async () => {
  const { memory, answeredBy, use } = engines()
  use.know([PLACE])
  await answeredBy('memory')
  assert.equal(use.isReplaced(PLACE), true)
  assert.deepEqual(use.takeSearched(), [])
  memory.failure = REFUSED
  await answeredBy('memory')
  assert.equal(use.isReplaced(PLACE), false)
  assert.deepEqual(use.takeSearched(), [PLACE])
  assert.deepEqual(use.takeSearched(), [])
})

test('memory that answers while a replica is built does not replace the replica', async () => {
  const { pgvector, answeredBy, use } = engines()
  use.know([PLACE])
  pgvector.failure = BUILDING
  assert.equal(await answeredBy('pgvector'), 'memory')
  assert.equal(use.isReplaced(PLACE), false)
})

test('where the database can have no replicas, memory answers for every tenant', async () => {
  const memory = new NamedEngine('memory')
  const { hits } = await new RoutedEngine(memory, null, new ReplicaUse()).search(requestOf('pgvector'))
  assert.equal(hits[0].id, 'memory')
})
