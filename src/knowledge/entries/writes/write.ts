import type { Caller } from '../../../platform/access/caller.ts'
import { mayAssign, maySee, type Visibility } from '../../../platform/access/visibility.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { ENTRY_TEXTS } from '../../../platform/database/entry-rows.ts'
import type { EntryRow, EntryVersionRow } from '../../../platform/database/tables.ts'
import { sameEmbeddedText } from '../../../embedding/embedded-kind.ts'
import { DocumentWriter, type WritePosition } from '../../../embedding/document-writer.ts'
import { takeBytes, takeEntry } from '../../../identity/quotas/room.ts'
import { forbidden, invalid } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import { takeOut } from '../bin/bin-store.ts'
import type { EntryUpdate } from '../contract.ts'
import { draftOf, type EntryDraft, rowOf, sameContent } from './draft.ts'
import { ENTRY_EMBEDDING } from '../indexing/entry-embedding.ts'
import type { Entry } from '../contract.ts'
import { entryOf, guardOf } from '../entry.ts'
import type { EntryType } from '../kinds.ts'
import * as references from './references.ts'
import * as store from '../store.ts'

/** Writes entries, for single writes and for bulks. */
export class EntryWriter extends DocumentWriter {
  /**
   * Stores a new entry. All checks come before the first write, so a refused entry of a bulk leaves nothing behind.
   * @throws Fault invalid, forbidden, quota_exceeded
   */
  async insert(tx: Tx, caller: Caller, draft: EntryDraft, { seq, model }: WritePosition): Promise<Entry> {
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
    await this.storeNew(tx, caller, row, model, () => textBytesOf(row))
    await this.record(tx, caller, 'entry', [{ action: 'create', id: row.id }])
    return entryOf(row)
  }

  /**
   * Stores a row that is not there, with its vectors, and notes their model in it.
   * @param bytes text that the tenant did not have before
   * @throws Fault quota_exceeded
   */
  async storeNew(tx: Tx, { tenant }: Caller, row: EntryRow, model: string | null, bytes: () => number): Promise<void> {
    await takeBytes(tx, tenant, bytes)
    await takeEntry(tx, tenant)
    const vectors = await this.planVectors(ENTRY_EMBEDDING, tenant, [row], model)
    row.embedding_model = vectors.modelOf(row.id)
    await store.insertEntry(tx, this.database.portable, row)
    await vectors.store(tx)
  }

  /**
   * Brings an entry back from the bin by writing it again: with its id and versions, changed by the patch.
   * @param before the deleted row, whose entry the caller may see
   * @throws Fault invalid, forbidden, quota_exceeded, before anything is written
   */
  async bringBack(
    tx: Tx,
    caller: Caller,
    before: EntryRow,
    patch: Omit<EntryUpdate, 'type'>,
    { seq, model }: WritePosition,
  ): Promise<void> {
    const { tenant_id: tenantId, id } = before
    const after = changedRow(caller, before, patch, seq)
    const isSame = sameContent(before, after)
    const row = isSame ? { ...before, seq } : after
    await references.require(tx, tenantId, row)
    requireOwnSight(caller, row)
    await this.storeNew(tx, caller, row, model, () => (isSame ? 0 : textBytesOf(row)))
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
    { seq, model }: WritePosition,
  ): Promise<EntryRow | null> {
    const after = changedRow(caller, before, patch, seq)
    if (sameContent(before, after)) return null
    await references.require(tx, caller.tenant.id, after, before)
    requireOwnSight(caller, after)
    after.embedding_model = before.embedding_model
    // The former text goes on as a version.
    await takeBytes(tx, caller.tenant, () => textBytesOf(after))
    await store.insertVersion(tx, versionOf(before))
    if (sameEmbeddedText(ENTRY_EMBEDDING, before, after)) {
      await store.replaceEntry(tx, this.database.portable, before, after)
    } else {
      const vectors = await this.planVectors(ENTRY_EMBEDDING, caller.tenant, [after], model)
      after.embedding_model = vectors.modelOf(after.id)
      await store.replaceEntry(tx, this.database.portable, before, after)
      await vectors.store(tx)
    }
    await this.record(tx, caller, 'entry', [{ action: 'update', id: before.id }])
    return after
  }

  /** Puts an entry into another category, which exists. Who may see it stays, so nobody's sight is asked. */
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

/** Bytes of text that a row takes, as they are counted. */
function textBytesOf(row: EntryRow): number {
  return ENTRY_TEXTS.reduce((sum, column) => sum + Buffer.byteLength(row[column] ?? ''), 0)
}

/** A row as an earlier version. */
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

/** The row of the next version: the stored entry with the patch applied. Its vectors are not planned yet. */
export function changedRow(caller: Caller, before: EntryRow, patch: Omit<EntryUpdate, 'type'>, seq: number): EntryRow {
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

/** The fields of a stored entry in the form of an input, ready for a patch. */
function entryDraftOf(row: EntryRow) {
  const { visibility: _visibility, ...fields } = entryOf(row)
  return { ...fields, related_themes: row.related_themes }
}

/**
 * @param type type in the body
 * @param known stored type; undefined when the body must not have a type
 * @throws Fault invalid when they differ
 */
export function requireSameType(type: unknown, known?: string): void {
  if (type !== known) throw invalid(['body', 'type'], 'immutable_field', 'The type of an entry cannot be changed')
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

/** Refuses an entry that the caller could not read afterwards, such as one in a workspace of others. */
export function requireOwnSight(caller: Caller, row: Parameters<typeof guardOf>[0]): void {
  if (!maySee(caller, guardOf(row)))
    throw forbidden(['body', 'workspace_id'], 'A workspace entry needs a workspace that you are a member of')
}
