import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { HANG_MS, unlessItHangs } from '../../../../test/support/patience.ts'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { csvRecords } from './csv.ts'
import { type FeedRecord, UnusableFeed } from './feed-record.ts'
import { googleRecords } from './google-xml.ts'
import { jsonListRecords } from './json.ts'
import { recordOf } from './record.ts'

const CHUNK = 64 * 1_024

async function* chunksOf(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) {
    const bytes = Buffer.from(text)
    for (let i = 0; i < bytes.length; i += CHUNK) {
      yield bytes.subarray(i, i + CHUNK)
      // Timers ring in between, and with them the end of a test that hangs.
      await turn()
    }
  }
}

async function read(records: AsyncGenerator<FeedRecord>): Promise<(string | Record<string, unknown>)[]> {
  const results: (string | Record<string, unknown>)[] = []
  for await (const record of records) results.push('fault' in record ? record.fault : { ...record.record })
  return results
}

const items = (...texts: string[]) =>
  googleRecords(
    chunksOf('<rss><channel>', ...texts.map((text) => `<item>${text}</item>`), '</channel></rss>'),
    'utf-8',
    new LineTally(),
  )

test('an item that is too deep or too large fails alone', async () => {
  const deep = `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`
  const many = Array.from({ length: 50_000 }, (_, i) => `<a${i}/>`).join('')
  const long = `<title>${'x'.repeat(2_200_000)}</title>`
  assert.deepEqual(await read(items(deep, many, long, '<id>1</id>')), [
    'it has more than 32 levels',
    'it has more than 50000 elements',
    'it has more than 2097152 characters',
    { id: '1' },
  ])
})

test('an element called properties and product details do not collide, and no name reaches a prototype', async () => {
  const detail = (name: string) =>
    `<product_detail><attribute_name>${name}</attribute_name><attribute_value>1</attribute_value></product_detail>`
  const own = '<properties>own</properties>'
  const [mixed, pure] = await read(
    items(own + detail('a'), detail('__proto__') + detail('a') + '<__proto__><b/></__proto__>'),
  )
  assert.deepEqual(mixed, { properties: 'own', product_detail: { attribute_name: 'a', attribute_value: '1' } })
  assert.deepEqual(pure, { properties: { a: '1' } })
})

test('endless texts, tags and levels, which the XML parser would keep in memory, are refused', async () => {
  const failed = (text: RegExp) => (error: unknown) => error instanceof UnusableFeed && text.test(error.message)
  const endless = 'x'.repeat(17_000_000)
  for (const open of ['<rss><item><title>', '<rss><item a="', '<rss><!-- ', '<!DOCTYPE a [ ']) {
    const feed = googleRecords(chunksOf(open, endless), 'utf-8', new LineTally())
    await assert.rejects(read(feed), failed(/characters between two tags/))
  }
  await assert.rejects(read(googleRecords(chunksOf('<a>'.repeat(1_001)), 'utf-8', new LineTally())), failed(/levels/))
})

test('a table whose first line does not end is refused before it fills the memory', async () => {
  await assert.rejects(
    read(csvRecords(chunksOf('id,title', ',abcdefgh'.repeat(400_000)), 'utf-8', new LineTally())),
    UnusableFeed,
  )
})

test('members of a product list that are not objects are reported in their place, and other lists are ignored', async () => {
  const other = 'it is not a JSON object'
  const list = '[ null ,{"a":[1,"x",{"b":[2]}]}, 5, "a,b]", [[{"c":1}],[]], {"d":{}}, true]'
  const cut = Array.from(list, (_, i) => [list.slice(0, i), list.slice(i)])
  for (const texts of [[list], list.split(''), ...cut]) {
    const results = await read(jsonListRecords(chunksOf(...texts), 'utf-8', new LineTally()))
    assert.deepEqual(results, [other, { a: [1, 'x', { b: [2] }] }, other, other, other, { d: {} }, other])
  }
  const within = '{"columns":["a","b"],"empty":[],"pages":[1,[{}]],"products":[7,{"a":"1"},[],{"a":"2"},"x"],"n":[8]}'
  assert.deepEqual(await read(jsonListRecords(chunksOf(within), 'utf-8', new LineTally())), [
    other,
    { a: '1' },
    other,
    { a: '2' },
    other,
  ])
  assert.deepEqual(await read(jsonListRecords(chunksOf('["a",1,{}]'), 'utf-8', new LineTally())), [other, other, {}])
})

test('nested brackets take linear time', { timeout: HANG_MS }, async () => {
  const many = 2_000_000
  const text = `${'['.repeat(many)}${'[]'.repeat(many)}${']'.repeat(many)}`
  assert.deepEqual(await read(jsonListRecords(chunksOf(text), 'utf-8', new LineTally())), ['it is not a JSON object'])
  assert.deepEqual(
    await read(jsonListRecords(chunksOf('{"a":[[{"b":1}]],"c":[{"d":[{}]}]}'), 'utf-8', new LineTally())),
    [{ d: [{}] }],
  )
})

test('an amount with many spaces takes linear time', () => {
  const price = `EUR${' '.repeat(1_000_000)}x`
  assert.deepEqual(
    unlessItHangs(() => recordOf({ price })),
    { properties: { price } },
  )
  assert.equal(recordOf({ price: `EUR${' '.repeat(20)}5` }).price_current, '5')
})

test('JSON within a text has the limits of a request body', () => {
  const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
  assert.equal(recordOf({ attributes: deep }).attributes, deep)
  assert.deepEqual(recordOf({ attributes: '{"a":[1]}' }).attributes, { a: [1] })
})
