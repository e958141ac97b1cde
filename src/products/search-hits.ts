import type { Caller } from '../access/caller.ts'
import type { ClickBoost } from '../clicks/learning.ts'
import type { Queries } from '../database/database.ts'
import type { ProductRow } from '../database/tables.ts'
import type { HitExplanation, SearchHit } from '../search/engine.ts'
import { embeddingTextsOf } from './embedding-texts.ts'
import { productOf } from './product.ts'
import type { ProductExplanation, ProductHit } from './search-contract.ts'
import { findProducts } from './store.ts'

/** A hit with the row it is shown by. */
interface ShownHit {
  readonly hit: SearchHit
  /** What matched. */
  readonly row: ProductRow
  /** What is shown for it: the row itself, or its parent. */
  readonly shown: ProductRow
}

/**
 * Reads the rows of hits; what is gone meanwhile is left out.
 * @param asParents whether a variant is shown by its parent where that is there
 */
export async function readHits(
  db: Queries,
  tenantId: string,
  hits: readonly SearchHit[],
  asParents: boolean,
): Promise<ShownHit[]> {
  const rows = byId(
    await findProducts(
      db,
      tenantId,
      hits.map(({ id }) => id),
    ),
  )
  const wanted = asParents ? [...rows.values()].flatMap((row) => row.parent_product_id ?? []) : []
  const missing = [...new Set(wanted)].filter((id) => !rows.has(id))
  const parents = byId(await findProducts(db, tenantId, missing))
  return hits.flatMap((hit) => {
    const row = rows.get(hit.id)
    if (row === undefined) return []
    const parentId = asParents ? row.parent_product_id : null
    const parent = parentId === null ? undefined : (parents.get(parentId) ?? rows.get(parentId))
    return [{ hit, row, shown: parent ?? row }]
  })
}

function byId(rows: readonly ProductRow[]): Map<string, ProductRow> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Hits as the API answers them, ranks counted from `offset`. */
export function presentHits(
  hits: readonly ShownHit[],
  offset: number,
  caller: Caller,
  boosts: ReadonlyMap<string, ClickBoost>,
): ProductHit[] {
  return hits.map(({ hit, row, shown }, i) => ({
    product: productOf(shown),
    similarity: hit.similarity,
    score: hit.score,
    rank: offset + i + 1,
    section: 'products' as const,
    ...(hit.explanation === undefined
      ? {}
      : { explanation: explain(hit.explanation, row, caller, boosts.get(row.id) ?? null) }),
  }))
}

function explain(
  { bm25, coverage, terms, passage, lift = 0, boost = 0 }: HitExplanation,
  row: ProductRow,
  caller: Caller,
  clicks: ClickBoost | null,
): ProductExplanation {
  return {
    bm25,
    coverage,
    vector_weight: caller.tenant.settings.productVectorWeight,
    terms: [...terms],
    matched_text: passage === null ? null : (embeddingTextsOf(row)[passage.index]?.part ?? null),
    exact: lift,
    clicks: clicks === null ? null : { clicks: clicks.clicks, expected_clicks: clicks.expectedClicks, added: boost },
  }
}
