import type { Caller } from '../../../platform/access/caller.ts'
import type { WriterOptions } from '../../../embedding/document-writer.ts'
import type { Visibility } from '../../../platform/access/visibility.ts'
import { recordAudit, SERVICE } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { PageOf } from '../../../platform/database/page.ts'
import type { ListPosition } from '../../../platform/database/walk.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { conflict, type Fault, notFound } from '../../../platform/faults.ts'
import type { Entry } from '../contract.ts'
import { entryOf } from '../entry.ts'
import type { EntrySource, EntryType } from '../kinds.ts'
import { findEntry } from '../store.ts'
import { exists } from '../writes/reference-store.ts'
import { EntryWriter } from '../writes/write.ts'
import * as store from './bin-store.ts'
import type { BinnedEntry } from './contract.ts'

const PLACE = ['path', 'entry_id']

/** Rules of the bin, whose entries can be restored until they are purged. Visibility holds for them as before. */
export class EntryBinRules {
  readonly #writer: EntryWriter

  constructor(options: WriterOptions) {
    this.#writer = new EntryWriter(options)
  }

  /** Returns a page of the bin, the last deleted first. */
  async list(
    caller: Caller,
    page: PageOf<ListPosition>,
  ): Promise<{ entries: BinnedEntry[]; next: ListPosition | null }> {
    const { rows, next } = await store.listBinned(this.#writer.database, caller, page)
    return { entries: rows.map(binnedOf), next }
  }

  /**
   * Restores an entry with its id, version, earlier versions, and those of its projects and sites that still exist.
   * @throws Fault not_found; conflict when its category or workspace was deleted; quota_exceeded
   */
  async restore(caller: Caller, id: string): Promise<Entry> {
    const { portable } = this.#writer.database
    return this.#writer.write(caller, async (tx) => {
      const position = await advanceWatermark(tx, caller.tenant.id)
      const head = await store.findBinned(tx, caller, id)
      if (head === null) throw entryNotFound()
      for (const [table, reference, what] of [
        ['categories', head.category_id, 'category'],
        ['workspaces', head.workspace_id, 'workspace'],
      ] as const) {
        if (reference === null || (await exists(tx, table, caller.tenant.id, reference))) continue
        throw conflict(PLACE, `The ${what} of the entry was deleted`)
      }
      const before = await store.findBinnedEntry(tx, caller.tenant.id, id)
      if (before === null) throw entryNotFound()
      await this.#writer.storeNew(
        tx,
        caller,
        { ...before, seq: position.seq, text_seq: position.seq },
        position,
        () => 0,
      )
      await store.takeOut(tx, portable, caller.tenant.id, id)
      await this.#writer.record(tx, caller, 'entry', [{ action: 'restore', id }])
      return entryOf((await findEntry(tx, caller.tenant.id, id))!)
    })
  }

  /** Deletes an entry in the bin for good. @throws Fault not_found */
  async purge(caller: Caller, id: string): Promise<void> {
    await this.#writer.write(caller, async (tx) => {
      await advanceWatermark(tx, caller.tenant.id)
      if ((await store.findBinned(tx, caller, id)) === null) throw entryNotFound()
      await store.purge(tx, caller.tenant.id, [id])
      await this.#writer.record(tx, caller, 'entry', [{ action: 'purge', id }])
    })
  }
}

/**
 * Deletes entries for good whose time in the bin was over at `now`, one step at a time. Call it again until it returns
 * false.
 * @param now milliseconds since 1970
 * @returns whether there may be more to delete
 */
export async function purgeDue(tx: Tx, now: number): Promise<boolean> {
  const due = await store.findDue(tx, now)
  if (due === null) return false
  // Locks the tenant's watermark, so that no request restores an entry that is being deleted.
  await advanceWatermark(tx, due.tenantId)
  const ids = await store.purge(tx, due.tenantId, due.ids)
  const events = ids.map((id) => ({ action: 'purge', resourceType: 'entry', resourceId: id }) as const)
  await recordAudit(tx, due.tenantId, SERVICE, events)
  return true
}

function entryNotFound(): Fault {
  return notFound(PLACE, 'Entry')
}

function binnedOf(row: store.BinnedHead): BinnedEntry {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    type: row.type as EntryType,
    title: row.title,
    category_id: row.category_id,
    visibility: row.visibility as Visibility,
    language: row.language,
    workspace_id: row.workspace_id,
    source: row.source as EntrySource,
    source_reference: row.source_reference,
    created_by_user_id: row.created_by_user_id,
    version: row.version,
    deleted_at: new Date(row.deleted_at).toISOString(),
    deleted_by_user_id: row.deleted_by_user_id,
    purge_at: new Date(row.purge_at).toISOString(),
  }
}
