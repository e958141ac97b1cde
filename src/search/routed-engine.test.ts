import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EngineStatus, IndexBuilding, IndexRefused, type SearchEngine, type SearchRequest } from './engine.ts'
import { RoutedEngine } from './routed-engine.ts'

const STATUS: EngineStatus = {
  indexes: 1,
  documents: 2,
  passages: 3,
  unreadable: 0,
  refused: 0,
  bytes: 4,
  fileBytes: 0,
  bytesMax: 5,
}

/** An engine that answers with its own name as the only hit, unless it fails. */
class NamedEngine implements SearchEngine {
  failure: Error | null = null
  readonly dropped: string[] = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  search() {
    if (this.failure !== null) return Promise.reject(this.failure)
    const hits = [{ id: this.#name, seq: 1, similarity: 0, score: 1 }]
    return Promise.resolve({ hits, total: 1, timing: { refresh: 0, search: 0 } })
  }

  requireRoom(): void {
    if (this.failure !== null) throw this.failure
  }

  warm = () => Promise.resolve()
  drop = (tenantId: string) => Promise.resolve(void this.dropped.push(tenantId))
  status = () => Promise.resolve(STATUS)
  close = () => Promise.resolve()
}

function requestOf(engine: 'memory' | 'pgvector', tenantId = 'acme'): SearchRequest {
  return {
    version: { tenantId, index: 'things', model: null, watermark: 1, engine },
    mode: 'keyword',
    query: 'lamp',
    vector: null,
    visible: { all: [] },
    filter: { all: [] },
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0.5,
    groups: null,
    explain: false,
  }
}

function engines() {
  const memory = new NamedEngine('memory')
  const pgvector = new NamedEngine('pgvector')
  const routed = new RoutedEngine(memory, pgvector)
  const answeredBy = async (request: SearchRequest): Promise<string> => (await routed.search(request)).hits[0].id
  return { memory, pgvector, routed, answeredBy }
}

const BUILDING = new IndexBuilding(40, 1_000)

test('each tenant is searched by the engine of its settings', async () => {
  const { answeredBy, routed } = engines()
  assert.equal(await answeredBy(requestOf('pgvector', 'large')), 'pgvector')
  assert.equal(await answeredBy(requestOf('memory', 'small')), 'memory')
  assert.equal((await routed.status('large')).documents, 4)
  assert.equal((await routed.status('small')).documents, 2)
})

test('while a replica is built memory answers, and then gives the index back, once', async () => {
  const { memory, pgvector, answeredBy } = engines()
  pgvector.failure = BUILDING
  assert.equal(await answeredBy(requestOf('pgvector')), 'memory')
  assert.deepEqual(memory.dropped, [])
  pgvector.failure = null
  for (let i = 0; i < 3; i++) assert.equal(await answeredBy(requestOf('pgvector')), 'pgvector')
  assert.deepEqual(memory.dropped, ['acme'])
})

test('a tenant that does not fit into memory is told how far its replica is', async () => {
  const { memory, pgvector, routed } = engines()
  pgvector.failure = BUILDING
  memory.failure = new IndexRefused('tenant')
  routed.requireRoom('acme', 'things', 'pgvector')
  assert.throws(() => routed.requireRoom('acme', 'things', 'memory'), IndexRefused)
  await assert.rejects(routed.search(requestOf('pgvector')), BUILDING)
})

test('a tenant that leaves pgvector is searched by it until its index is in memory', async () => {
  const { memory, answeredBy, routed } = engines()
  memory.failure = BUILDING
  await assert.rejects(routed.search(requestOf('memory')), BUILDING)
  await answeredBy(requestOf('pgvector'))
  assert.equal(await answeredBy(requestOf('memory')), 'pgvector')
  memory.failure = null
  assert.equal(await answeredBy(requestOf('memory')), 'memory')
})

test('where the database can have no replicas, memory answers for everybody', async () => {
  const memory = new NamedEngine('memory')
  const { hits } = await new RoutedEngine(memory, null).search(requestOf('pgvector'))
  assert.equal(hits[0].id, 'memory')
})
