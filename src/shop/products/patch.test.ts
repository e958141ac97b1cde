import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductRow } from '../../platform/database/tables.ts'
import { checkPatch, relationFaultsOf } from './check-product.ts'
import { draftOf, newRow } from './draft.ts'
import { ProductPatch } from './patch-contract.ts'
import { identityFault, patchedColumns, sizeFault } from './patch.ts'

const FACTS = { tenantId: 't', siteId: 's', seq: 1, now: 1_000, run: null }

function rowOf(fields: object): ProductRow {
  return newRow(draftOf({ title: 'T', language: 'de', external_id: 'a', ...fields }, 'feed'), FACTS)
}

test('a patch sets the columns of its fields alone, and the hash', () => {
  const before = rowOf({ brand: 'B', attributes: { a: 1 }, price_current: '5', sync_hash: 'h' })
  assert.deepEqual(patchedColumns(before, { price_current: '6.50' }), { price_current: '6.50', sync_hash: null })
  assert.deepEqual(patchedColumns(before, { sync_hash: 'i' }), { sync_hash: 'i' })
  assert.deepEqual(patchedColumns(before, {}), { sync_hash: null })
})

test('null gives a field what an absent one has in a new product', () => {
  const names = Object.keys(ProductPatch.properties).filter(
    (name) => !['title', 'language', 'external_id'].includes(name),
  )
  const patch = Object.fromEntries(names.map((name) => [name, null]))
  const {
    external_id: _id,
    title: _title,
    language: _language,
    source: _source,
    ...empty
  } = draftOf({ title: 'T', language: 'de' }, 'feed')
  assert.deepEqual(patchedColumns(rowOf({ brand: 'B' }), patch), empty)
})

test('patches of a right size do not add up to a product that could not be sent whole', () => {
  const patched = (before: ProductRow, properties: Record<string, unknown>) => {
    const columns = patchedColumns(before, { properties })
    return { fault: sizeFault(before, columns)?.details ?? null, row: { ...before, ...columns } }
  }
  const first = patched(rowOf({}), { a: 'x'.repeat(1_500_000) })
  assert.equal(first.fault, null)
  const second = patched(first.row, { b: 'x'.repeat(1_500_000) })
  assert.deepEqual(second.fault, [
    { loc: ['body', 'properties'], msg: 'The product would have more than 2097152 bytes', type: 'too_long' },
  ])
  assert.equal(patched(second.row, { b: null }).fault, null, 'a patch that makes a product smaller is taken')
  const members = (from: number) => Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`p${from + i}`, 1]))
  const many = patched(rowOf({}), members(0))
  assert.equal(many.fault, null)
  assert.match(patched(many.row, members(30_000)).fault![0].msg, /50000 values/)
})

test('members of attributes and properties change one by one, and lists as a whole', () => {
  const before = rowOf({ attributes: { a: 1, b: { c: 2 } }, properties: { x: 1 }, search_keywords: ['k', 'l'] })
  const columns = patchedColumns(before, {
    attributes: { a: null, b: { d: 3 } },
    properties: {},
    search_keywords: ['m'],
  })
  assert.deepEqual(columns, {
    attributes: '{"b":{"c":2,"d":3}}',
    properties: before.properties,
    search_keywords: '["m"]',
    sync_hash: null,
  })
})

test('a patch may name the external_id that a product has, and no other', () => {
  assert.equal(identityFault({ external_id: 'a' }, { external_id: 'a' }), null)
  assert.equal(identityFault({ external_id: null }, { external_id: null }), null)
  assert.equal(identityFault({ external_id: 'a' }, { title: 'T' }), null)
  assert.equal(identityFault({ external_id: 'a' }, 'no object'), null)
  for (const [stored, external_id] of [
    ['a', 'b'],
    ['a', null],
    [null, 'a'],
    ['a', 1],
  ] as const)
    assert.equal(identityFault({ external_id: stored }, { external_id })?.details[0].type, 'immutable_field')
})

test('fields that have to agree are compared with those of the product', () => {
  const row = rowOf({ price_special_from: '2026-05-01T00:00:00Z' })
  const faults = (body: unknown) =>
    relationFaultsOf(body, row).flatMap(({ details }) => details.map(({ loc }) => loc[1]))
  assert.deepEqual(faults({ price_special_until: '2026-04-01T00:00:00Z' }), ['price_special_until'])
  assert.deepEqual(faults({ price_special_until: '2026-06-01T00:00:00Z' }), [])
  assert.deepEqual(faults({ price_special_from: null, price_special_until: '2026-04-01T00:00:00Z' }), [])
  assert.deepEqual(faults({ parent_external_id: 'a' }), ['parent_external_id'])
})

test('a line has an external_id, no defaults and no null where a product needs a value', () => {
  const line = { external_id: 'a', price_current: '1' }
  assert.equal(checkPatch(line), null)
  assert.deepEqual(Object.keys(line), ['external_id', 'price_current'])
  const places = (value: object) => checkPatch(value)?.details.map(({ loc, type }) => `${type} ${loc.join('.')}`)
  assert.deepEqual(places({}), ['missing body.external_id'])
  assert.deepEqual(places({ external_id: null, title: null, language: null }), [
    'string_type body.external_id',
    'string_type body.title',
    'string_type body.language',
  ])
})
