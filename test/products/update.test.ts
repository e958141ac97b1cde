import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { FeedFiles, importProducts } from './feed-files.ts'

onAnyDatabase('updating products from feeds', (kind) => {
  let service: TestService
  let feeds: FeedFiles
  let sites = 0
  before(async () => {
    service = await TestService.start(kind)
    feeds = new FeedFiles()
  })
  after(async () => {
    await service.stop()
    feeds.remove()
  })

  const file = (name: string, content: string | Buffer) => feeds.write(name, content)
  const run = (args: readonly string[]) => importProducts(service.place, args)
  const updated = async (args: readonly string[], expected: string, code = 0) => {
    const answer = await run(args)
    assert.equal(answer.code, code, answer.said)
    assert.ok(answer.said.includes(expected), answer.said)
    return answer.said
  }
  /** Makes a site with two products of a feed, and returns its slug. */
  const shop = async () => {
    const slug = `update-${++sites}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug, language: 'en' } })
    const lines = ['a', 'b'].map((id) => ({
      id,
      title: `Product ${id}`,
      brand: 'Brand',
      price: '10.00',
      sale_price: '8.00',
      currency: 'CHF',
      availability: 'InStock',
      color: 'red',
    }))
    const feed = file(`${slug}.jsonl`, lines.map((line) => JSON.stringify(line)).join('\n'))
    await updated([feed, '--site', slug], '2 created')
    return { site: slug, feed }
  }
  const product = async (site: string, externalId: string) =>
    (await service.call('GET', `/api/knowledge/products?site_id=${site}&external_id=${externalId}`)).body[0]

  test('products that the default site lacks lead to the names of the other sites, unless one was named', async () => {
    const { site } = await shop()
    const prices = file('prices.csv', 'id;price\na;12 CHF\n')
    const hint = new RegExp(
      `^Without --site, products of the default site \\S+ are updated. The other sites are: .*${site}`,
      'm',
    )
    const said = await updated([prices, '--update', 'price'], '0 updated, 0 unchanged, 1 not imported', 1)
    assert.match(said, hint)
    assert.doesNotMatch(await updated([prices, '--site', site, '--update', 'price'], '1 updated'), /Without --site/)
    // No other site helps a row that names no product.
    const nameless = file('nameless.csv', 'id;price\n;12 CHF\n')
    assert.doesNotMatch(await updated([nameless, '--update', 'price'], '1 not imported', 1), /Without --site/)
  })

  test('only the named fields of products that the site has change; others are named and not made', async () => {
    const { site, feed } = await shop()
    const before = await product(site, 'a')
    const stock = file(
      'stock.csv',
      'id;title;price;availability;color\na;Other;12,50 CHF;out of stock;blue\nx;X;1;in stock;\n',
    )
    const args = [stock, '--site', site, '--update', 'price,availability']
    const dry = await updated([...args, '--dry-run'], '0 created, 1 updated, 0 unchanged, 1 not imported', 1)
    assert.match(dry, /^Nothing was written/m)
    assert.deepEqual(await product(site, 'a'), before)
    const said = await updated(args, '0 created, 1 updated, 0 unchanged, 1 not imported', 1)
    assert.match(said, /^not imported: line 3 \(x\): external_id: Product not found$/m)
    const { version, sync_hash, updated_at, last_synced_at, ...after } = await product(site, 'a')
    assert.deepEqual(after, {
      ...after,
      title: 'Product a',
      brand: 'Brand',
      price_current: '12.50',
      price_special: '8.00',
      currency: 'CHF',
      availability: 'OutOfStock',
      properties: { color: 'red' },
      source: 'import',
    })
    assert.deepEqual([version, sync_hash], [2, null])
    assert.ok(updated_at >= before.updated_at && last_synced_at >= before.last_synced_at)
    assert.equal(await product(site, 'x'), undefined)
    await updated([feed, '--site', site], '0 created, 1 updated, 1 unchanged')
    assert.equal((await product(site, 'a')).price_current, '10.00', 'the next import corrects it')
  })

  test('every format of a feed updates, and an empty column clears', async () => {
    const { site } = await shop()
    const args = ['--site', site, '--update', 'price']
    const csv = file('sale.csv', 'id,price,sale_price\na,11,\nb,11,9\n')
    await updated([csv, ...args], '2 updated')
    assert.deepEqual([(await product(site, 'a')).price_special, (await product(site, 'b')).price_special], [null, '9'])
    const json = file('p.json', '[{"id":"a","price":12.340},{"id":"b","price":13,"sale_price":null}]')
    await updated([json, ...args], '2 updated')
    const [a, b] = [await product(site, 'a'), await product(site, 'b')]
    assert.deepEqual([a.price_current, b.price_current, b.price_special], ['12.340', '13', null])
    const item = '<item><g:id>a</g:id><g:title>New</g:title><g:price>14.00 CHF</g:price></item>'
    const xml = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${item}</channel></rss>`
    await updated([file('p.xml.gz', gzipSync(xml)), '--format', 'google-xml', ...args], '1 updated')
    assert.deepEqual(
      [(await product(site, 'a')).price_current, (await product(site, 'a')).title],
      ['14.00', 'Product a'],
    )
  })

  test('what the feed does not have, cannot be read or names no product is said', async () => {
    const { site } = await shop()
    const csv = file('odd.csv', 'id,price\na,ab 5 €\n,7\n')
    const args = [csv, '--site', site, '--update', 'price', '--update', 'brand,images', '--map', 'sku=nothing']
    const said = await updated(args, '0 updated, 1 unchanged, 1 not imported', 1)
    assert.match(said, /^1 price cannot be read, such as "ab 5 €"; the products keep theirs\.$/m)
    assert.match(said, /^not imported: line 3: external_id: Field required$/m)
    for (const name of ['brand', 'images'])
      assert.ok(said.includes(`--update names "${name}", for which the feed has no column.`), said)
    assert.equal((await product(site, 'a')).price_current, '10.00')
  })

  test('a wrong call says what is wrong', async () => {
    const feed = file('none.csv', 'id\n')
    for (const [args, expected] of [
      [
        ['--update', 'nothing'],
        '--update takes price, rating, images and fields of products that can change, not "nothing"',
      ],
      [['--update', 'external_id'], 'not "external_id"'],
      [['--update', 'price', '--full'], '--update changes what the site has, so it takes no --full'],
      [['--update', 'price', '--language', 'de'], 'so it takes no --language'],
    ] as const) {
      const { code, said } = await run([feed, ...args])
      assert.equal(code, 2, said)
      assert.ok(said.includes(expected), said)
    }
  })
})
