import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/support/patience.ts'
import { ChangingSource } from '../../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { answerOf, plainSearch } from '../../../../test/support/search/plain-search.ts'
import { document } from '../../../../test/support/search/source.ts'
import type { IndexDocument } from '../../engine.ts'
import { IndexHost } from './index-host.ts'

const TENANT = 't'
const ROOMY = 2 ** 30
/** Distinct words of a large note: about half a megabyte of an index. */
const WORDS = 5_000

let words = 0

/** Returns a document of distinct words that no other document has, beside one that all documents have. */
function note(id: string, owner: string | null, count = WORDS): IndexDocument {
  const own = Array.from({ length: count }, () => `w${(words++).toString(36)}`).join(' ')
  return { ...document(id, `lamp ${own}`), keys: owner === null ? {} : { owner: [owner] } }
}

function short(id: string, owner: string | null, title = `lamp ${id}`): IndexDocument {
  return { ...document(id, title), keys: owner === null ? {} : { owner: [owner] } }
}

/** A host whose tenant may take `tenantBytesMax`, and a source that a test writes. */
function stage(tenantBytesMax: number) {
  const clock = { ms: 0 }
  const source = new ChangingSource(DEFINITION)
  const options = { analyser: plainAnalyser, now: () => clock.ms }
  const host = new IndexHost([source], { bytesMax: ROOMY, tenantBytesMax }, options)
  const find = async (query = 'lamp'): Promise<string[]> => {
    const request = { ...plainSearch(source.versionOf(TENANT), query), limit: 1_000 }
    return (await answerOf(host, request)).hits.map(({ id }) => id).sort()
  }
  const leftOut = () =>
    host
      .status(TENANT)
      .leftOutDocuments.map(({ id }) => id)
      .sort()
  /** Lets the host look for documents that may come back, as its follower does all the time. */
  const follow = (): void => {
    clock.ms += 120_000
    host.follow(source.versionOf(TENANT))
  }
  return { host, source, find, leftOut, follow }
}

/** Returns the bytes that an index of these documents takes. */
async function bytesOf(documents: readonly IndexDocument[]): Promise<number> {
  const { host, source, find } = stage(ROOMY)
  for (const each of documents) source.put(TENANT, each)
  await find()
  await host.settled()
  return host.status(TENANT).bytes
}

const idsFrom = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`)

test('where a person fills the room of the tenant, only the newest of that person’s documents are left out', async () => {
  const bytes = await bytesOf(idsFrom('x', 6).map((id) => note(id, 'eve')))
  const { host, source, find, leftOut } = stage(bytes)
  for (const id of idsFrom('ann', 20)) source.put(TENANT, short(id, 'ann'))
  for (const id of idsFrom('eve', 40)) source.put(TENANT, note(id, 'eve'))
  for (const id of idsFrom('bob', 20)) source.put(TENANT, short(id, 'bob'))
  source.put(TENANT, short('shared', null))
  const found = await find()
  for (const id of [...idsFrom('ann', 20), ...idsFrom('bob', 20), 'shared']) assert.ok(found.includes(id), id)
  const out = leftOut()
  assert.deepEqual(
    [...found, ...out].sort(),
    [...idsFrom('ann', 20), ...idsFrom('bob', 20), ...idsFrom('eve', 40), 'shared'].sort(),
  )
  assert.ok(out.length >= 30 && out.every((id) => id.startsWith('eve')), out.join(' '))
  assert.ok(found.includes('eve0') && !out.includes('eve1'), 'the oldest stay')
  const { leftOut: count, leftOutDocuments, bytes: taken } = host.status(TENANT)
  assert.equal(count, out.length)
  assert.ok(leftOutDocuments.every(({ index, owner }) => index === 'things' && owner === 'eve'))
  assert.ok(taken <= bytes, `${taken} of ${bytes} bytes are taken`)
})

test('documents of others that come when the room is full push out those of whoever takes most', async () => {
  const bytes = await bytesOf(idsFrom('x', 8).map((id) => note(id, 'eve')))
  const { host, source, find, leftOut } = stage(bytes)
  for (const id of idsFrom('eve', 12)) source.put(TENANT, note(id, 'eve'))
  await find()
  assert.ok(leftOut().length > 0)
  for (const id of idsFrom('ann', 2)) source.put(TENANT, note(id, 'ann'))
  await until(async () => (await find()).filter((id) => id.startsWith('ann')).length === 2, 'the others are found')
  assert.ok(leftOut().length > 0 && leftOut().every((id) => id.startsWith('eve')))
  assert.ok((await find()).includes('eve0'))
  await host.settled()
  assert.ok(host.status(TENANT).bytes <= bytes)
})

test('searches are exact over what is left, while one owner alone takes everything', async () => {
  const bytes = await bytesOf(idsFrom('x', 4).map((id) => note(id, null)))
  const { source, find, leftOut } = stage(bytes)
  for (const id of idsFrom('d', 10)) source.put(TENANT, note(id, null))
  const found = await find()
  assert.ok(found.length >= 2 && found.includes('d0'))
  assert.deepEqual([...found, ...leftOut()].sort(), idsFrom('d', 10).sort())
})

test('documents that were left out come back once others are deleted', async () => {
  const bytes = await bytesOf(idsFrom('x', 6).map((id) => note(id, 'eve')))
  const { host, source, find, leftOut, follow } = stage(bytes)
  for (const id of idsFrom('eve', 12)) source.put(TENANT, note(id, 'eve'))
  const found = await find()
  const out = leftOut()
  assert.ok(found.length > 2 && out.length > 2)
  for (const id of found.slice(0, 2)) source.remove(TENANT, id)
  await find()
  await until(async () => {
    follow()
    await host.settled()
    return leftOut().length <= out.length - 1
  }, 'a document has come back')
  for (const id of found) source.remove(TENANT, id)
  for (const id of out.slice(1)) source.remove(TENANT, id)
  await find()
  await until(async () => {
    follow()
    return (await find()).includes(out[0])
  }, 'the last document has come back')
  assert.deepEqual(leftOut(), [])
  assert.equal(host.status(TENANT).leftOut, 0)
})

test('a document that was left out is forgotten with its deletion, and its new text is tried again', async () => {
  const bytes = await bytesOf(idsFrom('x', 4).map((id) => note(id, 'eve')))
  const { source, find, leftOut } = stage(bytes)
  for (const id of idsFrom('eve', 8)) source.put(TENANT, note(id, 'eve'))
  await find()
  const out = leftOut()
  source.remove(TENANT, out[0])
  await find()
  assert.deepEqual(leftOut(), out.slice(1))
  source.put(TENANT, short(out[1], 'ann'))
  assert.ok((await find()).includes(out[1]))
  assert.deepEqual(leftOut(), out.slice(2))
})

test('a document that outgrows the room loses its former words too', async () => {
  const bytes = await bytesOf(idsFrom('x', 4).map((id) => note(id, 'eve')))
  const { source, find, leftOut } = stage(bytes)
  source.put(TENANT, short('grown', 'eve', 'lamp former'))
  assert.deepEqual(await find('former'), ['grown'])
  source.put(TENANT, note('grown', 'eve', 60_000))
  assert.deepEqual([await find('former'), await find(), leftOut()], [[], [], ['grown']])
})

test('a tenant whose memory is full does not read again and again what it leaves out', async () => {
  const bytes = await bytesOf(idsFrom('x', 4).map((id) => note(id, 'eve')))
  const { host, source, find, leftOut } = stage(bytes)
  for (const id of idsFrom('eve', 10)) source.put(TENANT, note(id, 'eve'))
  await find()
  const out = leftOut()
  let reads = 0
  const { documents } = source.values
  Object.assign(source.values, {
    documents: (...args: Parameters<typeof documents>) => {
      reads++
      return documents(...args)
    },
  })
  for (let i = 0; i < 50; i++) host.follow(source.versionOf(TENANT))
  await find()
  await host.settled()
  assert.ok(reads <= 1, `${reads} reads`)
  assert.deepEqual(leftOut(), out)
})
