import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patchOf, updatableFields } from './update.ts'

const fieldsOf = (...names: readonly string[]) => new Set(names.flatMap((name) => updatableFields(name)!))

test('a name is a group or a field that can change', () => {
  assert.deepEqual(updatableFields('availability'), ['availability'])
  assert.deepEqual(updatableFields('price_current'), ['price_current', 'currency'])
  assert.deepEqual(updatableFields('gtin'), ['gtin', 'gtins'])
  assert.ok(updatableFields('price')!.includes('price_special_until'))
  for (const name of ['external_id', 'sync_hash', 'nothing', '', 'toString', 'Price'])
    assert.equal(updatableFields(name), null)
})

test('a record becomes a patch of the named fields alone', () => {
  const record = { id: 1, name: 'T', price: '12,50 CHF', stock: 7, availability: 'in stock', brand: 'B' }
  assert.deepEqual(patchOf(record, fieldsOf('price', 'availability'), {}), {
    external_id: '1',
    price_current: '12.50',
    currency: 'CHF',
    availability: 'InStock',
  })
  assert.deepEqual(patchOf(record, fieldsOf('brand'), {}), { external_id: '1', brand: 'B' })
  assert.deepEqual(patchOf({ name: 'T' }, fieldsOf('title'), {}), { title: 'T' })
})

test('an empty column clears its field, one that the feed does not have leaves it as it is', () => {
  const fields = fieldsOf('price', 'availability', 'brand')
  const record = { id: '1', price: 5, 'sale price': '', availability: null, sku: '' }
  assert.deepEqual(patchOf(record, fields, {}), {
    external_id: '1',
    price_current: '5',
    price_special: null,
    availability: null,
  })
  const dates = { id: '1', sale_price_effective_date: '' }
  assert.deepEqual(patchOf(dates, fields, {}), {
    external_id: '1',
    price_special_from: null,
    price_special_until: null,
  })
  const two = { id: '1', product_type: '', google_product_category: 'Light' }
  assert.deepEqual(patchOf(two, fieldsOf('category'), {}), { external_id: '1', category: 'Light' })
})

test('a price that cannot be read leaves that of the product, and is told', () => {
  const unread: string[] = []
  const rules = { onUnreadPrice: (text: string) => void unread.push(text) }
  assert.deepEqual(patchOf({ id: '1', price: 'ab 5 €' }, fieldsOf('price'), rules), { external_id: '1' })
  assert.deepEqual(unread, ['ab 5 €'])
})

test('barcodes are replaced together, and columns that are no field are members of properties', () => {
  assert.deepEqual(patchOf({ id: '1', ean: '4006381333931' }, fieldsOf('gtin'), {}), {
    external_id: '1',
    gtin: '4006381333931',
    gtins: null,
  })
  assert.deepEqual(patchOf({ id: '1', ean: '', upc: '036000291452' }, fieldsOf('gtin'), {}), {
    external_id: '1',
    gtin: '036000291452',
    gtins: null,
  })
  const record = { id: '1', Farbe: 'rot', Lager: '', title: 'T' }
  assert.deepEqual(patchOf(record, fieldsOf('properties'), {}), {
    external_id: '1',
    properties: { Lager: null, Farbe: 'rot' },
  })
  const map = new Map([
    ['Farbe', 'brand'],
    ['Lager', ''],
  ])
  assert.deepEqual(patchOf(record, fieldsOf('properties', 'brand'), { map }), { external_id: '1', brand: 'rot' })
})
