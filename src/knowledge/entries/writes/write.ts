import type { Caller } from '../../../platform/access/caller.ts'
import { mayAssign, maySee, type Visibility } from '../../../platform/access/visibility.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { ENTRY_TEXTS } from '../../../platform/database/entry-rows.ts'
import type { EntryRow, EntryVersionRow } from '../../../platform/database/tables.ts'
import { sameEmbeddedText } from '../../../embedding/embedded-kind.ts'
import { DocumentWriter, type WritePosition } from '../../../embedding/document-writer.ts'
import type { TenantModels } from '../../../embedding/target-model.ts'
import { takeBytes, takeEntry } from '../../../identity/quotas/room.ts'
import { forbidden, invalid } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import { takeOut } from '../bin/bin-store.ts'
import type { EntryUpdate } from '../contract.ts'
import { draftOf, type EntryDraft, rowOf, sameContent } from './draft.ts'
import { ENTRY_EMBEDDING } from '../indexing/entry-embedding.ts'
import { sameSearchedText } from '../indexing/index-source.ts'
import type { Entry } from '../contract.ts'
import { entryOf, guardOf } from '../entry.ts'
import type { EntryType } from '../kinds.ts'
import { offerOfChanged, offerOfNew } from '../prompts/offer.ts'
import * as references from './references.ts'
import * as store from '../store.ts'

/** Writes single entries, and those of bulks. */
export class EntryWriter extends DocumentWriter {
  /**
   * Stores a new entry. All checks come before the first write, so a refused entry of an import leaves nothing behind.
   * @throws Fault invalid, forbidden, quota_exceeded
   */
  async insert(tx: Tx, caller: Caller, draft: EntryDraft, position: WritePosition): Promise<Entry> {
    await references.require(tx, caller.tenant.id, draft)
    const now = Date.now()
    const row = rowOf(draft, {
      tenantId: caller.tenant.id,
      id: newId(),
      ownerId: caller.userId,
      createdAt: now,
      updatedAt: now,
      version: 1,
      seq: position.seq,
      offer: offerOfNew(caller, draft.type),
    })
    requireMaySee(caller, row)
    await this.storeNew(tx, caller, row, position, () => textBytesOf(row))
    await this.record(tx, caller, 'entry', [{ action: 'create', id: row.id }])
    return entryOf(row)
  }

  /**
   * Stores a row that is not stored yet, with its vectors, and sets its embedding model.
   * @param bytes returns the bytes of text that count as new for the tenant's quota
   * @throws Fault quota_exceeded
   */
  async storeNew(tx: Tx, { tenant }: Caller, row: EntryRow, models: TenantModels, bytes: () => number): Promise<void> {
    await takeBytes(tx, tenant, bytes)
    await takeEntry(tx, tenant)
    const vectors = await this.planVectors(ENTRY_EMBEDDING, tenant, [row], models)
    row.embedding_model = vectors.modelOf(row.id)
    await store.insertEntry(tx, this.database.portable, row)
    await vectors.store(tx)
  }

  /**
   * Restores an entry from the bin with its id and versions, and applies a patch to it.
   * @param before row of the entry in the bin, which the caller may see
   * @throws Fault invalid, forbidden, quota_exceeded, before anything is written
   */
  async bringBack(
    tx: Tx,
    caller: Caller,
    before: EntryRow,
    patch: Omit<EntryUpdate, 'type'>,
    position: WritePosition,
  ): Promise<void> {
    const { seq } = position
    const { tenant_id: tenantId, id } = before
    const after = changedRow(caller, before, patch, seq)
    const isSame = sameContent(before, after)
    const row = isSame ? { ...before, seq, text_seq: seq } : after
    await references.require(tx, tenantId, row)
    requireMaySee(caller, row)
    await this.storeNew(tx, caller, row, position, () => (isSame ? 0 : textBytesOf(row)))
    await takeOut(tx, this.database.portable, tenantId, id)
    if (!isSame) await store.insertVersion(tx, versionOf(before))
    const actions = isSame ? (['restore'] as const) : (['restore', 'update'] as const)
    const changes = actions.map((action) => ({ action, id }))
    await this.record(tx, caller, 'entry', changes)
  }

  /**
   * Applies a patch to a stored entry, and keeps the previous state as an earlier version.
   * @returns the changed row, or null when the patch changes nothing
   * @throws Fault invalid, forbidden, quota_exceeded
   */
  async change(
    tx: Tx,
    caller: Caller,
    before: EntryRow,
    patch: Omit<EntryUpdate, 'type'>,
    position: WritePosition,
  ): Promise<EntryRow | null> {
    const after = changedRow(caller, before, patch, position.seq)
    if (sameContent(before, after)) return null
    await references.require(tx, caller.tenant.id, after, before)
    requireMaySee(caller, after)
    after.embedding_model = before.embedding_model
    if (sameSearchedText(before, after)) after.text_seq = before.text_seq
    // The former text stays as an earlier version, so all of the new text counts.
    await takeBytes(tx, caller.tenant, () => textBytesOf(after))
    await store.insertVersion(tx, versionOf(before))
    if (sameEmbeddedText(ENTRY_EMBEDDING, before, after)) {
      await store.replaceEntry(tx, this.database.portable, before, after)
    } else {
      const vectors = await this.planVectors(ENTRY_EMBEDDING, caller.tenant, [after], position)
      after.embedding_model = vectors.modelOf(after.id)
      await store.replaceEntry(tx, this.database.portable, before, after)
      await vectors.store(tx)
    }
    await this.record(tx, caller, 'entry', [{ action: 'update', id: before.id }])
    return after
  }

  /** Moves an entry into another category, which exists. It needs no `requireMaySee`: the visibility stays. */
  async recategorise(
    tx: Tx,
    portable: Database['portable'],
    caller: Caller,
    before: EntryRow,
    categoryId: string,
    seq: number,
  ): Promise<void> {
    const updatedAt = Math.max(Date.now(), before.updated_at)
    const after = { ...before, category_id: categoryId, version: before.version + 1, updated_at: updatedAt, seq }
    await store.insertVersion(tx, versionOf(before))
    await store.replaceEntry(tx, portable, before, after)
    await this.record(tx, caller, 'entry', [{ action: 'update', id: before.id }])
  }
}

/** Returns the bytes of text that a row adds to the tenant's quota. */
function textBytesOf(row: EntryRow): number {
  return ENTRY_TEXTS.reduce((sum, column) => sum + Buffer.byteLength(row[column] ?? ''), 0)
}

/** Returns the earlier version that a row becomes. */
function versionOf(row: EntryRow): EntryVersionRow {
  return {
    tenant_id: row.tenant_id,
    entry_id: row.id,
    version: row.version,
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    title: row.title,
    snapshot: JSON.stringify(entryOf(row)),
    updated_at: row.updated_at,
  }
}

/** Returns the row of the next version: the stored entry with the patch applied. It has no vectors yet. */
export function changedRow(caller: Caller, before: EntryRow, patch: Omit<EntryUpdate, 'type'>, seq: number): EntryRow {
  const whole = { ...entryDraftOf(before), ...patch, type: before.type as EntryType }
  const after = rowOf(draftOf(caller, whole, before.visibility as Visibility), {
    tenantId: before.tenant_id,
    id: before.id,
    ownerId: before.created_by_user_id,
    createdAt: before.created_at,
    updatedAt: Math.max(Date.now(), before.updated_at),
    version: before.version + 1,
    seq,
    offer: before,
  })
  return { ...after, ...offerOfChanged(caller, before, after, patch) }
}

/** Returns the fields of a stored entry as an input that a patch can change. */
function entryDraftOf(row: EntryRow) {
  const { visibility: _visibility, ...fields } = entryOf(row)
  return { ...fields, related_themes: row.related_themes }
}

/**
 * Requires that a body does not change the type of an entry.
 * @param type type in the body
 * @param stored type of the stored entry; undefined when the body must not have a type
 * @throws Fault invalid when both differ
 */
export function requireSameType(type: unknown, stored?: string): void {
  if (type !== stored) throw invalid(['body', 'type'], 'immutable_field', 'The type of an entry cannot be changed')
}

/** @throws Fault invalid for the level personal, forbidden for a level above the caller's ceiling */
export function requireLevel(caller: Caller, { visibility }: { visibility: Visibility }): void {
  if (visibility === 'personal')
    throw invalid(['body', 'visibility'], 'value_error', 'Use the endpoint for personal entries to create one')
  if (!mayAssign(caller, visibility))
    throw forbidden(['body', 'visibility'], 'The level is above what the credential may see', [
      `visibility:${visibility}`,
    ])
}

/** Requires that the caller may see an entry after the write. @throws Fault forbidden, such as in others' workspace */
export function requireMaySee(caller: Caller, row: Parameters<typeof guardOf>[0]): void {
  if (!maySee(caller, guardOf(row)))
    throw forbidden(['body', 'workspace_id'], 'A workspace entry needs a workspace that you are a member of')
}
