import type { Caller } from '../../../platform/access/caller.ts'
import { mayReadBack } from '../../../platform/access/read-back.ts'
import type { Unchecked } from '../../../platform/contract/unchecked.ts'
import { forbidden, invalid } from '../../../platform/faults.ts'
import type { BulkOutcome } from '../bulk/bulk-rules.ts'
import type { EntryCreate } from '../contract.ts'

const SCOPES = ['knowledge:read']

/**
 * Refuses what would be judged by what is stored, where the caller is not to be told of that: metadata, which fits one
 * type of entry and not another, and half of what says who sees an entry of a workspace.
 * @throws Fault forbidden, invalid
 */
export function requireUntoldPatch(caller: Caller, patch: Unchecked): void {
  requireUntoldMetadata(caller, patch)
  requireWholePlace(caller, patch)
}

/** @throws Fault forbidden where the caller is not to be told what type the entry has */
export function requireUntoldMetadata(caller: Caller, patch: Unchecked): void {
  if (mayReadBack(caller) || patch.metadata === undefined) return
  const msg = 'Metadata is checked by the type of the entry, which takes knowledge:read to know'
  throw forbidden(['body', 'metadata'], msg, SCOPES)
}

/**
 * Whether an entry is in a workspace of the caller's is judged by both fields; who is not to be told of the stored one
 * sends both, in a change and in a bulk's line that may replace an entry.
 * @throws Fault invalid
 */
export function requireWholePlace(caller: Caller, fields: Unchecked): void {
  if (mayReadBack(caller) || !caller.tenant.settings.workspaces) return
  const missing = (field: string, other: string) =>
    invalid(['body', field], 'missing', `Field required beside ${other} without knowledge:read`)
  if (fields.visibility === 'workspace' && fields.workspace_id === undefined) {
    throw missing('workspace_id', 'the visibility workspace')
  }
  if (fields.workspace_id !== undefined && fields.visibility === undefined) throw missing('visibility', 'workspace_id')
}

/** A version is part of what is stored. @throws Fault forbidden */
export function requireNoVersion(caller: Caller): void {
  if (mayReadBack(caller)) return
  throw forbidden(['header', 'if-match'], 'What the version is takes knowledge:read to know', SCOPES)
}

/** What became of a line of a bulk, as far as its sender may know it. */
export type ToldOutcome = BulkOutcome | { readonly status: 'stored'; readonly id?: string }

/**
 * The outcome of a line for a caller without `knowledge:read`. The id of an entry that it may have replaced would say
 * by its time whether that was there before.
 */
export function untold(outcome: BulkOutcome, { source_reference: reference }: EntryCreate): ToldOutcome {
  if (outcome.status === 'failed') return outcome
  return reference === undefined || reference === null ? { status: 'stored', id: outcome.id } : { status: 'stored' }
}
