import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../platform/faults.ts'
import type { SearchAnswer, SearchRequest } from '../engine.ts'
import { compileFacets } from './facets.ts'
import { facetedSearch } from './faceted-search.ts'
import type { SearchFields } from './fields.ts'
import { compileFilter } from './filter.ts'

const FIELDS: SearchFields = { own: {}, prefix: 'attributes' }
const FACETS = ['body', 'facets']
const PUBLISHABLE = { siteIds: null, origins: [] }

/** Searches with `count` facets of fields that the filter restricts, and one of a field that it does not. */
async function search(count: number, caller: Parameters<typeof facetedSearch>[2]['caller'], more: object = {}) {
  const names = Array.from({ length: count }, (_, i) => `attributes.a${i}`)
  const requests: SearchRequest[] = []
  const engine = {
    search: (request: SearchRequest): Promise<SearchAnswer> => {
      requests.push(request)
      const keys = (request.facets?.keys ?? []).map(({ field }) => ({ field, values: [] }))
      return Promise.resolve({ hits: [], total: 0, facets: { keys, numbers: [] }, timing: { refresh: 0, search: 0 } })
    },
  }
  const compiledFacets = compileFacets(
    [{ field: 'attributes.free' }, ...names.map((field) => ({ field }))],
    FIELDS,
    FACETS,
  )
  const filter = compileFilter({ all: names.map((field) => ({ field, any_of: ['x'] })) }, FIELDS, ['body', 'filter'])
  const request = { query: 'lamp', mode: 'hybrid', offset: 20, limit: 10, explain: true, ...more } as SearchRequest
  const fixed = { all: [] }
  const { facets } = await facetedSearch(engine, request, { caller, fixed, filter, compiledFacets, place: FACETS })
  return { requests, fields: facets.map(({ field }) => field) }
}

test('a search counts once more for each facet of a field that the filter chooses', async () => {
  for (const count of [0, 1, 7]) {
    let searches = 0
    const { requests, fields } = await search(count, { countSearches: (more) => (searches += more) })
    assert.equal(requests.length, 1 + count)
    assert.equal(searches, count)
    assert.equal(fields.length, 1 + count)
  }
})

test('a search that is refused for its count asks the engine nothing', async () => {
  let requestCount = 0
  const refuse = (): never => {
    throw new Fault('rate_limited', [])
  }
  await assert.rejects(
    search(3, { countSearches: refuse }).then(({ requests }) => (requestCount = requests.length)),
    { kind: 'rate_limited' },
  )
  assert.equal(requestCount, 0)
})

test('few facets may be chosen, fewer by visitors of a page, and the first too many is named', async () => {
  const refusedAt = async (count: number, caller: object): Promise<string | null> => {
    try {
      await search(count, caller)
      return null
    } catch (error) {
      assert.ok(error instanceof Fault)
      return error.details.map(({ loc, type }) => `${loc.join('.')} ${type}`).join()
    }
  }
  assert.equal(await refusedAt(10, {}), null)
  // The first facet is the one that is not chosen.
  assert.equal(await refusedAt(11, {}), 'body.facets.11.field too_many_chosen')
  assert.equal(await refusedAt(6, { publishable: PUBLISHABLE }), null)
  assert.equal(await refusedAt(19, { publishable: PUBLISHABLE }), 'body.facets.7.field too_many_chosen')
})

test('the searches that only count leave out what orders hits, and keep what decides which are found', async () => {
  const pin = { filter: { field: 'self', anyOf: ['a'] }, bonus: 1, qualifies: true }
  const bury = { filter: { field: 'brand', anyOf: ['b'] }, bonus: -1, qualifies: false }
  const order = {
    sort: { text: true, descending: false },
    boosts: [{ id: 'a', boost: 0.1 }],
    raises: [pin, bury],
    passages: true,
    rated: { min: null },
    fuzzy: true,
  }
  const {
    requests: [whole, counting],
  } = await search(1, {}, order)
  assert.deepEqual(whole.raises, [pin, bury])
  const { facets: _facets, filter: _filter, ...rest } = counting
  const sameParts = { query: 'lamp', mode: 'hybrid', fuzzy: true, raises: [pin] }
  assert.deepEqual(rest, { ...sameParts, offset: 0, limit: 0, explain: false, passages: false })
  const {
    requests: [, strict],
  } = await search(1, {}, { rated: { min: 0.5 }, raises: [bury] })
  assert.deepEqual([strict.rated, strict.raises], [{ min: 0.5 }, undefined])
})
