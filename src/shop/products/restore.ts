import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import { tidyLanguage } from '../../platform/contract/language.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { planVectors } from '../../embedding/planned-vectors.ts'
import { conflict } from '../../platform/faults.ts'
import type { RestorePlace } from '../../knowledge/entries/restore.ts'
import { requireSiteReference } from '../sites/rules.ts'
import type { WholeProduct } from './contract.ts'
import { draftOf, newRow } from './draft.ts'
import { PRODUCT_EMBEDDING } from './indexing/product-embedding.ts'
import { wholeProductOf } from './product.ts'
import * as store from './store.ts'
import { renewStockOfVariants } from './variant-stock-store.ts'

/** Product of an export: complete except for its vectors. */
export type RestoredProduct = Omit<
  WholeProduct,
  'tenant_id' | 'has_similarity_anchor' | 'price_effective' | 'version'
> & {
  readonly retired_at: string | null
  /** Absent in exports before 2026-11-27. */
  readonly version?: number
}

export function exportedProduct(row: ProductRow): RestoredProduct {
  const {
    tenant_id: _tenant,
    has_similarity_anchor: _anchor,
    price_effective: _effective,
    ...product
  } = wholeProductOf(row)
  return {
    ...product,
    retired_at: row.retired_at === null ? null : new Date(row.retired_at).toISOString(),
  }
}

/**
 * Restores a product with its id and times. Links variants to their parents by external_id.
 * @throws Fault, before anything is written, when another product has its id or external_id, or its site does not exist
 */
export async function restoreProduct(
  tx: Tx,
  { tenantId, seq, models, portable, embedders }: RestorePlace,
  product: RestoredProduct,
): Promise<'created' | 'unchanged'> {
  const row = rowOf(tenantId, product, seq)
  const stored = await store.findAnyProduct(tx, tenantId, row.id)
  if (stored !== null) {
    if (isSameState(stored, row)) return 'unchanged'
    throw conflict(['body', 'id'], 'This product exists here in another state. It stays unchanged')
  }
  await requireSiteReference(tx, tenantId, row.site_id, 'body')
  if (row.external_id !== null) {
    const [other] = await store.findByExternalIds(tx, portable, tenantId, row.site_id, [row.external_id])
    if (other !== undefined)
      throw conflict(['body', 'external_id'], 'Another product here has this external_id. It stays unchanged')
  }
  if (row.parent_external_id !== null && row.retired_at === null) {
    const parents = await store.findIds(tx, portable, tenantId, row.site_id, [row.parent_external_id])
    row.parent_product_id = parents.get(row.parent_external_id) ?? null
  }
  // Not through `DocumentWriter`, which needs a caller and the queue of a running service: an operator restores.
  const vectors = await planVectors(PRODUCT_EMBEDDING, embedders, [row], models)
  row.embedding_model = vectors.modelOf(row.id)
  await store.putProducts(tx, [row])
  await store.forgetTombstone(tx, tenantId, row.id)
  await vectors.store(tx)
  const linked =
    row.external_id !== null && row.retired_at === null
      ? await store.linkVariants(tx, tenantId, row.site_id, new Map([[row.external_id, row.id]]), seq)
      : []
  await renewStockOfVariants(
    tx,
    tenantId,
    row.parent_product_id === null ? linked : [...linked, row.parent_product_id],
    seq,
  )
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType: 'product', resourceId: row.id }])
  return 'created'
}

/** Columns that syncs, links and embedding change by themselves. The comparison leaves them out. */
const BOOKKEEPING: ReadonlySet<keyof ProductRow> = new Set([
  'seq',
  'text_seq',
  'revision',
  'sync_run',
  'last_synced_at',
  'parent_product_id',
  'variants_availability',
  'embedding_model',
])

function isSameState(stored: ProductRow, row: ProductRow): boolean {
  return (Object.keys(row) as (keyof ProductRow)[]).every((name) => BOOKKEEPING.has(name) || stored[name] === row[name])
}

/** Returns the row of a line. Fields that this release does not know are left out. */
function rowOf(tenantId: string, product: RestoredProduct, seq: number): ProductRow {
  const timeOf = (time: string | null): number | null => (time === null ? null : Date.parse(time))
  const facts = { tenantId, siteId: product.site_id, seq, now: Date.parse(product.created_at), run: null }
  return {
    ...newRow(draftOf({ ...product, language: tidyLanguage(product.language) }, product.source), facts),
    id: product.id,
    revision: product.version ?? 1,
    translation_group_id: product.translation_group_id,
    last_synced_at: timeOf(product.last_synced_at),
    retired_at: timeOf(product.retired_at),
    updated_at: Date.parse(product.updated_at),
  }
}
