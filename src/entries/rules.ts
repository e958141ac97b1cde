import type { Caller } from '../access/caller.ts'
import { mayAssign, maySee, type Visibility } from '../access/visibility.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Database, Tx } from '../database/database.ts'
import type { EntryRow } from '../database/tables.ts'
import { advanceWatermark } from '../database/watermark.ts'
import type { EmbedderPool } from '../embedding/embedder-pool.ts'
import { Fault, forbidden, invalid, notFound } from '../faults.ts'
import { newId } from '../ids.ts'
import type {
  EntryCreate,
  EntryListQuery,
  EntryUpdate,
  EntryVersionSummary,
  PageQuery,
  PersonalEntryCreate,
} from './contract.ts'
import { draftOf, rowOf, sameContent, type EntryDraft } from './draft.ts'
import { planVectors } from './embed-on-write.ts'
import { sameEmbeddedText } from './embedding-target.ts'
import { type Entry, type EntryType, entryOf, guardOf } from './entry.ts'
import * as references from './references.ts'
import * as store from './store.ts'
import * as visible from './visible-store.ts'

/** What an update or delete expects the entry's version to be; null expects nothing. */
export type ExpectedVersion = ((version: number) => boolean) | null

interface EntryPage {
  readonly entries: Entry[]
  /** Where the next page begins; null after the last one. */
  readonly next: store.ListPosition | null
  readonly total: number | null
}

export type BulkOutcome =
  | { readonly status: 'created' | 'updated' | 'unchanged'; readonly id: string }
  | { readonly status: 'failed'; readonly fault: Fault }

interface EntryRulesOptions {
  readonly database: Database
  readonly embedders: EmbedderPool
  /** Called after a commit that may have left embedding jobs. */
  readonly onQueued: () => void
}

/** What may be done to knowledge entries, and by whom. HTTP, the command line and assistants all come through here. */
export class EntryRules {
  readonly #database: Database
  readonly #embedders: EmbedderPool
  readonly #onQueued: () => void

  constructor({ database, embedders, onQueued }: EntryRulesOptions) {
    this.#database = database
    this.#embedders = embedders
    this.#onQueued = onQueued
  }

  async create(caller: Caller, input: EntryCreate): Promise<Entry> {
    const draft = draftOf(caller, input)
    requireLevel(caller, draft)
    return this.#write(caller, (tx) => this.#insert(tx, caller, draft))
  }

  /** A private note: seen and changed by its owner alone, whatever the scopes of others. */
  async createPersonal(caller: Caller, input: PersonalEntryCreate): Promise<Entry> {
    if (caller.userId === null)
      throw forbidden(['header', 'authorization'], 'A credential without a user has no personal entries')
    const draft = {
      ...draftOf(caller, { ...personalFields(input), type: 'knowledge', language: input.language ?? 'de' }),
      visibility: 'personal' as const,
    }
    return this.#write(caller, (tx) => this.#insert(tx, caller, draft))
  }

  async read(caller: Caller, id: string): Promise<Entry> {
    return entryOf(await this.#visible(this.#database.queries, caller, id))
  }

  async list(caller: Caller, query: EntryListQuery, after: store.ListPosition | null): Promise<EntryPage> {
    const filters: store.EntryFilters = {
      categoryId: query.category_id,
      type: query.type,
      projectId: query.project_id,
      siteId: query.site_id,
      visibility: query.visibility,
      layer: query.layer,
      tags: query.tag,
      language: query.language,
      notExpiredAt: query.include_expired ? null : Date.now(),
    }
    const limit = query.limit ?? 1_000
    const { rows, next } = await store.listEntries(this.#database, caller, filters, { limit, after })
    return {
      entries: rows.map(entryOf),
      next,
      total: query.include_total ? await store.countEntries(this.#database, caller, filters) : null,
    }
  }

  async update(caller: Caller, id: string, patch: EntryUpdate, expected: ExpectedVersion): Promise<Entry> {
    if (patch.type !== undefined)
      throw invalid(['body', 'type'], 'immutable_field', 'The type of an entry cannot be changed')
    return this.#write(caller, async (tx) => {
      const { seq, model } = await advanceWatermark(tx, caller.tenant.id)
      const before = await this.#visible(tx, caller, id)
      requireVersion(before, expected)
      if (patch.visibility !== undefined) requireLevel(caller, { visibility: patch.visibility })
      const after = await this.#change(tx, caller, before, patch, seq, model)
      return entryOf(after ?? before)
    })
  }

  async remove(caller: Caller, id: string, expected: ExpectedVersion): Promise<void> {
    await this.#write(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      requireVersion(await this.#visible(tx, caller, id), expected)
      await store.removeEntry(tx, caller.tenant.id, id, seq)
      await recordAudit(tx, caller.tenant.id, caller, [{ action: 'delete', resourceType: 'entry', resourceId: id }])
    })
  }

  /** The current version and those before it that the caller may see, newest first, from below `before` on. */
  async versions(
    caller: Caller,
    id: string,
    { limit = 1_000 }: PageQuery,
    before: number = Number.MAX_SAFE_INTEGER,
  ): Promise<{ versions: EntryVersionSummary[]; next: number | null }> {
    const current = await this.#visible(this.#database.queries, caller, id)
    // A change made meanwhile has put the version just read among the earlier ones.
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
   * One version as it was. An earlier one is judged by the level it had: what was restricted before it
   * was published stays hidden from the public.
   */
  async version(caller: Caller, id: string, version: number): Promise<Entry> {
    const current = await this.#visible(this.#database.queries, caller, id)
    if (version === current.version) return entryOf(current)
    const snapshot = await visible.findSnapshot(this.#database.queries, caller, current, version)
    if (snapshot === null) throw notFound(['path', 'version'], 'Version')
    return JSON.parse(snapshot) as Entry
  }

  /** The entry's siblings in other languages, as far as the caller sees them. */
  async translations(
    caller: Caller,
    id: string,
    { limit = 1_000 }: PageQuery,
    after: store.ListPosition | null,
  ): Promise<Omit<EntryPage, 'total'>> {
    const entry = await this.#visible(this.#database.queries, caller, id)
    const filters = { translationGroupId: entry.translation_group_id, notId: id, notExpiredAt: Date.now() }
    const { rows, next } = await store.listEntries(this.#database, caller, filters, { limit, after })
    return { entries: rows.map(entryOf), next }
  }

  /**
   * Takes several entries in one transaction. One with a `source_reference` that the tenant has already
   * updates that entry, so that importing again doubles nothing. A bad one spoils only itself.
   * @returns an outcome for each input, in order
   */
  async bulk(caller: Caller, inputs: readonly EntryCreate[]): Promise<BulkOutcome[]> {
    return this.#write(caller, async (tx) => {
      const { seq, model } = await advanceWatermark(tx, caller.tenant.id, inputs.length)
      const outcomes: BulkOutcome[] = []
      for (const [i, input] of inputs.entries()) {
        const number = seq - inputs.length + 1 + i
        try {
          outcomes.push(await this.#put(tx, caller, input, number, model))
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          outcomes.push({ status: 'failed', fault: error })
        }
      }
      return outcomes
    })
  }

  /** What `bulk` would answer, with nothing written. References to what does not exist yet are not judged. */
  async preview(caller: Caller, inputs: readonly EntryCreate[]): Promise<BulkOutcome[]> {
    const outcomes: BulkOutcome[] = []
    for (const input of inputs) {
      try {
        const { draft, known } = await this.#plan(this.#database.queries, caller, input)
        if (known === null) outcomes.push({ status: 'created', id: newId() })
        else {
          const same = sameContent(known, changedRow(caller, known, draft, known.seq))
          outcomes.push({ status: same ? 'unchanged' : 'updated', id: known.id })
        }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        outcomes.push({ status: 'failed', fault: error })
      }
    }
    return outcomes
  }

  /** Ids and references of imported entries whose `source_reference` begins with `prefix`, which ends with `/`. */
  async importedBelow(caller: Caller, prefix: string): Promise<{ id: string; source_reference: string }[]> {
    return store.importedBelow(this.#database.queries, caller.tenant.id, prefix)
  }

  /** Removes those of the entries that exist and the caller may see, in one transaction. */
  async removeAll(caller: Caller, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#write(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      const seen = await visible.filterVisible(tx, caller, ids)
      for (const id of seen) await store.removeEntry(tx, caller.tenant.id, id, seq)
      const events = Array.from(seen, (id) => ({ action: 'delete', resourceType: 'entry', resourceId: id }) as const)
      await recordAudit(tx, caller.tenant.id, caller, events)
    })
  }

  async #put(tx: Tx, caller: Caller, input: EntryCreate, seq: number, model: string | null): Promise<BulkOutcome> {
    const { draft, known } = await this.#plan(tx, caller, input)
    if (known === null) return { status: 'created', id: (await this.#insert(tx, caller, draft, { seq, model })).id }
    const { type: _type, ...fields } = draft
    const changed = await this.#change(tx, caller, known, fields, seq, model)
    return { status: changed === null ? 'unchanged' : 'updated', id: known.id }
  }

  /** Finds the entry that an input of a bulk replaces, and what it is to become. */
  async #plan(
    db: Tx | Database['queries'],
    caller: Caller,
    input: EntryCreate,
  ): Promise<{ draft: EntryDraft; known: EntryRow | null }> {
    const draft = draftOf(caller, { source: 'import', ...input })
    requireLevel(caller, draft)
    if (draft.source_reference === null) return { draft, known: null }
    // A private note is not an import's to change, not even for its owner: it would be published.
    const known = await visible.findBySourceReference(db, caller, draft.source_reference)
    if (known === null) return { draft, known }
    if (known.type !== draft.type)
      throw invalid(['body', 'type'], 'immutable_field', 'The type of an entry cannot be changed')
    // The whole entry is replaced, absent fields by their defaults, but for what ties it to others and hides it.
    const whole = {
      ...draft,
      translation_group_id: input.translation_group_id ?? known.translation_group_id,
      visibility: input.visibility ?? (known.visibility as Visibility),
      workspace_id: input.workspace_id === undefined ? known.workspace_id : input.workspace_id,
    }
    return { draft: whole, known }
  }

  /** Every check comes before the first write, so that a refused entry of a bulk leaves nothing behind. */
  async #insert(
    tx: Tx,
    caller: Caller,
    draft: EntryDraft,
    position?: { seq: number; model: string | null },
  ): Promise<Entry> {
    const { seq, model } = position ?? (await advanceWatermark(tx, caller.tenant.id))
    await references.require(tx, caller.tenant.id, draft)
    const now = Date.now()
    const row = rowOf(draft, {
      tenantId: caller.tenant.id,
      id: newId(),
      ownerId: caller.userId,
      createdAt: now,
      updatedAt: now,
      version: 1,
      seq,
    })
    requireOwnSight(caller, row)
    const vectors = await planVectors(this.#embedders, row, model)
    row.embedding_model = vectors.embeddingModel
    await store.insertEntry(tx, row)
    await vectors.store(tx)
    await recordAudit(tx, caller.tenant.id, caller, [{ action: 'create', resourceType: 'entry', resourceId: row.id }])
    return entryOf(row)
  }

  /** @returns the changed row, or null when the patch changes nothing */
  async #change(
    tx: Tx,
    caller: Caller,
    before: EntryRow,
    patch: Omit<EntryUpdate, 'type'>,
    seq: number,
    model: string | null,
  ): Promise<EntryRow | null> {
    const after = changedRow(caller, before, patch, seq)
    if (sameContent(before, after)) return null
    await references.require(tx, caller.tenant.id, after, before)
    requireOwnSight(caller, after)
    after.embedding_model = before.embedding_model
    await store.insertVersion(tx, {
      tenant_id: before.tenant_id,
      entry_id: before.id,
      version: before.version,
      visibility: before.visibility,
      workspace_id: before.workspace_id,
      title: before.title,
      snapshot: JSON.stringify(entryOf(before)),
      updated_at: before.updated_at,
    })
    if (sameEmbeddedText(before, after)) {
      await store.replaceEntry(tx, after)
    } else {
      const vectors = await planVectors(this.#embedders, after, model)
      after.embedding_model = vectors.embeddingModel
      await store.replaceEntry(tx, after)
      await vectors.store(tx)
    }
    await recordAudit(tx, caller.tenant.id, caller, [
      { action: 'update', resourceType: 'entry', resourceId: before.id },
    ])
    return after
  }

  async #visible(db: Tx | Database['queries'], caller: Caller, id: string): Promise<EntryRow> {
    const row = await visible.findVisibleEntry(db, caller, id)
    if (row === null) throw notFound(['path', 'entry_id'], 'Entry')
    return row
  }

  async #write<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.#database.write(work, caller.tenant.id)
    this.#onQueued()
    return result
  }
}

/** The row a stored entry becomes with a patch laid over it, as the next version; its vectors are not planned yet. */
function changedRow(caller: Caller, before: EntryRow, patch: Omit<EntryUpdate, 'type'>, seq: number): EntryRow {
  const whole = { ...entryDraftOf(before), ...patch, type: before.type as EntryType }
  return rowOf(draftOf(caller, whole, before.visibility as Visibility), {
    tenantId: before.tenant_id,
    id: before.id,
    ownerId: before.created_by_user_id,
    createdAt: before.created_at,
    updatedAt: Math.max(Date.now(), before.updated_at),
    version: before.version + 1,
    seq,
  })
}

/** The fields of a stored entry in the form a patch is laid over. */
function entryDraftOf(row: EntryRow) {
  const { visibility: _visibility, ...fields } = entryOf(row)
  return { ...fields, related_themes: row.related_themes }
}

function requireLevel(caller: Caller, { visibility }: { visibility: Visibility }): void {
  if (visibility === 'personal')
    throw invalid(
      ['body', 'visibility'],
      'value_error',
      'Personal entries are created through the personal-entry endpoint',
    )
  if (!mayAssign(caller, visibility))
    throw forbidden(['body', 'visibility'], 'The level is above what the credential may see', [
      `visibility:${visibility}`,
    ])
}

/** Nobody writes an entry they could not read afterwards, such as into a workspace of others. */
function requireOwnSight(caller: Caller, row: EntryRow): void {
  if (!maySee(caller, guardOf(row)))
    throw forbidden(['body', 'workspace_id'], 'A workspace entry needs a workspace the caller is a member of')
}

function requireVersion(row: EntryRow, expected: ExpectedVersion): void {
  if (expected === null || expected(row.version)) return
  throw new Fault('precondition_failed', [
    { loc: ['header', 'if-match'], msg: 'The entry has another version', type: 'precondition_failed' },
  ])
}

/** Exactly what a private note may say of itself; the rest of an entry's fields have their defaults. */
function personalFields(input: PersonalEntryCreate): PersonalEntryCreate {
  const { title, content, category_id, summary, layer, tags, metadata, source, source_reference } = input
  return { title, content, category_id, summary, layer, tags, metadata, source, source_reference }
}
