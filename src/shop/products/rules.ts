import type { Caller } from '../../platform/access/caller.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { ListPosition } from '../../platform/database/walk.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { DocumentWriter, type WritePosition, type WriterOptions } from '../../embedding/document-writer.ts'
import { type BatchRoom, roomForBatch } from '../../identity/quotas/room.ts'
import { faultsOf, withFurtherFaults } from '../../platform/contract/all-faults.ts'
import { primaryLanguage } from '../../platform/contract/language.ts'
import { type Fault, notFound } from '../../platform/faults.ts'
import { type Expected, requireExpected, requireMayExpect } from '../../platform/precondition.ts'
import { requireSiteNamed, requireSiteReference } from '../sites/rules.ts'
import { mapInSlices } from '../../platform/threads/slices.ts'
import { FullSync } from './bulk/full-sync.ts'
import { ProductPush, type PushOptions, type PushTarget } from './bulk/push-rules.ts'
import { relationFaultsOf } from './check-product.ts'
import { type Product, type ProductListQuery, type ProductSource, ProductWrite, type WholeProduct } from './contract.ts'
import { identityFault } from './patch.ts'
import type { ProductPatch } from './patch-contract.ts'
import { productOf, wholeProductOf } from './product.ts'
import { RunRecord } from './sync-runs/run-record.ts'
import { PlannerStatistics } from './bulk/planner-statistics.ts'
import { countProducts, listProducts, type ProductFilters } from './list-store.ts'
import * as store from './store.ts'
import type { ProductInput } from './input.ts'
import { removeProducts } from './remove.ts'
import { patchProduct, previewProducts, type ProductOutcome, type WritePlace, writeProducts } from './write.ts'

/** Returns titles by id of the products that exist; empty for a title that is too long to be shown. */
export async function productTitles(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return new Map(Array.from(await store.findShort(db, tenantId, ids), ([id, { title }]) => [id, title ?? '']))
}

interface ProductPage {
  readonly products: Product[]
  /** Position after which the next page begins; null on the last page. */
  readonly next: ListPosition | null
  /** Number of products on all pages; null when the query does not ask for it. */
  readonly total: number | null
}

/** Site, source and full sync of products that are written. */
interface PushPlace {
  readonly siteId: string
  readonly source: ProductSource
  readonly run: string | null
}

/** Product that a patch changes: by its id, or by its external_id in a site. */
export type PatchTarget = { readonly id: string } | { readonly site: string; readonly externalId: string }

/** Outcome of the write of one product. */
export interface WriteOutcome {
  readonly status: 'created' | 'updated' | 'unchanged'
  /** Fields and members of objects that a whole product emptied. */
  readonly cleared: readonly string[]
  readonly product: WholeProduct
}

const OTHER_VERSION = 'The product has another version'

/**
 * Most bytes of stored text that one transaction reads or replaces. A line of a few bytes may name a product of
 * megabytes.
 */
const STORED_BYTES_MAX = 2 * 1_024 * 1_024

/**
 * Returns the entity tag of a product's version. It has the id, because a product that is deleted and sent again under
 * its `external_id` begins at version 1.
 */
export function tagOf({ id, version }: Pick<Product, 'id' | 'version'>): string {
  return `${version}-${id}`
}

/** Rules of products: who may read and change them. HTTP, the command line and MCP use them. */
export class ProductRules {
  readonly #database: Database
  readonly #writer: DocumentWriter
  readonly #statistics: PlannerStatistics

  constructor(options: WriterOptions) {
    this.#database = options.database
    this.#writer = new DocumentWriter(options)
    this.#statistics = new PlannerStatistics(options.database)
  }

  /**
   * Creates a product, or replaces the one of the site with the same external_id.
   * @throws Fault precondition_failed when another version is expected, or none exists
   */
  async upsert(
    caller: Caller,
    site: string,
    input: ProductWrite,
    expected: Expected<string | null> = null,
  ): Promise<WriteOutcome> {
    try {
      requireMayExpect(caller, expected, 'products:read')
      return await this.#writer.writeOne(caller, (tx) => this.#upsert(tx, caller, site, input, expected))
    } catch (error) {
      throw await withFurtherFaults(error, () => this.faultsOfUpsert(caller, site, input), ProductWrite)
    }
  }

  async #upsert(
    tx: Tx,
    caller: Caller,
    site: string,
    input: ProductWrite,
    expected: Expected<string | null>,
  ): Promise<WriteOutcome> {
    const { id: siteId } = await requireSiteNamed(tx, caller.tenant.id, site)
    if (expected !== null) await this.#requireVersion(tx, caller, siteId, input, expected)
    const [outcome] = await this.#push(tx, caller, { siteId, source: 'api', run: null }, [
      { kind: 'whole', fields: input },
    ])
    if (outcome.status === 'failed') throw outcome.fault
    const row = await store.findProduct(tx, caller.tenant.id, outcome.id)
    return { status: outcome.status, cleared: outcome.cleared ?? [], product: wholeProductOf(row!) }
  }

  /**
   * Changes a product in part: what the patch does not have stays as it is.
   * @throws Fault not_found; precondition_failed when another version is expected
   */
  async patch(
    caller: Caller,
    target: PatchTarget,
    patch: ProductPatch,
    expected: Expected<string> = null,
  ): Promise<WriteOutcome> {
    try {
      requireMayExpect(caller, expected, 'products:read')
      return await this.#writer.writeOne(caller, (tx) => this.#patch(tx, caller, target, patch, expected))
    } catch (error) {
      throw await withFurtherFaults(error, () => this.faultsOfPatch(caller, target, patch), ProductWrite)
    }
  }

  async #patch(
    tx: Tx,
    caller: Caller,
    target: PatchTarget,
    patch: ProductPatch,
    expected: Expected<string>,
  ): Promise<WriteOutcome> {
    const { id: tenantId } = caller.tenant
    const position = await advanceWatermark(tx, tenantId)
    const row = await this.#find(tx, caller, target)
    if (row === null) throw notFound(['path', 'id' in target ? 'product_id' : 'external_id'], 'Product')
    requireExpected(tagOf({ id: row.id, version: row.revision }), expected, OTHER_VERSION)
    const fault = identityFault(row, patch)
    if (fault !== null) throw fault
    const place = { siteId: row.site_id, source: row.source as ProductSource, run: null }
    const write = async (at: WritePlace) => [await patchProduct(tx, at, row, patch)]
    const [outcome] = await this.#write(tx, caller, place, write, position, Date.now())
    if (outcome.status === 'failed') throw outcome.fault
    const patched = await store.findProduct(tx, tenantId, row.id)
    return { status: outcome.status, cleared: [], product: wholeProductOf(patched!) }
  }

  /**
   * Returns the faults of a patch's site and body that a check of their shape does not find.
   * @param body of any shape
   */
  async faultsOfPatch(caller: Caller, target: PatchTarget, body: unknown): Promise<Fault[]> {
    const { queries } = this.#database
    const unknownSite =
      'id' in target ? [] : await faultsOf([() => requireSiteNamed(queries, caller.tenant.id, target.site)])
    const row = unknownSite.length > 0 ? null : await this.#find(queries, caller, target)
    if (row === null) return unknownSite
    const identity = identityFault(row, body)
    return [...(identity === null ? [] : [identity]), ...relationFaultsOf(body, row)]
  }

  /** Finds the product of a patch; null without one. @throws Fault invalid at `query.site_id` without the site */
  async #find(db: Queries, { tenant }: Caller, target: PatchTarget): Promise<ProductRow | null> {
    if ('id' in target) return store.findProduct(db, tenant.id, target.id)
    const { id: siteId } = await requireSiteNamed(db, tenant.id, target.site)
    const named = [target.externalId]
    const [row = null] = await store.findByExternalIds(db, this.#database.portable, tenant.id, siteId, named)
    return row?.retired_at === null ? row : null
  }

  /**
   * Returns the faults of a product's site and body that a check of their shape does not find.
   * @param body of any shape
   */
  async faultsOfUpsert(caller: Caller, site: string, body: unknown): Promise<Fault[]> {
    const unknownSite = await faultsOf([() => requireSiteNamed(this.#database.queries, caller.tenant.id, site)])
    return [...unknownSite, ...relationFaultsOf(body)]
  }

  /**
   * Begins a push of many products. With `maxRetired` it is a full sync, which at its end retires the products that
   * exist now and that no line names.
   * @throws Fault invalid at `query.site_id` when there is no such site
   */
  async beginPush(caller: Caller, target: PushTarget, options: PushOptions): Promise<ProductPush> {
    const { source, dryRun, maxRetired } = target
    const siteId = await this.#siteId(caller, target.site)
    const sync =
      maxRetired === null
        ? null
        : await FullSync.begin(this.#database, caller, { siteId, source }, { maxRetired, dryRun })
    const place = { siteId, source, run: sync?.run ?? null }
    const record = dryRun ? null : new RunRecord(this.#database, caller, { siteId, source, isFull: sync !== null })
    const take = async (products: readonly ProductInput[]): Promise<ProductOutcome[]> => {
      const currentCaller = await options.renewCaller()
      return dryRun
        ? this.#preview(currentCaller, place, products)
        : this.#store(currentCaller, place, record, products)
    }
    return new ProductPush({ ...options, take, dryRun, sync, record })
  }

  async read(caller: Caller, id: string): Promise<WholeProduct> {
    const row = await store.findProduct(this.#database.queries, caller.tenant.id, id)
    if (row === null) throw notFound(['path', 'product_id'], 'Product')
    return wholeProductOf(row)
  }

  async list(caller: Caller, query: ProductListQuery, page: PageOf<ListPosition>): Promise<ProductPage> {
    const filters: ProductFilters = {
      siteId: query.site_id === undefined ? undefined : await this.#siteId(caller, query.site_id),
      externalId: query.external_id,
      brand: query.brand,
      category: query.category,
      availability: query.availability,
      language: query.language === undefined ? undefined : primaryLanguage(query.language),
      source: query.source,
      isVariant: query.is_variant,
      isParent: query.is_parent,
      parentId: query.parent_product_id,
    }
    const { id: tenantId } = caller.tenant
    const { rows, next } = await listProducts(this.#database, tenantId, filters, page)
    return {
      products: await mapInSlices(tenantId, rows, productOf),
      next,
      total: query.include_total ? await countProducts(this.#database, tenantId, filters) : null,
    }
  }

  /** @throws Fault not_found; precondition_failed when another version is expected */
  async remove(caller: Caller, id: string, expected: Expected<string> = null): Promise<void> {
    requireMayExpect(caller, expected, 'products:read')
    const tenantId = caller.tenant.id
    await this.#writer.writeOne(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      const row = await store.findProduct(tx, tenantId, id)
      if (row === null) throw notFound(['path', 'product_id'], 'Product')
      requireExpected(tagOf({ id, version: row.revision }), expected, OTHER_VERSION)
      const { site_id: siteId, external_id: name } = row
      await removeProducts(tx, { tenantId, siteId, seq }, [id], name === null ? [] : [name])
      await this.#writer.record(tx, caller, 'product', [{ action: 'delete', id }])
    })
  }

  /** Checks the version that a write replaces. The tenant's watermark is locked from then on, so the version stays. */
  async #requireVersion(
    tx: Tx,
    caller: Caller,
    siteId: string,
    { external_id: externalId = null }: ProductWrite,
    expected: Expected<string | null>,
  ): Promise<void> {
    await advanceWatermark(tx, caller.tenant.id)
    const names = externalId === null ? [] : [externalId]
    const [row] = await store.findByExternalIds(tx, this.#database.portable, caller.tenant.id, siteId, names)
    const isThere = row !== undefined && row.retired_at === null
    const tag = isThere ? tagOf({ id: row.id, version: row.revision }) : null
    requireExpected(tag, expected, isThere ? OTHER_VERSION : 'There is no such product')
  }

  /** Returns the id of a site by id or slug. @throws Fault invalid at `query.site_id` when there is none */
  async #siteId(caller: Caller, idOrSlug: string): Promise<string> {
    return (await requireSiteNamed(this.#database.queries, caller.tenant.id, idOrSlug)).id
  }

  /**
   * Stores the first products in one transaction: all of them, unless they replace too much text. Call it again with
   * the rest. A bad product does not affect the others.
   * @returns outcomes of the first inputs, in order, at least one
   */
  async #store(
    caller: Caller,
    place: PushPlace,
    record: RunRecord | null,
    inputs: readonly ProductInput[],
  ): Promise<ProductOutcome[]> {
    const { outcomes, count } = await this.#writer.write(caller, async (tx) => {
      const outcomes = await this.#push(tx, caller, place, inputs)
      return { outcomes, count: await record?.store(tx, outcomes) }
    })
    count?.()
    await this.#statistics.created(outcomes.filter(({ status }) => status === 'created').length)
    return outcomes
  }

  /**
   * Tells the outcomes of `#store` without writing. Knows nothing of earlier batches of the same feed.
   * @returns outcomes of the first inputs, in order, at least one
   */
  async #preview(caller: Caller, place: PushPlace, inputs: readonly ProductInput[]): Promise<ProductOutcome[]> {
    const { queries } = this.#database
    const some = first(inputs, await this.#states(queries, caller, place, inputs))
    return previewProducts(
      queries,
      this.#placeOf(caller, place, { seq: 0, model: null, choice: null }, Date.now(), null),
      some,
    )
  }

  /**
   * Writes products. Unchanged products get only the time of the sync, without a lock or a new number of the tenant's
   * watermark, since search does not have to see them.
   */
  async #push(tx: Tx, caller: Caller, place: PushPlace, inputs: readonly ProductInput[]): Promise<ProductOutcome[]> {
    const states = await this.#states(tx, caller, place, inputs)
    const some = first(inputs, states)
    const unchangedIds = unchanged(some, states)
    const news = some.filter((_, i) => unchangedIds[i] === null)
    const lock = news.length === 0 ? null : await advanceWatermark(tx, caller.tenant.id)
    const ids = unchangedIds.filter((id) => id !== null)
    const now = Date.now()
    if (
      (await store.markSynced(tx, this.#database.portable, caller.tenant.id, ids, { now, run: place.run })) < ids.length
    )
      // An unchanged product was retired or deleted a moment ago, so all of them have to be written.
      return this.#writeAll(tx, caller, place, some, lock ?? (await advanceWatermark(tx, caller.tenant.id)), now)
    const outcomes = lock === null ? [] : await this.#writeAll(tx, caller, place, news, lock, now)
    let next = 0
    return unchangedIds.map((id) => (id === null ? outcomes[next++] : { status: 'unchanged', id }))
  }

  /** Returns the sync states of the stored products that the inputs name. */
  async #states(db: Queries, caller: Caller, { siteId }: PushPlace, inputs: readonly ProductInput[]): Promise<States> {
    const named = [...new Set(inputs.flatMap(({ fields }) => fields.external_id ?? []))]
    const states = await store.syncStates(db, this.#database.portable, caller.tenant.id, siteId, named)
    return new Map(states.map((state) => [state.external_id!, state]))
  }

  #writeAll(
    tx: Tx,
    caller: Caller,
    place: PushPlace,
    inputs: readonly ProductInput[],
    position: WritePosition,
    now: number,
  ): Promise<ProductOutcome[]> {
    return this.#write(tx, caller, place, (at) => writeProducts(tx, at, inputs), position, now)
  }

  /** Lets `write` store products, and records the changes in the audit log. */
  async #write(
    tx: Tx,
    caller: Caller,
    place: PushPlace,
    write: (at: WritePlace) => Promise<ProductOutcome[]>,
    position: WritePosition,
    now: number,
  ): Promise<ProductOutcome[]> {
    const tenantId = caller.tenant.id
    await requireSiteReference(tx, tenantId, place.siteId, 'query')
    const room = await roomForBatch(tx, caller.tenant)
    const outcomes = await write(this.#placeOf(caller, place, position, now, room))
    const changes = outcomes.flatMap((outcome) => {
      if (outcome.status !== 'created' && outcome.status !== 'updated') return []
      return [{ action: outcome.status === 'created' ? ('create' as const) : ('update' as const), id: outcome.id }]
    })
    await this.#writer.record(tx, caller, 'product', changes)
    return outcomes
  }

  #placeOf(
    { tenant }: Caller,
    { siteId, source, run }: PushPlace,
    { seq, ...models }: WritePosition,
    now: number,
    room: BatchRoom | null,
  ) {
    const { portable } = this.#database
    const facts = { tenantId: tenant.id, siteId, source, run, seq, models, now, portable }
    return { ...facts, tenant, writer: this.#writer, room }
  }
}

/** Sync states of stored products by external_id, with retired ones. */
type States = ReadonlyMap<string, store.SyncState>

/** Returns the first inputs, at least one, whose stored products together are small enough for one transaction. */
function first(inputs: readonly ProductInput[], states: States): readonly ProductInput[] {
  let bytes = 0
  const end = inputs.findIndex(({ fields: { external_id: id } }, i) => {
    bytes += id == null ? 0 : (states.get(id)?.bytes ?? 0)
    return i > 0 && bytes > STORED_BYTES_MAX
  })
  return end < 0 ? inputs : inputs.slice(0, end)
}

/** Returns the id of each input's product if its sync_hash is that of the input; null for an input to be written. */
function unchanged(inputs: readonly ProductInput[], states: States): (string | null)[] {
  const times = new Map<string, number>()
  for (const {
    fields: { external_id: id },
  } of inputs)
    if (id != null) times.set(id, (times.get(id) ?? 0) + 1)
  return inputs.map(({ fields: { external_id: id, sync_hash: hash } }) => {
    // If a product is named twice, the later input applies to what the earlier one made, so both are written in order.
    if (id == null || hash == null || times.get(id) !== 1) return null
    const state = states.get(id)
    return state?.sync_hash === hash && state.retired_at === null ? state.id : null
  })
}
