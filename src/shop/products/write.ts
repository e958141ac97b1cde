import type { TenantContext } from '../../platform/access/caller.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import type { Portable } from '../../platform/database/portable.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { sameEmbeddedText } from '../../embedding/embedded-kind.ts'
import type { DocumentWriter } from '../../embedding/document-writer.ts'
import type { TenantModels } from '../../embedding/target-model.ts'
import type { BatchRoom } from '../../identity/quotas/room.ts'
import { type Fault, notFound } from '../../platform/faults.ts'
import { type Pause, pauseOf, threadSlices } from '../../platform/threads/slices.ts'
import { relationFault } from './check-product.ts'
import { clearedFields } from './cleared.ts'
import type { ProductSource, ProductWrite } from './contract.ts'
import {
  draftOf,
  isSame,
  newRow,
  type ProductDraft,
  replacedRow,
  syncedRow,
  textBytesOf,
  type WriteFacts,
} from './draft.ts'
import { PRODUCT_EMBEDDING } from './indexing/product-embedding.ts'
import type { ProductInput } from './input.ts'
import type { ProductPatch, ProductPatchLine } from './patch-contract.ts'
import { patchedColumns, sizeFault } from './patch.ts'
import { shortColumnsOf, updateShortColumns } from './changed-columns-store.ts'
import * as store from './store.ts'
import { renewStockOfVariants } from './variant-stock-store.ts'

export type ProductOutcome =
  | {
      readonly status: 'created' | 'updated' | 'unchanged'
      readonly id: string
      /** Fields and members of objects that a whole product emptied; absent without any. */
      readonly cleared?: readonly string[]
    }
  | { readonly status: 'failed'; readonly fault: Fault }

export interface WritePlace extends WriteFacts {
  readonly source: ProductSource
  /** Embedding models of the tenant. */
  readonly models: TenantModels
  readonly portable: Portable
  readonly tenant: TenantContext
  readonly writer: DocumentWriter
  /** Room in the tenant's quota of bytes; null without such a quota, and in a preview. */
  readonly room: BatchRoom | null
}

/** Product of the batch: the stored row, and the row that it becomes. */
interface Change {
  readonly stored: ProductRow | null
  row: ProductRow
  isChanged: boolean
}

/**
 * Stores products with the same result as one after the other, but in few statements. Call it in a transaction that has
 * advanced the tenant's watermark. Inputs that name the same product apply in order.
 * @returns an outcome for each input, in order
 */
export async function writeProducts(
  tx: Tx,
  place: WritePlace,
  inputs: readonly ProductInput[],
): Promise<ProductOutcome[]> {
  const batch = await ProductBatch.load(tx, place, inputs)
  const outcomes = await batch.putAll(inputs, threadSlices.pauseHolding)
  await batch.store(tx)
  return outcomes
}

/** Stores a patch of a product, like `writeProducts`. @param row the product, read since the watermark was advanced */
export async function patchProduct(
  tx: Tx,
  place: WritePlace,
  row: ProductRow,
  patch: ProductPatch,
): Promise<ProductOutcome> {
  const batch = new ProductBatch(place, [row])
  const outcome = batch.patch(row, patch)
  await batch.store(tx)
  return outcome
}

/** Tells the outcomes of `writeProducts` without writing. A new product that is named twice is `created` both times. */
export async function previewProducts(
  db: Queries,
  place: WritePlace,
  inputs: readonly ProductInput[],
): Promise<ProductOutcome[]> {
  const batch = await ProductBatch.load(db, place, inputs)
  const outcomes = await batch.putAll(inputs, pauseOf(place.tenantId))
  const newIds = new Set(outcomes.flatMap((outcome) => (outcome.status === 'created' ? outcome.id : [])))
  return outcomes.map((outcome) =>
    outcome.status !== 'failed' && newIds.has(outcome.id) ? { status: 'created', id: outcome.id } : outcome,
  )
}

/** Returns the parents, before and after a change, whose variants in stock the change may have altered. */
function parentsWithOtherStock({ stored, row }: Change): string[] {
  const isSame =
    stored !== null &&
    stored.retired_at === null &&
    stored.availability === row.availability &&
    stored.parent_product_id === row.parent_product_id
  const parents = [stored?.parent_product_id ?? null, row.parent_product_id]
  return isSame ? [] : parents.filter((id) => id !== null)
}

/** Tells whether nothing of a product changes but the time at which it was last seen, which is a short statement. */
function isOnlySeen({ stored, row, isChanged }: Change): boolean {
  return !isChanged && stored !== null && stored.sync_hash === row.sync_hash
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(items, isFirst)
  return [groups.get(true) ?? [], groups.get(false) ?? []]
}

class ProductBatch {
  readonly #place: WritePlace
  /** Changes by product id, in the order in which the inputs first name the products. */
  readonly #changes = new Map<string, Change>()
  /** Stored rows by external_id, with the inputs so far applied. */
  readonly #rows: Map<string, ProductRow>

  /** @param stored products that the inputs may name */
  constructor(place: WritePlace, stored: readonly ProductRow[]) {
    this.#place = place
    this.#rows = new Map(stored.flatMap((row) => (row.external_id === null ? [] : [[row.external_id, row]])))
  }

  static async load(db: Queries, place: WritePlace, inputs: readonly ProductInput[]): Promise<ProductBatch> {
    const externalIds = new Set(inputs.flatMap(({ fields }) => fields.external_id ?? []))
    const rows = await store.findByExternalIds(db, place.portable, place.tenantId, place.siteId, [...externalIds])
    return new ProductBatch(place, rows)
  }

  async putAll(inputs: readonly ProductInput[], pause: Pause): Promise<ProductOutcome[]> {
    const outcomes: ProductOutcome[] = []
    for (const input of inputs) {
      const waiting = pause()
      if (waiting !== undefined) await waiting
      outcomes.push(input.kind === 'whole' ? this.#put(input.fields) : this.#patchNamed(input.fields))
    }
    return outcomes
  }

  #put(input: ProductWrite): ProductOutcome {
    const draft = draftOf(input, this.#place.source)
    const fault = relationFault(draft)
    if (fault !== null) return { status: 'failed', fault }
    const before = draft.external_id === null ? undefined : this.#rows.get(draft.external_id)
    if (before === undefined) return this.#write('created', null, newRow(draft, this.#place), draft)
    const outcome = this.#change(before, draft)
    if (outcome.status !== 'updated') return outcome
    const cleared = clearedFields(before, draft)
    return cleared.length === 0 ? outcome : { ...outcome, cleared }
  }

  #patchNamed({ external_id: name, ...patch }: ProductPatchLine): ProductOutcome {
    const before = this.#rows.get(name)
    const isThere = before !== undefined && before.retired_at === null
    return isThere
      ? this.patch(before, patch)
      : { status: 'failed', fault: notFound(['body', 'external_id'], 'Product') }
  }

  /** Applies a patch to a product that is not retired. */
  patch(before: ProductRow, patch: ProductPatch): ProductOutcome {
    const columns = patchedColumns(before, patch)
    const fault = relationFault({ ...before, ...columns }) ?? sizeFault(before, columns)
    return fault === null ? this.#change(before, columns) : { status: 'failed', fault }
  }

  #change(before: ProductRow, draft: Partial<ProductDraft>): ProductOutcome {
    if (before.retired_at === null) {
      const { sync_hash: hash = null } = draft
      if (hash !== null && hash === before.sync_hash)
        return this.#set('unchanged', before, syncedRow(before, this.#place))
      if (isSame(before, draft))
        return this.#set('unchanged', before, { ...syncedRow(before, this.#place), sync_hash: hash })
    }
    return this.#write('updated', before, replacedRow(before, draft, this.#place), draft)
  }

  #write(
    status: 'created' | 'updated',
    before: ProductRow | null,
    row: ProductRow,
    draft: Partial<ProductDraft>,
  ): ProductOutcome {
    const fault = this.#place.room?.take(textBytesOf(draft)) ?? null
    return fault === null ? this.#set(status, before, row) : { status: 'failed', fault }
  }

  #set(status: 'created' | 'updated' | 'unchanged', before: ProductRow | null, row: ProductRow): ProductOutcome {
    const change = this.#changes.get(row.id)
    const isChanged = status !== 'unchanged'
    if (change === undefined) this.#changes.set(row.id, { stored: before, row, isChanged })
    else {
      change.row = row
      change.isChanged ||= isChanged
    }
    if (row.external_id !== null) this.#rows.set(row.external_id, row)
    return { status, id: row.id }
  }

  async store(tx: Tx): Promise<void> {
    const changes = [...this.#changes.values()]
    if (changes.length === 0) return
    const { tenantId, siteId, seq, tenant, writer, models, room } = this.#place
    await room?.store(tx)
    const changed = changes.filter(({ isChanged }) => isChanged)
    await this.#resolveParents(tx, changed)
    const toEmbed = changed.filter(
      ({ stored, row }) => stored === null || !sameEmbeddedText(PRODUCT_EMBEDDING, stored, row),
    )
    const embedded = toEmbed.map(({ row }) => row)
    const vectors = embedded.length === 0 ? null : await writer.planVectors(PRODUCT_EMBEDDING, tenant, embedded, models)
    for (const { row } of toEmbed) row.embedding_model = vectors!.modelOf(row.id)
    const { portable, now, run } = this.#place
    const [seen, rewritten] = partition(changes, isOnlySeen)
    await this.#rewrite(tx, rewritten)
    const seenIds = seen.map(({ row }) => row.id)
    await store.markSynced(tx, portable, tenantId, seenIds, { now, run })
    await vectors?.store(tx)
    const additions = changed.filter(({ stored }) => stored === null || stored.retired_at !== null)
    const parents = new Map(
      additions.flatMap(({ row }) => (row.external_id === null ? [] : [[row.external_id, row.id]])),
    )
    const linked = await store.linkVariants(tx, tenantId, siteId, parents, seq)
    await renewStockOfVariants(tx, tenantId, [...new Set([...linked, ...changed.flatMap(parentsWithOtherStock)])], seq)
  }

  /** Stores rows: only the columns that change where these are short, else whole rows. */
  async #rewrite(tx: Tx, changes: readonly Change[]): Promise<void> {
    const { tenantId, portable } = this.#place
    const groups = Map.groupBy(changes, (change) => shortColumnsOf(change)?.join(' ') ?? null)
    for (const [columns, group] of groups) {
      const rows = group.map(({ row }) => row)
      if (columns === null) await store.putProducts(tx, rows)
      else await updateShortColumns(tx, portable, tenantId, shortColumnsOf(group[0])!, rows)
    }
  }

  /** Sets the parents of variants. A parent may be in the database, in this batch, or not exist yet. */
  async #resolveParents(tx: Tx, changed: readonly Change[]): Promise<void> {
    const named = new Set(changed.flatMap(({ row }) => row.parent_external_id ?? []))
    const elsewhere = [...named].filter((externalId) => !this.#rows.has(externalId))
    const { tenantId, siteId, portable } = this.#place
    const stored = await store.findIds(tx, portable, tenantId, siteId, elsewhere)
    const idOf = (externalId: string | null): string | null => {
      if (externalId === null) return null
      const row = this.#rows.get(externalId)
      if (row !== undefined) return row.retired_at === null ? row.id : null
      return stored.get(externalId) ?? null
    }
    for (const { row } of changed) row.parent_product_id = idOf(row.parent_external_id)
  }
}
