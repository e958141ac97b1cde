import type { Caller } from '../../../platform/access/caller.ts'
import type { WriterOptions } from '../../../embedding/document-writer.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { type Fault, invalid } from '../../../platform/faults.ts'
import { discard } from '../bin/discard.ts'
import type { EntryBulkDelete, EntryBulkDeleted, EntryFilter } from '../contract.ts'
import { filtersOf } from '../lists/filters.ts'
import { countEntries, findMatching } from '../lists/list-store.ts'
import { numbersOf } from '../store.ts'
import { faultsOfEntryIds, requireVisibleEntries } from '../visibility/require-visible.ts'
import { requireRestrictions } from '../writes/references.ts'
import { EntryWriter } from '../writes/write.ts'

/** Most entries that one call deletes: as many as a request can name. */
const DELETED_MAX = 500

/** Deletes many entries by id or filter. Each call is one transaction. */
export class EntryBulkDeleteRules {
  readonly #writer: EntryWriter

  constructor(options: WriterOptions) {
    this.#writer = new EntryWriter(options)
  }

  /**
   * Deletes the named entries, all or none, or the first of those that pass a filter. A dry run only counts.
   * @throws Fault invalid, such as for an entry that is unknown or invisible to the caller
   */
  async remove(
    caller: Caller,
    { entry_ids: ids, filter, dry_run: dryRun = false }: EntryBulkDelete,
  ): Promise<EntryBulkDeleted> {
    if (ids !== undefined) {
      if (filter !== undefined) throw invalid(['body', 'filter'], 'value_error', 'Give entry_ids or filter, not both')
      return this.#removeNamed(caller, [...new Set(ids)], dryRun)
    }
    if (filter === undefined) throw invalid(['body', 'entry_ids'], 'missing', 'Field required without filter')
    return this.#removeMatching(caller, filter, dryRun)
  }

  /** Returns faults of the named entries besides those of their shape. */
  faultsOf(caller: Caller, body: unknown): Promise<Fault[]> {
    return faultsOfEntryIds(this.#writer.database.queries, caller, body)
  }

  async #removeNamed(caller: Caller, ids: readonly string[], dryRun: boolean): Promise<EntryBulkDeleted> {
    if (dryRun) await requireVisibleEntries(this.#writer.database.queries, caller, ids)
    else {
      await this.#writer.write(caller, async (tx) => {
        const { seq } = await advanceWatermark(tx, caller.tenant.id)
        await requireVisibleEntries(tx, caller, ids)
        await discard(tx, this.#writer.database.portable, caller, ids, seq)
      })
    }
    return { dry_run: dryRun, matched: ids.length, deleted: dryRun ? 0 : ids.length, remaining: 0 }
  }

  async #removeMatching(caller: Caller, filter: EntryFilter, dryRun: boolean): Promise<EntryBulkDeleted> {
    const { include_expired: _expired, tag, ...rest } = filter
    // An empty list of tags does not filter, as in a list.
    if ((tag ?? []).length === 0 && Object.values(rest).every((value) => value === undefined))
      throw invalid(['body', 'filter'], 'too_short', 'Name at least one filter')
    const { database } = this.#writer
    await requireRestrictions(database.queries, caller.tenant.id, filter, ['body', 'filter'])
    const filters = filtersOf(filter)
    const matched = await countEntries(database, caller, filters)
    if (dryRun || matched === 0) return { dry_run: dryRun, matched, deleted: 0, remaining: 0 }
    const candidates = await findMatching(database, caller, filters, DELETED_MAX)
    const deleted = await this.#writer.write(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      const ids = await unchanged(tx, caller, candidates)
      if (ids.length > 0) await discard(tx, database.portable, caller, ids, seq)
      return ids.length
    })
    return { dry_run: false, matched, deleted, remaining: Math.max(0, matched - deleted) }
  }
}

/** Returns the ids of candidates without a later change. The others may no longer pass the filter. */
async function unchanged(
  tx: Tx,
  caller: Caller,
  candidates: readonly { readonly id: string; readonly seq: number }[],
): Promise<string[]> {
  const numbers = await numbersOf(
    tx,
    caller.tenant.id,
    candidates.map(({ id }) => id),
  )
  return candidates.filter(({ id, seq }) => numbers.get(id) === seq).map(({ id }) => id)
}
