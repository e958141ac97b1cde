import type { Caller } from '../../../platform/access/caller.ts'
import { DocumentWriter, type WriterOptions } from '../../../embedding/document-writer.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { faultsOf } from '../../../platform/contract/all-faults.ts'
import type { Fault } from '../../../platform/faults.ts'
import { requireSiteNamed } from '../../sites/rules.ts'
import { removeProducts } from '../remove.ts'
import { findIds } from '../store.ts'
import type { ProductBulkDelete, ProductBulkDeleted } from './bulk-delete-contract.ts'

/** Deletes many products of a site by external_id. Each call is one transaction. */
export class ProductBulkDeleteRules {
  readonly #writer: DocumentWriter

  constructor(options: WriterOptions) {
    this.#writer = new DocumentWriter(options)
  }

  /**
   * Deletes the products that exist and are not retired; the others do not matter. A dry run only tells which exist.
   * @param site id or slug
   * @throws Fault invalid at `query.site_id` without the site
   */
  async remove(
    caller: Caller,
    site: string,
    { external_ids: externalIds, dry_run: dryRun = false }: ProductBulkDelete,
  ): Promise<ProductBulkDeleted> {
    const { queries } = this.#writer.database
    const ids = dryRun
      ? await this.#find(queries, caller, (await this.#siteOf(queries, caller, site)).id, externalIds)
      : await this.#remove(caller, site, externalIds)
    const results = externalIds.map((name) => {
      const id = ids.get(name)
      return id === undefined
        ? { external_id: name, status: 'not_found' as const }
        : { external_id: name, status: 'deleted' as const, id }
    })
    return { dry_run: dryRun, matched: ids.size, deleted: dryRun ? 0 : ids.size, results }
  }

  /** Returns the fault of an unknown site, which a check of the request's shape does not find. */
  faultsOf(caller: Caller, site: string): Promise<Fault[]> {
    return faultsOf([() => this.#siteOf(this.#writer.database.queries, caller, site)])
  }

  /** Deletes products. @returns their ids by external_id */
  #remove(caller: Caller, site: string, externalIds: readonly string[]): Promise<Map<string, string>> {
    const { id: tenantId } = caller.tenant
    return this.#writer.write(caller, async (tx) => {
      const { id: siteId } = await this.#siteOf(tx, caller, site)
      const { seq } = await advanceWatermark(tx, tenantId)
      const found = await this.#find(tx, caller, siteId, externalIds)
      const ids = [...found.values()]
      await removeProducts(tx, { tenantId, siteId, seq }, ids, [...found.keys()])
      const changes = ids.map((id) => ({ action: 'delete', id }) as const)
      await this.#writer.record(tx, caller, 'product', changes)
      return found
    })
  }

  #siteOf(db: Queries, { tenant }: Caller, site: string) {
    return requireSiteNamed(db, tenant.id, site)
  }

  #find(db: Queries, { tenant }: Caller, siteId: string, externalIds: readonly string[]): Promise<Map<string, string>> {
    const { portable } = this.#writer.database
    return findIds(db, portable, tenant.id, siteId, [...new Set(externalIds)])
  }
}
