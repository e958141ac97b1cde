/**
 * Searches one large tenant by pgvector, on a PostgreSQL 17 of Debian 13 in a folder (root and debootstrap). All data
 * are synthetic with a fixed seed.
 *
 * Options: --entries=20000, --searches=200, --shared-buffers=1GB
 */
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/platform/database/database.ts'
import type { IndexChange, IndexDefinition, IndexDocument, IndexSource, SearchRequest } from '../src/search/engine.ts'
import { norm } from '../src/search/memory/columns/vector-column.ts'
import { ReplicaHost } from '../src/search/pgvector/replica-host.ts'
import { startPgvector, whyNoPgvector } from '../test/support/pgvector.ts'
import { valuesOf } from '../test/support/search/values.ts'

const DIMENSIONS = 384
/**
 * Dimensions of the space in which vectors lie; vectors of texts lie near a space of far fewer dimensions than their
 * own.
 */
const INNER_DIMENSIONS = 32
const TOPICS = 2_000
const BATCH = 500
const ID_PREFIX = 'entry-'
const DEFINITION: IndexDefinition = {
  name: 'things',
  textFields: { title: 2, body: 1 },
  keyFields: ['visibility', 'owner'],
  numberFields: ['expires'],
  facetFields: ['visibility'],
  nameField: 'title',
}

const why = whyNoPgvector()
if (why !== false) throw new Error(why)
const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '20000' },
    searches: { type: 'string', default: '200' },
    'shared-buffers': { type: 'string', default: '1GB' },
  },
})
const entries = Number(values.entries)
const searches = Number(values.searches)

/** Returns a source of numbers uniform in [0, 1), the same for a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

const ofSpace = seeded(1)
const axes = Array.from({ length: INNER_DIMENSIONS }, () =>
  Float32Array.from({ length: DIMENSIONS }, () => gaussian(ofSpace)),
)
const topics = Array.from({ length: TOPICS }, () =>
  Float32Array.from({ length: INNER_DIMENSIONS }, () => gaussian(ofSpace)),
)

/** Returns a vector near a topic. */
function vectorOf(random: () => number): Float32Array {
  const topic = topics[Math.floor(random() * TOPICS)]
  const vector = new Float32Array(DIMENSIONS)
  for (const [i, axis] of axes.entries()) {
    const share = topic[i] + 0.6 * gaussian(random)
    for (let at = 0; at < DIMENSIONS; at++) vector[at] += share * axis[at]
  }
  for (let at = 0; at < DIMENSIONS; at++) vector[at] += gaussian(random)
  const length = norm(vector)
  return vector.map((value) => value / length)
}

const VOCABULARY = 60_000
/** Returns words by Zipf's law. */
function wordsOf(random: () => number, count: number): string {
  const letters = 'aeioukrstnlm'
  return Array.from({ length: count }, () => {
    let word = ''
    for (let n = Math.floor(VOCABULARY ** random()) + 11; n > 0; n = Math.floor(n / 12)) word += letters[n % 12]
    return `w${word}`
  }).join(' ')
}

/** Returns the document of a number, the same on each call. */
function documentOf(n: number): IndexDocument {
  const random = seeded(1_000 + n)
  return {
    id: `${ID_PREFIX}${n}`,
    language: 'en',
    changedAt: n,
    group: `group-${n}`,
    text: { title: [wordsOf(random, 6)], body: [wordsOf(random, 60)] },
    keys: { visibility: [n % 10 === 0 ? 'personal' : 'public'], owner: [`user-${n % 50}`] },
    numbers: { expires: null },
    passages: [{ vector: vectorOf(random), start: 0, end: 100 }],
  }
}

function changeOf(n: number): IndexChange {
  return { seq: n + 1, put: documentOf(n) }
}

let written = entries
async function* changes(_version: unknown, after: number): AsyncGenerator<readonly IndexChange[]> {
  for (let from = after; from < written; from += BATCH) {
    const batch: IndexChange[] = []
    for (let n = from; n < Math.min(written, from + BATCH); n++) batch.push(changeOf(n))
    yield await Promise.resolve(batch)
  }
}
const source: IndexSource = {
  definition: DEFINITION,
  changes,
  values: {
    ...valuesOf(changes),
    documents: (_version, ids) => Promise.resolve(ids.map((id) => changeOf(Number(id.slice(ID_PREFIX.length))))),
    count: () => Promise.resolve(written),
  },
}

function requestOf(mode: SearchRequest['mode'], random: () => number, limit = 10): SearchRequest {
  return {
    version: { tenantId: 't', index: 'things', model: 'm', watermark: written, engine: 'pgvector' },
    mode,
    query: wordsOf(random, 3),
    vector: mode === 'keyword' ? null : vectorOf(random),
    visible: { field: 'visibility', anyOf: ['public'] },
    filter: { number: 'expires', above: Date.now(), below: null, orMissing: true },
    offset: 0,
    limit,
    minSimilarity: null,
    vectorWeight: 0.5,
    groups: null,
    explain: false,
  }
}

/** Runs a search for each request. Prints how long the searches took, and the processor time of this process. */
async function measure<T>(name: string, count: number, search: (place: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  const times: number[] = []
  const began = process.cpuUsage()
  for (let place = 0; place < count; place++) {
    const started = performance.now()
    answers.push(await search(place))
    times.push(performance.now() - started)
  }
  const { user, system } = process.cpuUsage(began)
  times.sort((a, b) => a - b)
  const at = (share: number): string => times[Math.floor(share * (count - 1))].toFixed(1).padStart(7)
  const own = ((user + system) / 1_000 / count).toFixed(1).padStart(6)
  console.log(`${name.padEnd(28)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   of it here ${own} ms`)
  return answers
}

/** Returns the ten nearest public documents of each vector, by comparing all of them once. */
function nearestOf(vectors: readonly Float32Array[]): Set<string>[] {
  const lists = vectors.map((): { id: string; cosine: number }[] => [])
  for (let n = 0; n < entries; n++) {
    if (n % 10 === 0) continue
    const { id, passages } = documentOf(n)
    for (const [i, vector] of vectors.entries()) {
      let cosine = 0
      for (let at = 0; at < DIMENSIONS; at++) cosine += vector[at] * passages[0].vector[at]
      const list = lists[i]
      if (list.length === 10 && cosine <= list[9].cosine) continue
      list.push({ id, cosine })
      list.sort((a, b) => b.cosine - a.cosine)
      list.length = Math.min(10, list.length)
    }
  }
  return lists.map((list) => new Set(list.map(({ id }) => id)))
}

const server = await startPgvector([
  `shared_buffers=${values['shared-buffers']}`,
  'maintenance_work_mem=2GB',
  'max_parallel_maintenance_workers=1',
])
const database = openDatabase({ dataDir: '', databaseUrl: server.url, poolMax: 4 })
try {
  const host = new ReplicaHost(database, [source])
  const began = performance.now()
  await host.warm(requestOf('keyword', seeded(2)).version)
  console.log(`${entries} entries, replica built in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  const random = seeded(3)
  const requests = Array.from({ length: searches }, () => requestOf('semantic', random))
  const nearest = nearestOf(requests.map(({ vector }) => vector!))
  for (const request of requests.slice(0, 20)) await host.search(request)
  const answers = await measure('by meaning', searches, (place) => host.search(requests[place]))
  const right = answers.flatMap(({ hits }, place) => hits.filter(({ id }) => nearest[place].has(id))).length
  console.log(`recall of the first ten by meaning: ${(right / (10 * searches)).toFixed(3)}`)
  await measure('by words', searches, () => host.search(requestOf('keyword', random)))
  await measure('by both', searches, () => host.search(requestOf('hybrid', random)))
  await measure('by words, after a write', 50, async () => {
    written++
    const { id, text } = documentOf(written - 1)
    const request = { ...requestOf('keyword', random), query: text.title[0], visible: { all: [] } }
    const { hits } = await host.search(request)
    if (!hits.some((hit) => hit.id === id)) throw new Error('a write was not found')
  })
  console.log(`memory of this process: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`)
} finally {
  await database.close()
  await server.stop()
}
