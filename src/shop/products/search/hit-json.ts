import type { Caller } from '../../../platform/access/caller.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { countWithin, pageOf } from '../../../platform/database/page.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import type { SearchHit } from '../../../search/engine.ts'
import { type HitCache, ownBytes, type WrittenHits } from '../../../search/hit-cache.ts'
import { Product } from '../contract.ts'
import { changesWithTime } from '../price.ts'
import { productOf } from '../product.ts'
import { ProductFacets } from './search-contract.ts'
import { placesOf } from './search-hits.ts'
import type { ProductSearchFacts } from './search-rules.ts'
import * as store from '../store.ts'

const writeProduct = compileSerialiser(Product)
const writeFacets = compileSerialiser(ProductFacets)

/**
 * Writes the hits of a search as `presentHits` would have them. What a product says comes from the cache as of its
 * newest change; only the time of its last sync moves without one, so that is read each time.
 * @param asParents whether a variant is shown by its parent where that is there
 */
export async function writeHits(
  db: Queries,
  cache: HitCache,
  caller: Caller,
  hits: readonly SearchHit[],
  { asParents, offset }: { readonly asParents: boolean; readonly offset: number },
): Promise<WrittenHits> {
  const tenantId = caller.tenant.id
  const places = await placesOf(db, tenantId, hits, asParents)
  const products = await productJson(db, cache, tenantId, [...new Set(places.map(({ shown }) => shown))])
  const all: { id: string; parts: Buffer[]; hit: SearchHit }[] = []
  for (const { hit, shown } of places) {
    const json = products.get(shown.id)
    if (json === BEYOND_PAGE) break
    if (json !== undefined) all.push({ id: shown.id, parts: partsOf(json, shown), hit })
  }
  const written = all.slice(
    0,
    countWithin(all, ({ parts }) => parts.reduce((sum, part) => sum + part.length, 0)),
  )
  return {
    ids: written.map(({ id }) => id),
    json: Buffer.concat(
      written.flatMap(({ parts, hit: { similarity, score } }, i) => [
        Buffer.from(i === 0 ? '{"product":' : ',{"product":', 'latin1'),
        ...parts,
        Buffer.from(
          `,"similarity":${similarity},"score":${score},"rank":${offset + i + 1},"section":"products"}`,
          'latin1',
        ),
      ]),
    ),
  }
}

/** A whole answer around its hits. */
export function writeAnswer(
  { total, facets, logId }: Pick<ProductSearchFacts, 'total' | 'facets' | 'logId'>,
  hits: Buffer,
): Buffer {
  return Buffer.concat([
    Buffer.from(`{"search_log_id":${JSON.stringify(logId)},"total":${total},"hits":[`),
    hits,
    Buffer.from(`],"facets":${facets === null ? 'null' : writeFacets(facets)}}`),
  ])
}

/** In place of the JSON of products that a page has no more room for. */
const BEYOND_PAGE = null

/**
 * The JSON of products as of their states, as many as make a page, which ends where there is more text than a page of
 * a list holds; one that was changed or retired since is left out.
 * @param states in the order of their hits
 */
async function productJson(
  db: Queries,
  cache: HitCache,
  tenantId: string,
  states: readonly store.HitState[],
): Promise<Map<string, Buffer | typeof BEYOND_PAGE>> {
  const cached = new Map(states.map(({ id, seq }) => [id, cache.get(tenantId, id, seq, null)]))
  const unknown = states.filter(({ id }) => cached.get(id) === null).map(({ id }) => id)
  const bytes = await store.productBytes(db, tenantId, unknown)
  const sized = states.map(({ id }) => ({ id, bytes: cached.get(id)?.length ?? bytes.get(id) ?? 0 }))
  const page = pageOf(sized, sized.length)
  const found = new Map<string, Buffer | typeof BEYOND_PAGE>()
  for (const { id } of page) {
    const json = cached.get(id)
    if (json) found.set(id, json)
  }
  const unread = page.flatMap(({ id }) => (found.has(id) ? [] : [id]))
  for (const row of await store.findProducts(db, tenantId, unread)) {
    const json = ownBytes(writeProduct(productOf(row)))
    if (!changesWithTime(row)) cache.put(tenantId, row.id, row.seq, null, json)
    found.set(row.id, json)
  }
  for (const { id } of sized.slice(page.length)) found.set(id, BEYOND_PAGE)
  return found
}

const SYNCED = '"last_synced_at":'

/**
 * A product's JSON with the time of its last sync as it is now. The last place where the name stands is the member
 * itself: after it come no objects of free form, and within text its quotes would be escaped.
 */
function partsOf(json: Buffer, { last_synced_at: at }: store.HitState): Buffer[] {
  const start = json.lastIndexOf(SYNCED) + SYNCED.length
  const end = json.indexOf(',', start)
  const synced = at === null ? 'null' : `"${new Date(at).toISOString()}"`
  return [json.subarray(0, start), Buffer.from(synced, 'latin1'), json.subarray(end)]
}
