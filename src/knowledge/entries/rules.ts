import type { Caller } from '../../platform/access/caller.ts'
import type { WriterOptions } from '../../embedding/document-writer.ts'
import { mayReadBack } from '../../platform/access/read-back.ts'
import type { Visibility } from '../../platform/access/visibility.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { EntryRow } from '../../platform/database/tables.ts'
import type { ListPosition } from '../../platform/database/walk.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { mapInSlices } from '../../platform/threads/slices.ts'
import { withFurtherFaults } from '../../platform/contract/all-faults.ts'
import { idIn } from '../../platform/contract/unchecked.ts'
import { conflict, type Fault, forbidden, notFound } from '../../platform/faults.ts'
import { type Expected, requireExpected, requireMayExpect } from '../../platform/precondition.ts'
import {
  EntryCreate,
  type EntryListQuery,
  type EntrySourceQuery,
  type EntryQuery,
  EntryUpdate,
  type EntryVersionSummary,
  PersonalEntryCreate,
} from './contract.ts'
import { draftOf, type EntryDraft } from './writes/draft.ts'
import type { Entry } from './contract.ts'
import { entryOf, entryOfSnapshot } from './entry.ts'
import { filtersOf } from './lists/filters.ts'
import { countEntries, listEntries } from './lists/list-store.ts'
import { withCategoryPaths } from './lists/category-path.ts'
import * as inputFaults from './writes/input-faults.ts'
import { discard } from './bin/discard.ts'
import { findBinnedBySourceReference, findBinnedEntry } from './bin/bin-store.ts'
import { requirePatchRevealsNothing } from './writes/write-only.ts'
import { requireRestrictions } from './writes/references.ts'
import * as visible from './visibility/visible-store.ts'
import { EntryWriter, requireLevel, requireSameType } from './writes/write.ts'

interface EntryPage {
  readonly entries: Entry[]
  /** Position after which the next page begins; null on the last page. */
  readonly next: ListPosition | null
  /** Number of entries on all pages; null when the query does not ask for it. */
  readonly total: number | null
}

/** Rules of entries: who may read and change which. HTTP, the command line and MCP use them. */
export class EntryRules {
  readonly #database: Database
  readonly #writer: EntryWriter

  constructor(options: WriterOptions) {
    this.#database = options.database
    this.#writer = new EntryWriter(options)
  }

  /**
   * Creates an entry. If the caller may read, and an entry of the same type and `source_reference` rests in the bin, it
   * restores that entry and changes it to the input.
   */
  async create(caller: Caller, input: EntryCreate): Promise<Entry> {
    try {
      const draft = draftOf(caller, input)
      requireLevel(caller, draft)
      return await this.#writer.writeOne(caller, async (tx) => {
        const position = await advanceWatermark(tx, caller.tenant.id)
        const binned = await findInBin(tx, caller, draft)
        if (binned === null) return this.#writer.insert(tx, caller, draft, position)
        // A restored entry keeps its type, and its group unless the input names one. The draft may have a new group.
        const { type: _type, ...fields } = draft
        const group = input.translation_group_id ?? binned.translation_group_id
        const patch = { ...fields, translation_group_id: group }
        await this.#writer.bringBack(tx, caller, binned, patch, position)
        return entryOf(await this.#visible(tx, caller, binned.id))
      })
    } catch (error) {
      throw await withFurtherFaults(error, () => this.faultsOfNew(caller, input), EntryCreate)
    }
  }

  /** Returns the faults of a new entry that a check of its shape does not find. @param body of any shape */
  faultsOfNew(caller: Caller, body: unknown): Promise<Fault[]> {
    return inputFaults.faultsOfNew(this.#database.queries, caller, body)
  }

  /** Creates a private note, which only its owner sees and changes. */
  async createPersonal(caller: Caller, input: PersonalEntryCreate): Promise<Entry> {
    if (caller.userId === null)
      throw forbidden(['header', 'authorization'], 'A credential without a user has no personal entries')
    try {
      const draft = {
        ...draftOf(caller, { ...personalFields(input), type: 'knowledge' }),
        visibility: 'personal' as const,
      }
      return await this.#writer.writeOne(caller, async (tx) =>
        this.#writer.insert(tx, caller, draft, await advanceWatermark(tx, caller.tenant.id)),
      )
    } catch (error) {
      throw await withFurtherFaults(error, () => this.faultsOfPersonal(caller, input), PersonalEntryCreate)
    }
  }

  /** Returns the faults of a private note that a check of its shape does not find. @param body of any shape */
  faultsOfPersonal(caller: Caller, body: unknown): Promise<Fault[]> {
    return inputFaults.faultsOfPersonal(this.#database.queries, caller, body)
  }

  async read(caller: Caller, id: string, query: EntryQuery = {}): Promise<Entry> {
    const entry = entryOf(await this.#visible(this.#database.queries, caller, id))
    return query.include_category_path ? (await this.#withPaths(caller, [entry]))[0] : entry
  }

  async list(caller: Caller, query: EntryListQuery, page: PageOf<ListPosition>): Promise<EntryPage> {
    await requireRestrictions(this.#database.queries, caller.tenant.id, query, 'query')
    const filters = filtersOf(query)
    const { rows, next } = await listEntries(this.#database, caller, filters, page)
    const entries = await mapInSlices(caller.tenant.id, rows, entryOf)
    return {
      entries: query.include_category_path ? await this.#withPaths(caller, entries) : entries,
      next,
      total: query.include_total ? await countEntries(this.#database, caller, filters) : null,
    }
  }

  async update(caller: Caller, id: string, patch: EntryUpdate, expected: Expected<number>): Promise<Entry> {
    try {
      requireSameType(patch.type)
      requireMayExpect(caller, expected)
      requirePatchRevealsNothing(caller, patch)
      return await this.#writer.writeOne(caller, async (tx) => {
        const position = await advanceWatermark(tx, caller.tenant.id)
        const before = await this.#visible(tx, caller, id)
        requireVersion(before, expected)
        if (patch.visibility !== undefined) requireLevel(caller, { visibility: patch.visibility })
        const after = await this.#writer.change(tx, caller, before, patch, position)
        return entryOf(after ?? before)
      })
    } catch (error) {
      throw await withFurtherFaults(error, () => this.faultsOfChange(caller, id, patch), EntryUpdate)
    }
  }

  /**
   * Returns the faults of a change that a check of its shape does not find.
   * @param entry id of the entry, of any shape
   * @param body of any shape
   */
  async faultsOfChange(caller: Caller, entry: unknown, body: unknown): Promise<Fault[]> {
    const { queries } = this.#database
    const id = idIn(entry)
    const before = id === null ? null : await visible.findVisibleHead(queries, caller, id)
    return inputFaults.faultsOfChange(queries, caller, before, body)
  }

  async remove(caller: Caller, id: string, expected: Expected<number>): Promise<void> {
    requireMayExpect(caller, expected)
    await this.#remove(caller, (tx) => this.#visible(tx, caller, id), expected)
  }

  /** Returns the oldest visible entry with the source and reference. @throws Fault not_found */
  async readBySource(caller: Caller, from: EntrySourceQuery): Promise<Entry> {
    const [id] = await visible.findBySource(this.#database.queries, caller, from)
    if (id === undefined) throw sourceNotFound()
    return this.read(caller, id)
  }

  /** Deletes the entry with the source and reference. @throws Fault not_found; conflict when several have them */
  async removeBySource(caller: Caller, from: EntrySourceQuery, expected: Expected<number>): Promise<void> {
    const only = async (tx: Tx): Promise<EntryRow> => {
      const [id, another] = await visible.findBySource(tx, caller, from)
      if (id === undefined) throw sourceNotFound()
      if (another !== undefined) throw conflict(SOURCE_PLACE, 'Several entries have this reference')
      return this.#visible(tx, caller, id)
    }
    await this.#remove(caller, only, expected)
  }

  async #remove(caller: Caller, find: (tx: Tx) => Promise<EntryRow>, expected: Expected<number>): Promise<void> {
    await this.#writer.writeOne(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      const row = await find(tx)
      requireVersion(row, expected)
      await discard(tx, this.#database.portable, caller, [row.id], seq)
    })
  }

  /** Lists the current and earlier versions below number `before` that the caller may see, newest first. */
  async versions(
    caller: Caller,
    id: string,
    { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number },
  ): Promise<{ versions: EntryVersionSummary[]; next: number | null }> {
    const current = await this.#visible(this.#database.queries, caller, id)
    // A change since the first read may have made `current` an earlier version too. It must not be listed twice.
    const below = { limit: limit + 1, before: Math.min(before, current.version) }
    const earlier = await visible.listVersions(this.#database.queries, caller, current, below)
    const rows = current.version < before ? [current, ...earlier] : earlier
    const page = rows.slice(0, limit)
    return {
      versions: page.map((row) => ({
        version: row.version,
        title: row.title,
        visibility: row.visibility as Visibility,
        updated_at: new Date(row.updated_at).toISOString(),
      })),
      next: rows.length > limit ? page[limit - 1].version : null,
    }
  }

  /**
   * Returns one version of an entry. The visibility of that version decides who sees it: a version that was restricted
   * stays hidden from the public after the entry is published.
   */
  async version(caller: Caller, id: string, version: number): Promise<Entry> {
    const current = await this.#visible(this.#database.queries, caller, id)
    if (version === current.version) return entryOf(current)
    const snapshot = await visible.findSnapshot(this.#database.queries, caller, current, version)
    if (snapshot === null) throw notFound(['path', 'version'], 'Version')
    return entryOfSnapshot(snapshot, entryOf(current))
  }

  /** Lists the other visible entries of the translation group. */
  async translations(caller: Caller, id: string, page: PageOf<ListPosition>): Promise<Omit<EntryPage, 'total'>> {
    const entry = await this.#visible(this.#database.queries, caller, id)
    const filters = { translationGroupId: entry.translation_group_id, notId: id, notExpiredAt: Date.now() }
    const { rows, next } = await listEntries(this.#database, caller, filters, page)
    return { entries: await mapInSlices(caller.tenant.id, rows, entryOf), next }
  }

  #withPaths(caller: Caller, entries: readonly Entry[]): Promise<Entry[]> {
    return withCategoryPaths(this.#database.queries, caller.tenant.id, entries)
  }

  async #visible(db: Queries, caller: Caller, id: string): Promise<EntryRow> {
    const row = await visible.findVisibleEntry(db, caller, id)
    if (row === null) throw notFound(['path', 'entry_id'], 'Entry')
    return row
  }
}

/**
 * Finds the entry in the bin that a new one restores; null for a caller who may not read, because the answer would
 * reveal the entry.
 */
async function findInBin(
  db: Queries,
  caller: Caller,
  { source_reference: reference, type }: EntryDraft,
): Promise<EntryRow | null> {
  if (reference === null || !mayReadBack(caller)) return null
  const id = await findBinnedBySourceReference(db, caller, reference, type)
  return id === null ? null : findBinnedEntry(db, caller.tenant.id, id)
}

const SOURCE_PLACE = ['query', 'source_reference']

function sourceNotFound(): Fault {
  return notFound(SOURCE_PLACE, 'Entry')
}

function requireVersion(row: EntryRow, expected: Expected<number>): void {
  requireExpected(row.version, expected, 'The entry has another version')
}

/** Returns the fields that a private note may set, without any others of the body. */
function personalFields(input: PersonalEntryCreate): PersonalEntryCreate {
  const { title, content, category_id, summary, layer, tags, language, metadata, source, source_reference } = input
  return { title, content, category_id, summary, layer, tags, language, metadata, source, source_reference }
}
