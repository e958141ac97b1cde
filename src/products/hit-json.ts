import type { Caller } from '../access/caller.ts'
import type { Queries } from '../database/database.ts'
import { compileSerialiser } from '../http/serialise.ts'
import type { SearchHit } from '../search/engine.ts'
import { type HitCache, ownBytes, type WrittenHits } from '../search/hit-cache.ts'
import { Product } from './contract.ts'
import { productOf } from './product.ts'
import { ProductFacets } from './search-contract.ts'
import type { ProductSearchFacts } from './search-rules.ts'
import * as store from './store.ts'

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
  const states = byId(await store.hitStates(db, tenantId, idsOf(hits)))
  const parents = asParents ? [...states.values()].flatMap((state) => state.parent_product_id ?? []) : []
  const missing = [...new Set(parents)].filter((id) => !states.has(id))
  for (const state of await store.hitStates(db, tenantId, missing)) states.set(state.id, state)
  const shown = hits.flatMap((hit) => {
    const state = states.get(hit.id)
    const parent = asParents ? states.get(state?.parent_product_id ?? '') : undefined
    return state === undefined ? [] : [{ hit, state: parent ?? state }]
  })
  const products = await productJson(db, cache, tenantId, new Set(shown.map(({ state }) => state)))
  const written = shown.flatMap(({ hit, state }) => {
    const json = products.get(state.id)
    return json === undefined ? [] : [{ id: state.id, parts: partsOf(json, state), hit }]
  })
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

/** The JSON of products as of their states; one that was changed or retired since is left out. */
async function productJson(
  db: Queries,
  cache: HitCache,
  tenantId: string,
  states: ReadonlySet<store.HitState>,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const unknown: string[] = []
  for (const { id, seq } of states) {
    const json = cache.get(tenantId, id, seq, null)
    if (json === null) unknown.push(id)
    else found.set(id, json)
  }
  for (const row of await store.findProducts(db, tenantId, unknown)) {
    const json = ownBytes(writeProduct(productOf(row)))
    cache.put(tenantId, row.id, row.seq, null, json)
    found.set(row.id, json)
  }
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

const idsOf = (hits: readonly SearchHit[]): string[] => hits.map(({ id }) => id)
const byId = (states: readonly store.HitState[]) => new Map(states.map((state) => [state.id, state]))
