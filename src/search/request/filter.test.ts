import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../platform/faults.ts'
import type { SearchFields } from './fields.ts'
import { compileFilter, filterOf } from './filter.ts'
import { compileFacets, requestOf } from './facets.ts'
import { doubleBelow } from './numbers.ts'

const FIELDS: SearchFields = {
  own: {
    kind: { kind: 'key', key: 'k', values: ['a', 'b'], isAlways: true, isCounted: true },
    tags: { kind: 'key', key: 'tag', isCounted: true },
    group: { kind: 'key', key: 'group', isId: true },
    tongue: { kind: 'key', key: 'language', isLanguage: true },
    size: { kind: 'number', number: 'size' },
    made: { kind: 'number', number: 'made', isMoment: true },
    title: { kind: 'title' },
    ripe: { kind: 'flag', where: { field: 'state', anyOf: ['ripe'] } },
  },
  prefix: 'metadata',
}
const PLACE = ['body', 'filter']

const compiled = (filter: unknown) => filterOf(compileFilter(filter, FIELDS, PLACE))

function faultsOf(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Fault)
    return error.details.map(({ loc, type }) => `${loc.join('.')} ${type}`)
  }
  return []
}
const faultsIn = (filter: unknown) => faultsOf(() => compileFilter(filter, FIELDS, PLACE))

test('a range below the smallest number is empty, also once it was JSON', () => {
  const facets = compileFacets([{ field: 'size', ranges: [{ to: -Number.MAX_VALUE }] }], FIELDS, PLACE)
  const { numbers } = JSON.parse(JSON.stringify(requestOf(facets))) as ReturnType<typeof requestOf>
  const [{ above, below }] = numbers[0].ranges
  assert.deepEqual({ above, below }, { above: Number.MAX_VALUE, below: null })
  assert.deepEqual(compiled({ field: 'size', lt: -Number.MAX_VALUE }), { all: [{ any: [] }] })
})

test('conditions become filters of the index, with exact bounds', () => {
  const range = (number: string, above: number | null, below: number | null) => ({
    all: [{ number, above, below, orMissing: false }],
  })
  assert.deepEqual(compiled({ field: 'tags', any_of: ['x', 'y'] }), { all: [{ field: 'tag', anyOf: ['x', 'y'] }] })
  assert.deepEqual(compiled({ field: 'size', gt: 1, lte: 3 }), range('size', 1, 3))
  assert.deepEqual(compiled({ field: 'size', gte: 1, lt: 3 }), range('size', doubleBelow(1), doubleBelow(3)))
  assert.deepEqual(compiled({ field: 'size', lte: -Number.MAX_VALUE }), range('size', null, -Number.MAX_VALUE))
  assert.deepEqual(compiled({ field: 'size', any_of: [3, 1] }), { all: [{ number: 'size', anyOf: [3, 1] }] })
  assert.deepEqual(compiled({ field: 'made', gte: '2026-01-01' }), range('made', doubleBelow(Date.UTC(2026)), null))
  assert.deepEqual(compiled({ field: 'metadata.n', lt: 0 }), range('metadata.n', null, -Number.MIN_VALUE))
  assert.deepEqual(compiled({ field: 'metadata.n', any_of: [1.5, 'x', true] }), {
    all: [{ field: 'metadata.n', anyOf: ['1.5', 'x', 'true'] }],
  })
  assert.deepEqual(compiled({ field: 'metadata.n', exists: false }), { all: [{ not: { present: 'metadata.n' } }] })
  assert.deepEqual(compiled({ field: 'kind', exists: true }), { all: [{ all: [] }] })
  assert.deepEqual(compiled({ not: { any: [{ field: 'tags', exists: true }] } }), {
    all: [{ not: { any: [{ present: 'tag' }] } }],
  })
})

test('a field that is true or false takes booleans alone', () => {
  const ripe = { field: 'state', anyOf: ['ripe'] }
  assert.deepEqual(compiled({ field: 'ripe', any_of: [true] }), { all: [{ any: [ripe] }] })
  assert.deepEqual(compiled({ field: 'ripe', any_of: [false] }), { all: [{ any: [{ not: ripe }] }] })
  assert.deepEqual(compiled({ field: 'ripe', any_of: [true, false] }), { all: [{ any: [ripe, { not: ripe }] }] })
  assert.deepEqual(compiled({ field: 'ripe', exists: true }), { all: [{ all: [] }] })
  assert.deepEqual(
    faultsIn({
      all: [
        { field: 'ripe', any_of: ['true', true, 1] },
        { field: 'ripe', any_of: [] },
        { field: 'ripe', gt: 0 },
        { field: 'ripe', under: [true] },
        { field: 'ripe', exists: 'yes' },
      ],
    }),
    [
      'body.filter.all.0.any_of.0 bool_type',
      'body.filter.all.0.any_of.2 bool_type',
      'body.filter.all.1.any_of too_short',
      'body.filter.all.2.gt filter_operator',
      'body.filter.all.3.under filter_operator',
      'body.filter.all.4.exists bool_type',
    ],
  )
})

test('a filter names few categories that stand for their subtrees, in all its conditions together', () => {
  const tree: SearchFields = {
    own: { place: { kind: 'key', key: 'place', isId: true, tree: 'categories' } },
    prefix: null,
  }
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const under = (count: number) => ({ field: 'place', under: Array.from({ length: count }, (_, i) => id(i)) })
  assert.equal(compileFilter({ any: [under(15), under(5)] }, tree, PLACE).subtrees.length, 20)
  assert.deepEqual(
    faultsOf(() => compileFilter({ any: [under(15), { field: 'place', any_of: [id(1)] }, under(6)] }, tree, PLACE)),
    ['body.filter.any.2.under filter_too_long'],
  )
})

test('a filter compares numbers and dates a few times, however its conditions are nested', () => {
  const few = [
    ...Array.from({ length: 12 }, () => ({ field: 'size', any_of: [1, 2] })),
    { not: { any: [{ field: 'metadata.n', gt: 1 }] } },
    { field: 'made', exists: true },
    { field: 'size', gte: 1, lte: 2 },
    { field: 'made', any_of: ['2026-01-01'] },
    { field: 'metadata.n', any_of: [1] },
    { field: 'tags', any_of: ['x'] },
  ]
  assert.equal(compileFilter({ any: few }, FIELDS, PLACE).numeric, 16)
  const more = [...few, { field: 'tags', any_of: ['y'] }, { field: 'size', lt: 1 }, { field: 'size', lt: 2 }]
  assert.deepEqual(faultsIn({ any: more }), ['body.filter.any.19 filter_too_long'])
  // A shop's searches do not break where a rule was stored before this bound.
  assert.equal(compileFilter({ any: more }, FIELDS, PLACE, true).numeric, 18)
})

test('groups count like conditions, even those without any', () => {
  const empty = (count: number) => Array.from({ length: count }, () => ({ not: { any: [] } }))
  const groups = (rest: number) => ({ any: [{ all: empty(63) }, { all: empty(62) }, { any: [] }, ...empty(rest)] })
  // One around the others, three groups in it, and twice each of the rest.
  assert.deepEqual(faultsIn(groups(1)), [])
  assert.deepEqual(faultsIn(groups(2)), ['body.filter.any.4 filter_too_long'])
})

test('properties that may not be asked for are no fields', () => {
  const closed = { ...FIELDS, prefix: null }
  const faults = faultsOf(() => compileFilter({ field: 'metadata.colour', exists: true }, closed, PLACE))
  assert.deepEqual(faults, ['body.filter.field enum'])
  assert.deepEqual(
    faultsOf(() => compileFacets([{ field: 'metadata.colour' }], closed, ['body', 'facets'])),
    ['body.facets.0.field enum'],
  )
})

test('what a filter says about one field alone can be left out', () => {
  const tags = { field: 'tags', any_of: ['x'] }
  const size = { field: 'size', gt: 1 }
  const filter = compileFilter({ all: [tags, { all: [size, { any: [tags, size] }] }] }, FIELDS, PLACE)
  const [byTag, bySize, byBoth] = filter.conjuncts.map((each) => each.filter)
  assert.deepEqual(filterOf(filter, 'tags'), { all: [bySize, byBoth] })
  assert.deepEqual(filterOf(filter, 'size'), { all: [byTag, byBoth] })
  assert.deepEqual(filterOf(filter, 'kind'), filterOf(filter))
})

test('every fault is named at its place, all of them together', () => {
  const faults = faultsIn({
    all: [
      { field: 'colour', any_of: ['x'] },
      {
        any: [
          { field: 'size', any_of: ['1'] },
          { field: 'tags', gt: 1 },
        ],
      },
      { field: 'kind', any_of: ['a', 'c', 5] },
      { field: 'group', any_of: ['nobody'] },
      { field: 'made', gte: 'soon' },
      { field: 'size', gt: 1, gte: 2 },
      { field: 'tags', any_of: [] },
      { field: 'tags', any_of: ['x'], exists: true },
      { field: 'tags', exists: 'yes' },
      { field: 'tags', like: 'x' },
      { any_of: ['x'] },
      { not: 5 },
      { any: {} },
      { any: [], field: 'tags' },
      { field: 'title', any_of: ['x'] },
      { field: 'metadata.', any_of: ['x'] },
      { field: 'metadata.x', any_of: [null] },
      { field: 'tags', under: ['x'] },
    ],
  })
  assert.deepEqual(faults, [
    'body.filter.all.0.field enum',
    'body.filter.all.1.any.0.any_of.0 float_type',
    'body.filter.all.1.any.1.gt filter_operator',
    'body.filter.all.2.any_of.1 enum',
    'body.filter.all.2.any_of.2 string_type',
    'body.filter.all.3.any_of.0 uuid_parsing',
    'body.filter.all.4.gte bound_type',
    'body.filter.all.5.gte extra_forbidden',
    'body.filter.all.6.any_of too_short',
    'body.filter.all.7 extra_forbidden',
    'body.filter.all.8.exists bool_type',
    'body.filter.all.9.like extra_forbidden',
    'body.filter.all.9 missing',
    'body.filter.all.10.field missing',
    'body.filter.all.11.not dict_type',
    'body.filter.all.12.any list_type',
    'body.filter.all.13.field extra_forbidden',
    'body.filter.all.14.field enum',
    'body.filter.all.15.field enum',
    'body.filter.all.16.any_of.0 scalar_type',
    'body.filter.all.17.under filter_operator',
  ])
})

test('a filter is bounded in depth, conditions and values', () => {
  let deep: unknown = { field: 'size', gt: 1 }
  for (let i = 0; i < 7; i++) deep = { not: deep }
  assert.deepEqual(faultsIn(deep), [])
  assert.deepEqual(faultsIn({ not: deep }), ['body.filter.not.not.not.not.not.not.not.not filter_too_deep'])
  const conditions = (count: number) => Array.from({ length: count }, () => ({ field: 'tags', exists: true }))
  assert.deepEqual(faultsIn({ all: conditions(64) }), [])
  assert.deepEqual(faultsIn({ all: [{ all: conditions(40) }, { any: conditions(25) }] }), [
    'body.filter.all.1.any.24 filter_too_long',
  ])
  assert.deepEqual(faultsIn({ any: conditions(65) }), ['body.filter.any too_long'])
  const values = (count: number) => Array.from({ length: count }, (_, i) => `${i}`)
  assert.deepEqual(faultsIn({ field: 'tags', any_of: values(100) }), [])
  assert.deepEqual(faultsIn({ field: 'tags', any_of: values(101) }), ['body.filter.any_of too_long'])
  assert.deepEqual(faultsIn({ field: 'tags', any_of: ['x'.repeat(1_001)] }), ['body.filter.any_of.0 string_too_long'])
})

test('a range that ends below its beginning is a fault, since it finds nothing', () => {
  const ranges = [
    { field: 'size', gte: 50, lte: 10 },
    { field: 'made', gt: '2026-02-01', lt: '2026-01-01' },
    { field: 'metadata.n', gt: 50, lt: 50 },
  ]
  assert.deepEqual(faultsIn({ all: ranges }), [
    'body.filter.all.0.lte greater_than_equal',
    'body.filter.all.1.lt greater_than_equal',
  ])
  const facets = [
    {
      field: 'size',
      ranges: [
        { from: 10, to: 10 },
        { from: 50, to: 10 },
      ],
    },
  ]
  assert.deepEqual(
    faultsOf(() => compileFacets(facets, FIELDS, ['body', 'facets'])),
    ['body.facets.0.ranges.1.to greater_than_equal'],
  )
})

test('a language that no text can be in is a fault, and a day that no calendar has', () => {
  const languages = ['de', 'EN-gb', 'yue', '!!', 'not a tag', 'de_DE', 'english']
  assert.deepEqual(
    faultsIn({ field: 'tongue', any_of: languages }),
    [3, 4, 5, 6].map((i) => `body.filter.any_of.${i} language_parsing`),
  )
  assert.deepEqual(faultsIn({ field: 'made', gte: '2026-02-31' }), ['body.filter.gte bound_type'])
})

test('facets are checked like filters', () => {
  const facetFaults = (facets: unknown[]) => faultsOf(() => compileFacets(facets, FIELDS, ['body', 'facets']))
  assert.deepEqual(
    facetFaults([{ field: 'kind' }, { field: 'size', ranges: [{ from: 1 }] }, { field: 'metadata.x' }]),
    [],
  )
  assert.deepEqual(
    facetFaults([
      5,
      {},
      { field: 'title' },
      { field: 'group' },
      { field: 'kind', limit: 0 },
      { field: 'kind', ranges: [] },
      { field: 'size', ranges: [{ from: 'x', til: 1 }, 5] },
      { field: 'kind', hierarchy: true },
      { field: 'kind', colour: 1 },
    ]),
    [
      'body.facets.0 dict_type',
      'body.facets.1.field missing',
      'body.facets.2.field enum',
      'body.facets.3.field enum',
      'body.facets.4.limit int_type',
      'body.facets.5.ranges value_error',
      'body.facets.6.ranges.0.til extra_forbidden',
      'body.facets.6.ranges.0.from bound_type',
      'body.facets.6.ranges.1 dict_type',
      'body.facets.7.hierarchy value_error',
      'body.facets.8.colour extra_forbidden',
    ],
  )
})
