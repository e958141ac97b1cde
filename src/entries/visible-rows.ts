import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { levelsUpTo } from '../access/visibility.ts'
import type { Tables } from '../database/tables.ts'

/** `maySee` as an SQL condition on the entries table; a property test holds the two together. */
export function visibleRows(
  eb: ExpressionBuilder<Tables, 'entries'>,
  caller: Pick<Caller, 'ceiling' | 'userId' | 'workspaceIds' | 'tenant'>,
): Expression<SqlBool> {
  const levels = levelsUpTo(caller.ceiling)
  const byMembership = caller.tenant.settings.workspaces && levels.includes('workspace')
  const either: Expression<SqlBool>[] = [
    eb('entries.visibility', 'in', byMembership ? levels.filter((level) => level !== 'workspace') : [...levels]),
  ]
  if (byMembership && caller.workspaceIds.length > 0) {
    either.push(eb('entries.visibility', '=', 'workspace').and('entries.workspace_id', 'in', [...caller.workspaceIds]))
  }
  if (caller.userId !== null) {
    either.push(eb('entries.visibility', '=', 'personal').and('entries.created_by_user_id', '=', caller.userId))
  }
  return eb.or(either)
}
