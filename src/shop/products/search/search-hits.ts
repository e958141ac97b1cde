import type { Caller } from '../../../platform/access/caller.ts'
import type { ClickBoost } from '../../../insights/learning/learning.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { jsonCount, pageOf } from '../../../platform/database/page.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import type { HitExplanation, SearchHit } from '../../../search/engine.ts'
import { embeddingTextsOf } from '../indexing/embedding-texts.ts'
import { productOf } from '../product.ts'
import type { Merchandised } from '../merchandising/compile.ts'
import type { ProductExplanation, ProductHit } from './search-contract.ts'
import { findProducts, findShort, type HitState, hitStates, productBytes, type ShortProduct } from '../store.ts'

/** A hit with the rows of the product that matched and of the product to show. */
interface ShownHit {
  readonly hit: SearchHit
  /** The product that matched. */
  readonly row: ProductRow
  /** The product to show: the one that matched, or its parent. */
  readonly shown: ProductRow
  /** The variant that the parent is shown for. */
  readonly variant: ShortProduct | undefined
}

/** A hit with the states of the product that matched and of the product to show. */
export interface HitPlace {
  readonly hit: SearchHit
  readonly row: HitState
  readonly shown: HitState
}

/**
 * Finds the product to show for each hit. Leaves out products that were deleted or retired since.
 * @param asParents whether to show the parent in place of a variant, if it exists
 */
export async function placesOf(
  db: Queries,
  tenantId: string,
  hits: readonly SearchHit[],
  asParents: boolean,
): Promise<HitPlace[]> {
  const states = byId(
    await hitStates(
      db,
      tenantId,
      hits.map(({ id }) => id),
    ),
  )
  const parents = asParents ? [...states.values()].flatMap((state) => state.parent_product_id ?? []) : []
  const missing = [...new Set(parents)].filter((id) => !states.has(id))
  for (const state of await hitStates(db, tenantId, missing)) states.set(state.id, state)
  return hits.flatMap((hit) => {
    const row = states.get(hit.id)
    if (row === undefined) return []
    const parent = asParents ? states.get(row.parent_product_id ?? '') : undefined
    return [{ hit, row, shown: parent ?? row }]
  })
}

/**
 * Reads the rows of one page of hits. Reads their lengths first, since a page ends early when its rows are too large.
 * @param asParents whether to show the parent in place of a variant, if it exists
 */
export async function readHits(
  db: Queries,
  tenantId: string,
  hits: readonly SearchHit[],
  asParents: boolean,
): Promise<ShownHit[]> {
  const places = await placesOf(db, tenantId, hits, asParents)
  const bytes = await productBytes(db, tenantId, idsOf(places))
  const sized = places.map((place) => {
    const ids = new Set([place.row.id, place.shown.id])
    return { ...place, bytes: [...ids].reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0) }
  })
  const page = pageOf(sized, sized.length)
  const rows = byId(await findProducts(db, tenantId, idsOf(page)))
  const variants = await variantsOf(db, tenantId, page)
  const shown = page.flatMap(({ hit, ...place }) => {
    const row = rows.get(place.row.id)
    if (row === undefined) return []
    return [{ hit, row, shown: rows.get(place.shown.id) ?? row, variant: variants.get(matchedBy(hit)) }]
  })
  const stored = page.reduce((sum, place) => sum + place.bytes, 0)
  return shown.slice(
    0,
    jsonCount(shown, stored, (each) => productOf(each.shown)),
  )
}

/** By id, the variants that matched where their parent is shown; nothing is read where there are none. */
export function variantsOf(
  db: Queries,
  tenantId: string,
  places: readonly HitPlace[],
): Promise<Map<string, ShortProduct>> {
  const others = places.filter(({ hit, shown }) => matchedBy(hit) !== shown.id)
  return findShort(
    db,
    tenantId,
    others.map(({ hit }) => matchedBy(hit)),
  )
}

/** The id of the product that a hit was found by. */
export function matchedBy({ id, matched }: SearchHit): string {
  return matched ?? id
}

function idsOf(places: readonly HitPlace[]): string[] {
  return [...new Set(places.flatMap(({ row, shown }) => [row.id, shown.id]))]
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Hits as the API answers them. The first has rank `offset` + 1. */
export function presentHits(
  hits: readonly ShownHit[],
  offset: number,
  caller: Caller,
  boosts: ReadonlyMap<string, ClickBoost>,
  merchandised: Merchandised | null,
): ProductHit[] {
  return hits.map(({ hit, row, shown, variant }, i) => ({
    product: productOf(shown),
    similarity: hit.similarity,
    score: hit.score,
    ...(hit.relevance === undefined ? {} : { relevance: hit.relevance }),
    rank: offset + i + 1,
    section: 'products' as const,
    ...(variant === undefined ? {} : { variant }),
    ...(hit.explanation === undefined
      ? {}
      : { explanation: explain(hit.explanation, row, caller, boosts.get(row.id) ?? null, merchandised) }),
  }))
}

function explain(
  { bm25, coverage, terms, passage, pin = 0, allWords = 0, named = 0, boost = 0, raises = [] }: HitExplanation,
  row: ProductRow,
  caller: Caller,
  clicks: ClickBoost | null,
  merchandised: Merchandised | null,
): ProductExplanation {
  const moved = raises.flatMap(({ index, added }) => {
    if (merchandised === null) return []
    const { id, name, action } = merchandised.raisedBy[index]
    return [{ rule_id: id, name, action: action as 'pin', added }]
  })
  return {
    bm25,
    coverage,
    vector_weight: caller.tenant.settings.productVectorWeight,
    terms: [...terms],
    matched_text: passage === null ? null : (embeddingTextsOf(row)[passage.index]?.part ?? null),
    exact: pin,
    all_words: allWords,
    ...(named === 0 ? {} : { title: named }),
    clicks: clicks === null ? null : { clicks: clicks.clicks, expected_clicks: clicks.expectedClicks, added: boost },
    ...(moved.length === 0 ? {} : { merchandising: moved }),
  }
}
