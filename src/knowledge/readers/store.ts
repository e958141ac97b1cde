import type { Role } from '../../platform/access/scopes.ts'
import type { OrderedVisibility } from '../../platform/access/visibility.ts'
import type { Queries } from '../../platform/database/database.ts'

/**
 * How many users of the tenant have one of the roles, no ceiling or one of these of their own, and are not disabled.
 * @param ceilings null for any
 * @param workspaceId only count its members
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
