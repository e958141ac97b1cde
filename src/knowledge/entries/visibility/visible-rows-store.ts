import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { levelsUpTo, personalOwner, type Viewer } from '../../../platform/access/visibility.ts'
import type { Tables } from '../../../platform/database/tables.ts'

type Rows = ExpressionBuilder<Tables, 'entries'>

/** Returns `maySee` as an SQL condition on the entries table. A property test checks that both agree. */
export function visibleRows(eb: Rows, caller: Viewer): Expression<SqlBool> {
  const owner = personalOwner(caller)
  return seenIn(eb, 'entries', caller, owner === null ? null : eb('entries.created_by_user_id', '=', owner))
}

/** Returns the condition on earlier versions of one entry. Each has its own level; their owner is that of the entry. */
export function visibleVersions(
  eb: ExpressionBuilder<Tables, 'entry_versions'>,
  caller: Viewer,
  ownerId: string | null,
): Expression<SqlBool> {
  const isOwner = ownerId !== null && ownerId === personalOwner(caller)
  // Both tables have the same names for these columns.
  return seenIn(eb as never, 'entry_versions', caller, isOwner ? eb.lit(true) : null)
}

/** Returns the condition on deleted entries in the bin. */
export function visibleBinned(eb: ExpressionBuilder<Tables, 'binned_entries'>, caller: Viewer): Expression<SqlBool> {
  const owner = personalOwner(caller)
  const isOwned = owner === null ? null : eb('binned_entries.created_by_user_id', '=', owner)
  // Both tables have the same names for these columns.
  return seenIn(eb as never, 'binned_entries', caller, isOwned)
}

/** @param isOwned condition for rows that the caller owns; null if the caller owns none */
function seenIn(
  eb: Rows,
  table: 'entries' | 'entry_versions' | 'binned_entries',
  caller: Viewer,
  isOwned: Expression<SqlBool> | null,
): Expression<SqlBool> {
  const visibility = `${table}.visibility` as 'entries.visibility'
  const workspace = `${table}.workspace_id` as 'entries.workspace_id'
  const levels = levelsUpTo(caller.ceiling)
  const byMembership = caller.tenant.settings.workspaces && levels.includes('workspace')
  const either: Expression<SqlBool>[] = [
    eb(visibility, 'in', byMembership ? levels.filter((level) => level !== 'workspace') : [...levels]),
  ]
  if (byMembership && caller.workspaceIds.length > 0) {
    either.push(eb(visibility, '=', 'workspace').and(workspace, 'in', [...caller.workspaceIds]))
  }
  if (isOwned !== null) either.push(eb(visibility, '=', 'personal').and(isOwned))
  return eb.or(either)
}
