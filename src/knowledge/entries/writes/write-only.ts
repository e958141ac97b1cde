import type { Caller } from '../../../platform/access/caller.ts'
import { mayReadBack } from '../../../platform/access/read-back.ts'
import type { Unchecked } from '../../../platform/contract/unchecked.ts'
import { forbidden, invalid } from '../../../platform/faults.ts'
import type { BulkOutcome } from '../bulk/bulk-rules.ts'
import type { BulkEntry } from '../contract.ts'

const SCOPES = ['knowledge:read']

/**
 * Refuses changes whose outcome would reveal stored data to a caller who may not read: metadata, which is valid for
 * some types of entries only, and a workspace without a visibility or the other way round.
 * @throws Fault forbidden, invalid
 */
export function requirePatchRevealsNothing(caller: Caller, patch: Unchecked): void {
  requireMetadataRevealsNothing(caller, patch)
  requireBothSightFields(caller, patch)
}

/** @throws Fault forbidden for metadata of a caller who may not read: it would reveal the type of the entry */
export function requireMetadataRevealsNothing(caller: Caller, patch: Unchecked): void {
  if (mayReadBack(caller) || patch.metadata === undefined) return
  const msg = 'Changing metadata needs knowledge:read, because its check depends on the stored type of the entry'
  throw forbidden(['body', 'metadata'], msg, SCOPES)
}

/**
 * Requires visibility and workspace together from a caller who may not read, in changes and in lines of an import. Both
 * decide whether the caller would see the entry. Where a request has one of them, the other is read from the stored
 * entry, and the answer would reveal it.
 * @throws Fault invalid
 */
export function requireBothSightFields(caller: Caller, fields: Unchecked): void {
  if (mayReadBack(caller) || !caller.tenant.settings.workspaces) return
  const missing = (field: string, other: string) =>
    invalid(['body', field], 'missing', `Field required with ${other} when knowledge:read is missing`)
  if (fields.visibility === 'workspace' && fields.workspace_id === undefined) {
    throw missing('workspace_id', 'the visibility workspace')
  }
  if (fields.workspace_id !== undefined && fields.visibility === undefined) throw missing('visibility', 'workspace_id')
}

/** Outcome of a line of an import, as far as the caller may know it. */
export type LineOutcome = BulkOutcome | { readonly status: 'stored'; readonly id?: string }

/**
 * Returns the outcome of a line for a caller without `knowledge:read`. A line with a source reference gets no id: the
 * time in the id would reveal whether the entry existed before.
 */
export function writeOnlyOutcome(outcome: BulkOutcome, { source_reference: reference }: BulkEntry): LineOutcome {
  if (outcome.status === 'failed') return outcome
  return reference === undefined || reference === null ? { status: 'stored', id: outcome.id } : { status: 'stored' }
}
