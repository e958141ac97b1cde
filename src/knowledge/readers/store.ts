import type { Role } from '../../platform/access/scopes.ts'
import type { OrderedVisibility } from '../../platform/access/visibility.ts'
import type { Queries } from '../../platform/database/database.ts'

/**
 * Counts the users of the tenant who have one of the roles, and are not disabled.
 * @param ceilings counts only users with one of these ceilings or without a ceiling of their own; null counts all
 * @param workspaceId counts only members of this workspace; null counts all
 */
export async function countActiveUsers(
  db: Queries,
  tenantId: string,
  roles: readonly Role[],
  ceilings: readonly OrderedVisibility[] | null,
  workspaceId: string | null,
): Promise<number> {
  let query = db
    .selectFrom('users as u')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('u.tenant_id', '=', tenantId)
    .where('u.disabled_at', 'is', null)
    .where('u.role', 'in', [...roles])
  if (ceilings !== null) {
    query = query.where((eb) => eb.or([eb('u.ceiling', 'is', null), eb('u.ceiling', 'in', [...ceilings])]))
  }
  if (workspaceId !== null) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('workspace_members as m')
          .select('m.user_id')
          .where('m.tenant_id', '=', tenantId)
          .where('m.workspace_id', '=', workspaceId)
          .whereRef('m.user_id', '=', 'u.id'),
      ),
    )
  }
  return Number((await query.executeTakeFirstOrThrow()).count)
}
