import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from './record.ts'

test('fields are recognised by their names and by common synonyms', () => {
  const record = {
    ID: '7',
    'Product Name': 'Drill',
    Hersteller: 'Bosch',
    ean: ['4006381333931', '2'],
    image_link: 'https://i.example/1',
    Colour: 'blue',
    weight: 1.5,
    empty: '',
    none: null,
  }
  assert.deepEqual(recordOf(record, { language: 'de' }), {
    external_id: '7',
    title: 'Drill',
    brand: 'Bosch',
    gtin: '4006381333931',
    gtins: ['2'],
    image_url: 'https://i.example/1',
    properties: { Colour: 'blue', weight: 1.5 },
    language: 'de',
  })
})

test('German column names are recognised with points and umlauts', () => {
  assert.deepEqual(recordOf({ 'Art.-Nr.': 'A 1', Bezeichnung: 'Feile', Verfügbarkeit: 'sofort', Währung: 'CHF' }), {
    external_id: 'A 1',
    title: 'Feile',
    availability: 'sofort',
    currency: 'CHF',
  })
})

test("the API's own name wins over a synonym, whose column becomes a property", () => {
  assert.deepEqual(recordOf({ name: 'short', title: 'Title', id: 1, external_id: 'x' }), {
    title: 'Title',
    external_id: 'x',
    properties: { name: 'short', id: 1 },
  })
})

test('a mapping gives a column its field, and an empty mapping leaves the column out', () => {
  const map = new Map([
    ['Nr', 'external_id'],
    ['name', 'brand'],
    ['secret', ''],
  ])
  assert.deepEqual(recordOf({ Nr: '1', name: 'B', secret: 'x', titel: 'T' }, { map }), {
    external_id: '1',
    brand: 'B',
    title: 'T',
  })
})

test('amounts of money become decimal text, with their currency', () => {
  const cases: [string, string, string?][] = [
    ['19.90', '19.90'],
    ['19,90', '19.90'],
    ['1.299,00 €', '1299.00', 'EUR'],
    ['1,299.00', '1299.00'],
    ['1,299', '1299'],
    ['0,999', '0.999'],
    ['1.299', '1.299'],
    ['1.299.000', '1299000'],
    ["1'299.50", '1299.50'],
    ['1 299,5', '1299.5'],
    ['USD 5', '5', 'USD'],
    ['15.00 GBP', '15.00', 'GBP'],
    ['5,- €', '5.00', 'EUR'],
    ['€ 5,-', '5.00', 'EUR'],
    ['5,--', '5.00'],
    ['1.299,– EUR', '1299.00', 'EUR'],
    ["1'299.-", '1299.00'],
    ['1,299.-', '1299.00'],
    ['-5', '-5'],
  ]
  for (const [sent, expected, currency] of cases) {
    const product = recordOf({ price: sent })
    assert.deepEqual([product.price_current, product.currency], [expected, currency], sent)
  }
})

test('a price that cannot be read is lost to its product alone, stays as a property and is told', () => {
  const unread: string[] = []
  const rules = { onUnreadPrice: (text: string) => void unread.push(text) }
  for (const price of ['ab 5 €', 'on request', '5 - 7 €', ',-']) {
    assert.deepEqual(recordOf({ title: 'T', price, rating: 'good' }, rules), {
      title: 'T',
      rating_average: 'good',
      properties: { price },
    })
  }
  assert.deepEqual(unread, ['ab 5 €', 'on request', '5 - 7 €', ',-'])
})

test('all barcodes of a product are kept, each once whatever its leading zeros', () => {
  const codes = ['036000291452', '4006381333931']
  const cases: [Record<string, unknown>, string[]][] = [
    [{ ean: codes }, codes],
    [{ gtin: codes.join(',') }, codes],
    [{ gtin: codes.join(' | ') }, codes],
    [{ gtin: codes.join(' ') }, codes],
    [{ gtins: JSON.stringify(codes) }, codes],
    [{ upc: 36000291452, ean: '0036000291452; 4006381333931' }, ['36000291452', '4006381333931']],
    [{ gtin: '4 006381 333931' }, ['4 006381 333931']],
    [{ gtin: codes[0], ean: [] }, [codes[0]]],
  ]
  for (const [record, [gtin, ...gtins]] of cases) {
    assert.deepEqual(recordOf(record), { gtin, ...(gtins.length === 0 ? {} : { gtins }) }, JSON.stringify(record))
  }
})

test('barcodes that a product has no room for are kept as a property', () => {
  const ean = Array.from({ length: 1_002 }, (_, i) => String(40_000_000 + i))
  const { gtins, properties } = recordOf({ ean })
  assert.deepEqual([(gtins as string[]).length, properties], [1_000, { ean }])
  const long = { gtin: 'x'.repeat(51) }
  assert.deepEqual(recordOf(long), { properties: long })
})

test("the merchant's category comes before Google's number, which counts where there is no other", () => {
  const record = { google_product_category: '2271', product_type: 'Kleider > Sommer' }
  assert.deepEqual(recordOf(record), {
    category: 'Kleider > Sommer',
    properties: { google_product_category: '2271' },
  })
  assert.deepEqual(recordOf({ google_product_category: '2271' }), { category: '2271' })
})

test('the number of the manufacturer is a part number', () => {
  for (const name of ['Herstellernummer', 'Hersteller-Nr.', 'MPN', 'Teilenummer']) {
    assert.deepEqual(recordOf({ [name]: 'GSR 18-2' }), { sku: 'GSR 18-2' }, name)
  }
})

test('a language with an underscore, as shops write it, becomes a language tag', () => {
  assert.equal(recordOf({ id: '1', lang: 'en_US' }).language, 'en-US')
})

test('texts become lists, objects, flags or whole numbers as their field requires', () => {
  const record = {
    additional_images: 'https://a/1,https://a/2',
    search_keywords: 'drill | Bohrer; x',
    attributes: '{"a":1}',
    is_variant: 'ja',
    is_parent: '0',
    rating_count: '12',
    availability: 'in stock',
    sku: 5,
  }
  assert.deepEqual(recordOf(record), {
    additional_images: ['https://a/1', 'https://a/2'],
    search_keywords: ['drill', 'Bohrer', 'x'],
    attributes: { a: 1 },
    is_variant: true,
    is_parent: false,
    rating_count: 12,
    availability: 'InStock',
    sku: '5',
  })
})

test('a product with a group is a variant, unless the group is the product itself', () => {
  assert.deepEqual(recordOf({ id: 'a', item_group_id: 'g' }), {
    external_id: 'a',
    parent_external_id: 'g',
    is_variant: true,
  })
  assert.deepEqual(recordOf({ id: 'a', item_group_id: 'a' }), { external_id: 'a' })
})

test('a text that is too long for an SKU is stored as a property', () => {
  const sku = 'x'.repeat(101)
  assert.deepEqual(recordOf({ sku, title: 'T' }), { title: 'T', properties: { sku } })
})

test('the dates of a special price come from one or two columns, cover whole days, and default to UTC', () => {
  const cases: [Record<string, string>, string | undefined, string | undefined][] = [
    [
      { sale_price_effective_date: '2026-11-24T11:07-0800/2026-11-28T23:07-0800' },
      '2026-11-24T11:07:00-08:00',
      '2026-11-28T23:07:00-08:00',
    ],
    [{ sale_price_effective_date: '2026-11-24/2026-11-28' }, '2026-11-24T00:00:00Z', '2026-11-28T23:59:59.999Z'],
    [{ sale_price_effective_date: '2026-11-24T08:00Z/' }, '2026-11-24T08:00:00Z', undefined],
    [
      { date_on_sale_from: '2026-11-24 08:00:00', date_on_sale_to: '2026-11-28' },
      '2026-11-24T08:00:00Z',
      '2026-11-28T23:59:59.999Z',
    ],
    [{ price_special_from: 'soon' }, 'soon', undefined],
  ]
  for (const [record, from, until] of cases) {
    const product = recordOf({ sale_price: '5', ...record })
    assert.deepEqual([product.price_special_from, product.price_special_until], [from, until], JSON.stringify(record))
    assert.deepEqual([product.price_special, product.properties], ['5', undefined])
  }
})
