import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { folderOf, knowledge, start } from '../cli/program.ts'
import { DATABASES, onAnyDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'
import { FeedFiles, importProducts } from './feed-files.ts'

onAnyDatabase('importing product feeds', (kind) => {
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
  const newSite = async () => {
    const slug = `feed-${++sites}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug, language: 'en' } })
    return slug
  }
  const run = (args: readonly string[]) => importProducts(service.place, args)
  const products = async (site: string) => {
    const { body } = await service.call('GET', `/api/knowledge/products?site_id=${site}`)
    return (body as Record<string, unknown>[]).toSorted((a, b) =>
      String(a.external_id).localeCompare(String(b.external_id)),
    )
  }
  const imported = async (args: readonly string[], expected: string, code = 0) => {
    const answer = await run(args)
    assert.equal(answer.code, code, answer.said)
    assert.ok(answer.said.includes(expected), answer.said)
    return answer.said
  }

  test('JSON Lines, gzipped: prices keep their digits, and the second import skips what has not changed', async () => {
    const site = await newSite()
    const lines = ['{"id":1,"name":"One","price":19.90}', '{"id":"2","name":"Two","price":"99999999999999.99"}']
    const path = file('a.jsonl.gz', gzipSync(lines.join('\n')))
    await imported([path, '--site', site], '2 created, 0 updated, 0 unchanged')
    assert.deepEqual(
      (await products(site)).map((row) => [row.external_id, row.title, row.price_current, row.language, row.source]),
      [
        ['1', 'One', '19.90', 'en', 'import'],
        ['2', 'Two', '99999999999999.99', 'en', 'import'],
      ],
    )
    await imported([path, '--site', site], '0 created, 0 updated, 2 unchanged')
    const output = join(feeds.folder, 'export.jsonl')
    const written = await knowledge(service.place, ['export', '-o', output])
    assert.ok(written.stderr.endsWith(`0 entries, 2 products and 2 sites written to ${output}\n`), written.stderr)
    const { stdout } = await knowledge(service.place, ['doctor'], { env: { PORT: '0' } })
    assert.match(stdout, /^ok +tenants +tenant default: 0 entries and 2 products, all with vectors$/m)
    const changed = file('a2.jsonl', [lines[0], '{"id":"2","name":"New"}'].join('\n'))
    await imported([changed, '--site', site], '0 created, 1 updated, 1 unchanged')
  })

  test('an import says which currencies it took, and how many prices had none', async () => {
    const site = await newSite()
    const rows = ['1,A,19.90 USD,', '2,B,5,', '3,C,6,CHF', '4,D,7,', '5,E,,']
    const path = file('money.csv', `id,title,price,currency\n${rows.join('\n')}\n`)
    const line = 'Currencies: 2 EUR, 1 CHF, 1 USD; 2 of them named none, which is taken as EUR\n'
    await imported([path, '--site', site, '--dry-run'], line)
    await imported([path, '--site', site], line)
    assert.deepEqual(
      (await products(site)).map(({ currency }) => currency),
      ['USD', 'EUR', 'CHF', 'EUR', 'EUR'],
    )
    const named = file('named.csv', 'id,title,price\n1,A,5 EUR\n')
    await imported([named, '--site', site], 'Currencies: 1 EUR\n')
    const free = file('free.csv', 'id,title\n1,A\n')
    assert.ok(!(await run([free, '--site', site])).said.includes('Currenc'))
  })

  test('an import names the fields that it emptied, since the feed has no value for them any more', async () => {
    const site = await newSite()
    const full = file('full.csv', 'id,title,brand,description\n1,A,Bohrfix,Drills\n2,B,Bohrfix,\n3,C,,\n')
    assert.ok(!(await run([full, '--site', site])).said.includes('mpt'))
    const thin = file('thin.csv', 'id,title\n1,A\n2,B\n3,C\n')
    const fields = ', since the feed has no value for it: brand of 2 products, description of 1 product. To keep'
    await imported([thin, '--site', site, '--dry-run'], `It would empty${fields}`)
    await imported([thin, '--site', site], `Emptied${fields}`)
    assert.ok(!(await run([thin, '--site', site])).said.includes('mptied'))
    const sized = file('sized.csv', 'id,title,price,colour,size\n1,A,5,red,L\n2,B,6,blue,M\n3,C,7,green,\n')
    await imported([sized, '--site', site], '3 updated')
    const sizeless = file('sizeless.csv', 'id,title,price,colour\n1,A,5,red\n2,B,6,blue\n3,C,7,green\n')
    const lost = ', since the feed has no value for it: size of 2 products. To keep'
    await imported([sizeless, '--site', site, '--dry-run'], `It would empty${lost}`)
    await imported([sizeless, '--site', site], `Emptied${lost}`)
    const plain = file('plain.csv', 'id,title,price\n1,A,5\n2,B,6\n3,C,7\n')
    await imported([plain, '--site', site], 'properties of 3 products')
    const [wide, row] = [Array.from({ length: 25 }, (_, i) => `c${10 + i}`), Array.from({ length: 25 }, () => 'x')]
    const broad = file('broad.csv', `id,title,kept,${wide.join(',')}\n1,A,x,${row.join(',')}\n`)
    await imported([broad, '--site', site], '1 updated')
    const narrow = file('narrow.csv', 'id,title,kept\n1,A,x\n')
    await imported([narrow, '--site', site], 'c28 of 1 product, c29 of 1 product and 5 more. To keep')
  })

  test('JSON: the objects of a list, also inside an object; a truncated file retires nothing', async () => {
    const site = await newSite()
    const list = file(
      'b.json',
      '\ufeff[{"id":"1","title":"[a] {b} \\" c"},\n{"id":"2","title":"B","attributes":{"x":[{}]}}]',
    )
    await imported([list, '--site', site], '2 created')
    const within = file('c.json', '{"meta":{"tags":["x"]},"products":[{"id":"3","title":"C"}]}')
    await imported([within, '--site', site], '1 created')
    const titles = (await products(site)).map((row) => row.title)
    assert.deepEqual(titles, ['[a] {b} " c', 'B', 'C'])
    const cut = file('d.json', '[{"id":"1","title":"A"},{"id":"2"')
    await imported([cut, '--site', site, '--full'], 'ends in the middle', 1)
    assert.equal((await products(site)).length, 3)
  })

  test('CSV: any delimiter, quotes, an encoding, a mapping of columns; a bad line affects only itself', async () => {
    const site = await newSite()
    const text = 'Nr;Bezeichnung;Preis;Farbe\n1;"Schöner; ""Tisch""";1.299,00 EUR;rot\n;;;\n2;;5;\n3;Stuhl;19,90;\n'
    const path = file('e.csv', Buffer.from(text, 'latin1'))
    const twice = await newSite()
    await imported([file('o.csv', 'Bezeichnung\n'), '--site', twice], 'There is no product in the feed.')
    const nameless = file('n.csv', 'Bezeichnung;Lager\nFeile;7\n')
    const warned = await imported([nameless, '--site', twice, '--map', 'sku=Nummer'], '1 created')
    assert.match(warned, /^--map names the column "Nummer", which the feed does not have\.$/m)
    assert.match(warned, /^1 product has no external_id, so importing .* adds it again\. .*--map external_id=COLUMN$/m)
    const map = ['--map', 'external_id=Nr', '--site', site]
    await imported([path, ...map], 'not in utf-8', 1)
    const said = await imported([path, ...map, '--encoding', 'windows-1252'], '2 created', 1)
    assert.match(said, /line 4: title: Field required/)
    assert.deepEqual(
      (await products(site)).map((row) => [
        row.external_id,
        row.title,
        row.price_current,
        row.currency,
        row.properties,
      ]),
      [
        ['1', 'Schöner; "Tisch"', '1299.00', 'EUR', { Farbe: 'rot' }],
        ['3', 'Stuhl', '19.90', 'EUR', {}],
      ],
    )
  })

  test('a price that cannot be read loses the price alone, and every barcode is kept', async () => {
    const site = await newSite()
    const rows = ['Artikelnr;Bezeichnung;Preis;EAN;Herstellernummer', '1;Zange;ab 5 €;4006381333931, 36000291452;Z-1']
    const path = file('p.csv', [...rows, '2;Feile;5,- €;;', ''].join('\n'))
    const said = await imported([path, '--site', site], '2 created')
    assert.match(said, /^1 price cannot be read, such as "ab 5 €"; it is kept as a property\.$/m)
    assert.deepEqual(
      (await products(site)).map((row) => [row.price_current, row.gtin, row.gtins, row.sku, row.properties]),
      [
        [null, '4006381333931', ['36000291452'], 'Z-1', { Preis: 'ab 5 €' }],
        ['5.00', null, undefined, null, {}],
      ],
    )
    const body = { query: '036000291452', mode: 'keyword', site_id: site }
    const { hits } = (await service.call('POST', '/api/knowledge/products/search', { body })).body
    assert.deepEqual(
      hits.map((hit: { product: { title: string } }) => hit.product.title),
      ['Zange'],
    )
  })

  test('Google Merchant XML: items and entries, repeated elements, details, CDATA', async () => {
    const site = await newSite()
    const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>
      <item><g:id>1</g:id><title><![CDATA[Tee & Co]]></title><g:price>19.90 USD</g:price><g:availability>in_stock</g:availability>
      <link>https://a.example/?a=1&amp;b=2</link><g:additional_image_link>https://i/1</g:additional_image_link>
      <g:additional_image_link>https://i/2</g:additional_image_link><g:item_group_id>tee</g:item_group_id>
      <g:product_detail><g:section_name>S</g:section_name><g:attribute_name>Stoff</g:attribute_name>
      <g:attribute_value>Wolle</g:attribute_value></g:product_detail></item></channel></rss>`
    await imported([file('f.xml', rss), '--site', site, '--full'], '1 created')
    const [product] = await products(site)
    assert.deepEqual(
      [product.title, product.price_current, product.currency, product.availability, product.product_url],
      ['Tee & Co', '19.90', 'USD', 'InStock', 'https://a.example/?a=1&b=2'],
    )
    assert.deepEqual(
      [product.additional_images, product.properties, product.is_variant],
      [['https://i/1', 'https://i/2'], { Stoff: 'Wolle' }, true],
    )
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>2</id><title>Two</title><link href="https://x"/></entry></feed>`
    await imported([file('g.xml', atom), '--site', site, '--full'], '1 created, 0 updated, 0 unchanged, 1 removed')
    assert.deepEqual(
      (await products(site)).map((row) => row.product_url),
      ['https://x'],
    )
    await imported([file('h.xml', rss.slice(0, -20)), '--site', site, '--full'], 'not valid XML', 1)
    assert.equal((await products(site)).length, 1)
  })

  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  const CSV_HEAD = 'id;title;brand'
  const csv = (from: number, to: number) => rows(from, to).map((i) => `c-${i};"Product ${i}";Brand`)
  const jsonl = (from: number, to: number) => rows(from, to).map((i) => `{"id":"c-${i}","title":"Product ${i}"}`)

  test('a truncated feed retires nothing, stores what could be read, and fails', async () => {
    const items = rows(0, 40).map((i) => `<item><id>c-${i}</id><title>Product ${i}</title></item>`)
    const xml = `<rss><channel>${items.join('')}</channel></rss>`
    const table = [CSV_HEAD, ...csv(0, 40)].join('\n')
    const list = `[${jsonl(0, 40).join(',')}]`
    // All but four lines: fewer products are missing than may be retired by default.
    const cuts: [string, Buffer, RegExp][] = [
      [
        'row.csv',
        Buffer.from(table.slice(0, table.indexOf('c-36')) + 'c-36;"Pro"'),
        /line 38: the file ends in the middle/,
      ],
      ['quote.csv', Buffer.from(table.slice(0, table.indexOf('c-36')) + 'c-36;"Pro'), /middle of a quoted field/],
      ['line.jsonl', Buffer.from(jsonl(0, 40).join('\n').slice(0, -180)), /line \d+: Invalid JSON/],
      ['list.json', Buffer.from(list.slice(0, -180)), /JSON ends in the middle/],
      ['items.xml', Buffer.from(xml.slice(0, xml.indexOf('c-36'))), /not valid XML/],
      ['zip.jsonl.gz', gzipSync(jsonl(0, 4_000).join('\n')).subarray(0, -40), /gzip file is damaged/],
    ]
    for (const [name, content, reason] of cuts) {
      const site = await newSite()
      await imported([file(`whole-${name}.csv`, `${table}\nold;Old;Brand`), '--site', site], '41 created')
      const { code, said } = await run([file(name, content), '--site', site, '--full'])
      assert.match(said, reason, name)
      assert.match(said, /othing was retired|not retired/, name)
      assert.match(said, /[1-9]\d* unchanged|[1-9]\d* updated/, name)
      assert.equal(code, 1, said)
      for (const name of ['old', 'c-39']) {
        const { body } = await service.call('GET', `/api/knowledge/products?site_id=${site}&external_id=${name}`)
        assert.equal(body.length, 1, `${name} is there after ${reason.source}`)
      }
    }
  })

  test('half a CSV retires nothing without --max-retired, and reports what would be retired', async () => {
    const site = await newSite()
    const whole = file('shop.csv', [CSV_HEAD, ...csv(0, 60), ''].join('\n'))
    await imported([whole, '--site', site, '--full'], '60 created')
    const half = file('half.csv', [CSV_HEAD, ...csv(0, 30), ''].join('\n'))
    const refused = await imported([half, '--site', site, '--full'], '0 created, 0 updated, 30 unchanged', 1)
    assert.match(refused, /^not in the feed: c-30, .*, and 10 more$/m)
    assert.match(refused, /30 of the 60 products .* may retire 6: .*--max-retired 30$/m)
    assert.equal((await products(site)).length, 60)
    const dry = [half, '--site', site, '--full', '--dry-run']
    await imported([...dry], '30 unchanged', 1)
    const allowed = await imported([...dry, '--max-retired', '50%'], 'Nothing was written. It would be: ')
    assert.match(allowed, /0 created, 0 updated, 30 unchanged, 30 removed/)
    assert.equal((await products(site)).length, 60)
    await imported([half, '--site', site, '--full', '--max-retired', '30'], '30 unchanged, 30 removed')
    assert.equal((await products(site)).length, 30)
    await imported([whole, '--site', site, '--dry-run'], 'It would be: 0 created, 30 updated, 30 unchanged')
    assert.equal((await products(site)).length, 30)
  })

  test('a useless feed is given up early, with a message that says where, and retires nothing', async () => {
    const site = await newSite()
    await imported([file('some.csv', [CSV_HEAD, ...csv(0, 3)].join('\n')), '--site', site], '3 created')
    // More than the limit of 64 MiB without a product.
    const blank = Buffer.alloc(80_000_000, '\n')
    const nothing: [string, Buffer, RegExp][] = [
      ['n.jsonl.gz', gzipSync(blank, { level: 1 }), /More than 10000 lines, .* Nothing after line 1\d{4} was read/],
      ['n.jsonl', Buffer.from(`${jsonl(0, 1)[0]}\n${'{}\n'.repeat(50_000)}`), /Nothing after line 10002 was read/],
      ['n.json', Buffer.from(`[${'1,'.repeat(50_000)}${jsonl(0, 1)[0]}]`), /Nothing after product 10001 was read/],
      [
        'n.csv',
        Buffer.from(`${CSV_HEAD}\n${';;\n'.repeat(50_000)}${csv(0, 1)[0]}\n`),
        /Nothing after line 10002 was read/,
      ],
    ]
    for (const [name, content, reason] of nothing.slice(0, inTier({ gate: 1, all: nothing.length }))) {
      const { code, said } = await run([file(name, content), '--site', site, '--full'])
      // The whole output has ten thousand lines.
      const end = said.slice(-500)
      assert.match(end, reason, name)
      assert.match(end, /^Nothing was retired\.$/m, name)
      assert.equal(code, 1)
    }
    const silent: [string, string][] = [
      ['s.csv.gz', `${CSV_HEAD}\n`],
      ['s.xml.gz', '<rss><channel>'],
      ['s.json.gz', '{"tags":["a"],"more":"'],
    ]
    for (const [name, head] of silent.slice(0, inTier({ gate: 1, all: silent.length }))) {
      const text = Buffer.concat([Buffer.from(head), name.includes('xml') ? Buffer.alloc(blank.length, '<a/>') : blank])
      await imported(
        [file(name, gzipSync(text, { level: 1 })), '--site', site],
        'more than 67108864 bytes without a product',
        1,
      )
    }
    assert.equal((await products(site)).length, 3)
  })

  test('a missing site and a damaged file are reported as such', async () => {
    await imported([file('i.jsonl', '{"id":"1","title":"T"}'), '--site', 'nowhere'], 'There is no site nowhere', 1)
    const damaged = Buffer.concat([gzipSync('a;b\n1;2\n').subarray(0, 15), Buffer.from('x')])
    await imported([file('j.csv.gz', damaged)], 'gzip file is damaged', 1)
  })

  test('ctrl-C finishes the running batch and retires nothing; the next run continues', async () => {
    const site = await newSite()
    await imported([file('l.jsonl', '{"id":"old","title":"Old"}'), '--site', site], '1 created')
    const many = Array.from({ length: 8_000 }, (_, i) => `{"id":"n-${i}","title":"Product ${i}"}`).join('\n')
    const path = file('m.jsonl', many)
    const { process: child, finished } = start(service.place, ['import-products', path, '--site', site, '--full'])
    await until(async () => (await products(site)).length >= 2, 'the first products are there')
    child.kill('SIGINT')
    const { code, stderr } = await finished
    assert.equal(code, 130, stderr)
    assert.match(stderr, /Interrupted; nothing is lost/)
    const listed = await service.call('GET', `/api/knowledge/products?site_id=${site}&external_id=old`)
    assert.equal(listed.body.length, 1)
    const again = await run([path, '--site', site, '--full'])
    assert.match(again.said, /, [1-9]\d* unchanged, 1 removed/)
  })
})

test('a wrong call of import-products says what is wrong with it', async (t) => {
  // None of these gets as far as opening a database.
  const place = await DATABASES[0].create()
  t.after(place.remove)
  const folder = folderOf(t, { 'i.jsonl': '{"id":"1","title":"T"}', k: 'plain' })
  const path = join(folder, 'i.jsonl')
  const wrong: [string[], string][] = [
    [[], 'Nothing to import'],
    [[join(folder, 'nowhere.csv')], 'There is no'],
    [[folder], 'is a folder'],
    [[path, '--format', 'pdf'], '--format must be one of'],
    [[path, '--map', 'nonsense=x'], '--map takes'],
    [[path, '--max-retired', '5'], '--max-retired needs --full'],
    [[path, '--full', '--max-retired', 'half'], '--max-retired takes a number of products, or a percentage'],
    [[path, '--encoding', 'klingon'], 'no encoding klingon'],
    [[join(folder, 'k')], 'The format of the file cannot be detected'],
  ]
  for (const [args, expected] of wrong) {
    const { code, stderr } = await knowledge(place, ['import-products', ...args])
    assert.deepEqual([code, stderr.includes(expected)], [2, true], stderr)
  }
})
