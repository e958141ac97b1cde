import type { Caller } from '../../../platform/access/caller.ts'
import { mayReadBack } from '../../../platform/access/read-back.ts'
import { mayAssign, type Visibility, VISIBILITIES } from '../../../platform/access/visibility.ts'
import { faultsOf } from '../../../platform/contract/all-faults.ts'
import { idIn, isUnchecked, type Unchecked } from '../../../platform/contract/unchecked.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { Fault } from '../../../platform/faults.ts'
import { ENTRY_TYPES, type EntryType } from '../kinds.ts'
import { normalizeMetadata } from '../metadata/metadata.ts'
import * as visible from '../visibility/visible-store.ts'
import { categoryOfLine } from './line-category.ts'
import * as references from './references.ts'
import { requireMetadataRevealsNothing, requireBothSightFields } from './write-only.ts'
import { requireLevel, requireMaySee, requireSameType } from './write.ts'

/*
 * Finds the faults of a refused input besides its shape. Each function takes an unchecked body and applies the rules of
 * writes one by one, so that a fault of one field does not hide the faults of another.
 */

/** Defaults of a new entry that the checks read. */
const DEFAULTS = { type: 'knowledge', metadata: {}, visibility: 'internal', workspace_id: null }

/** Returns the faults of the body of a new entry. */
export async function faultsOfNew(db: Queries, caller: Caller, body: unknown): Promise<Fault[]> {
  if (!isUnchecked(body)) return []
  const entry = withDefaults(body)
  return faultsOf([
    () => requireMetadata(entry.type, entry.metadata),
    () => requireValidLevel(caller, entry.visibility),
    () => requireReferences(db, caller, entry),
    () => requireMaySeeFields(caller, entry, caller.userId),
  ])
}

/** Returns the faults of the body of a private note. */
export async function faultsOfPersonal(db: Queries, caller: Caller, body: unknown): Promise<Fault[]> {
  if (!isUnchecked(body)) return []
  return faultsOf([
    () => requireMetadata('knowledge', body.metadata),
    () => requireReferences(db, caller, { category_id: body.category_id }),
  ])
}

/**
 * Returns the faults of the body of a change.
 * @param before entry that the body changes; null when the caller sees none, which skips the rules that need it
 */
export async function faultsOfChange(
  db: Queries,
  caller: Caller,
  before: visible.EntryHead | null,
  body: unknown,
): Promise<Fault[]> {
  if (!isUnchecked(body)) return []
  return faultsOf([
    () => requireSameType(body.type),
    () => requireMetadataRevealsNothing(caller, body),
    () => mayReadBack(caller) && requireMetadata(before?.type, body.metadata),
    () => requireValidLevel(caller, body.visibility),
    () => requireReferences(db, caller, body),
    () => requireMaySeeChange(caller, body, before),
  ])
}

/**
 * Returns the faults of a line of an import, which may replace an entry.
 * @param checksReferences whether to report references to rows that do not exist, which a dry run cannot judge
 */
export async function faultsOfLine(
  db: Queries,
  caller: Caller,
  line: unknown,
  { checksReferences }: { readonly checksReferences: boolean },
): Promise<Fault[]> {
  if (!isUnchecked(line)) return []
  const entry = withDefaults(line)
  const replaced = await replacedBy(db, caller, entry)
  return faultsOf([
    () => requireMetadata(entry.type, entry.metadata),
    () => categoryOfLine(db, caller, line),
    () => requireValidLevel(caller, entry.visibility),
    () => typeof line.source_reference === 'string' && requireBothSightFields(caller, line),
    () => replaced !== null && requireSameType(entry.type, replaced.type),
    () => checksReferences && requireReferences(db, caller, line),
    () =>
      replaced === null
        ? requireMaySeeFields(caller, entry, caller.userId)
        : requireMaySeeChange(caller, line, replaced),
  ])
}

function withDefaults(body: Unchecked): Unchecked {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  return { ...DEFAULTS, ...Object.fromEntries(fields) }
}

/** Returns the head of the entry that a line replaces; null for none, and where reference or type are malformed. */
async function replacedBy(db: Queries, caller: Caller, line: Unchecked): Promise<visible.EntryHead | null> {
  const { source_reference: reference, type } = line
  if (typeof reference !== 'string' || !isType(type)) return null
  return visible.findHeadBySourceReference(db, caller, reference, mayReadBack(caller) ? null : type)
}

const isType = (type: unknown): type is EntryType => (ENTRY_TYPES as readonly unknown[]).includes(type)
const isLevel = (level: unknown): level is Visibility => (VISIBILITIES as readonly unknown[]).includes(level)

function requireMetadata(type: unknown, metadata: unknown): void {
  if (isType(type) && isUnchecked(metadata)) normalizeMetadata(type, metadata)
}

function requireValidLevel(caller: Caller, visibility: unknown): void {
  if (isLevel(visibility)) requireLevel(caller, { visibility })
}

async function requireReferences(db: Queries, caller: Caller, named: Unchecked): Promise<void> {
  const entry = { category_id: idIn(named.category_id), workspace_id: idIn(named.workspace_id) }
  await references.require(db, caller.tenant.id, entry)
}

/** Checks that the caller would see the entry after the change, by the new or else stored visibility and workspace. */
function requireMaySeeChange(caller: Caller, body: Unchecked, before: visible.EntryHead | null): void {
  requireBothSightFields(caller, body)
  if (before === null) return
  const { visibility = before.visibility, workspace_id: workspaceId = before.workspace_id } = body
  requireMaySeeFields(caller, { visibility, workspace_id: workspaceId }, before.created_by_user_id)
}

/** Checks that the caller would see the entry. A level that the caller may not assign has another fault. */
function requireMaySeeFields(caller: Caller, entry: Unchecked, ownerId: string | null): void {
  const { visibility, workspace_id: workspaceId } = entry
  if (!isLevel(visibility) || visibility === 'personal' || !mayAssign(caller, visibility)) return
  if (workspaceId !== null && typeof workspaceId !== 'string') return
  requireMaySee(caller, { visibility, workspace_id: workspaceId, created_by_user_id: ownerId })
}
