import type { Caller } from '../../../platform/access/caller.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { countWithin } from '../../../platform/database/page.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import type { SearchHit } from '../../../search/engine.ts'
import type { HitCache, WrittenHits } from '../../../search/hits/hit-cache.ts'
import { hitDocuments } from '../../../search/hits/hit-documents.ts'
import { ratingJson } from '../../../search/hits/rated.ts'
import { Product } from '../contract.ts'
import { changesWithTime } from '../price.ts'
import { productOf } from '../product.ts'
import { AppliedMerchandising, MatchedVariant, ProductFacets } from './search-contract.ts'
import { matchedBy, placesOf, variantsOf } from './search-hits.ts'
import type { ProductSearchFacts } from './search-rules.ts'
import * as store from '../store.ts'

const writeProduct = compileSerialiser(Product)
const writeFacets = compileSerialiser(ProductFacets)
const writeVariant = compileSerialiser(MatchedVariant)
const writeApplied = compileSerialiser(AppliedMerchandising)

/**
 * Writes the hits of a search as JSON, the same as `presentHits`. Unchanged products come from the cache. The time of
 * the last sync changes without a change of the product, so it is read each time.
 * @param asParents whether to show the parent in place of a variant, if it exists
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
  const found = await hitDocuments(cache, { tenantId, model: null }, places, {
    bytesOf: (ids) => store.productBytes(db, tenantId, ids),
    rowsOf: (ids) => store.findProducts(db, tenantId, ids),
    write: (row) => writeProduct(productOf(row)),
    isLasting: (row) => !changesWithTime(row),
  })
  const variants = await variantsOf(db, tenantId, places)
  const all = found.map(({ hit, shown, json }) => ({ id: shown.id, parts: partsOf(json, shown), hit }))
  const written = all.slice(
    0,
    countWithin(all, ({ parts }) => parts.reduce((sum, part) => sum + part.length, 0)),
  )
  return {
    ids: written.map(({ id }) => id),
    json: Buffer.concat(
      written.flatMap(({ parts, hit }, i) => [
        Buffer.from(i === 0 ? '{"product":' : ',{"product":', 'latin1'),
        ...parts,
        Buffer.from(
          `,"similarity":${hit.similarity},"score":${hit.score}${ratingJson(hit.relevance)},"rank":${offset + i + 1}` +
            `,"section":"products"${variantPart(variants.get(matchedBy(hit)))}`,
        ),
      ]),
    ),
  }
}

/** The end of a hit. */
function variantPart(variant: store.ShortProduct | undefined): string {
  return variant === undefined ? '}' : `,"variant":${writeVariant(variant)}}`
}

/** A whole answer around its hits. */
export function writeAnswer(
  { total, facets, meant, logId, redirect, applied }: Omit<ProductSearchFacts, 'degraded' | 'isExact' | 'timing'>,
  hits: Buffer,
): Buffer {
  const more =
    (meant === null ? '' : `,"did_you_mean":${JSON.stringify(meant)}`) +
    (redirect === null ? '' : `,"redirect":${JSON.stringify(redirect)}`) +
    (applied === null ? '' : `,"merchandising":${writeApplied(applied)}`)
  return Buffer.concat([
    Buffer.from(`{"search_log_id":${JSON.stringify(logId)},"total":${total},"hits":[`),
    hits,
    Buffer.from(`],"facets":${facets === null ? 'null' : writeFacets(facets)}${more}}`),
  ])
}

const SYNCED = '"last_synced_at":'

/**
 * A product's JSON with the current time of its last sync. The last occurrence of the name is the member itself: no
 * free-form object follows it, and in a text its quotes would be escaped.
 */
function partsOf(json: Buffer, { last_synced_at: at }: store.HitState): Buffer[] {
  const start = json.lastIndexOf(SYNCED) + SYNCED.length
  const end = json.indexOf(',', start)
  const synced = at === null ? 'null' : `"${new Date(at).toISOString()}"`
  return [json.subarray(0, start), Buffer.from(synced, 'latin1'), json.subarray(end)]
}
