import { inChunks } from '../database/chunks.ts'
import type { Queries } from '../database/database.ts'
import type { UserRow } from '../database/tables.ts'

export async function listMembers(
  db: Queries,
  tenantId: string,
  workspaceId: string,
): Promise<Pick<UserRow, 'id' | 'email' | 'name'>[]> {
  return db
    .selectFrom('workspace_members as m')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.user_id'))
    .select(['u.id', 'u.email', 'u.name'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.workspace_id', '=', workspaceId)
    .orderBy('u.email')
    .execute()
}

/** Which of the ids are users of the tenant. */
export async function knownUserIds(db: Queries, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => row.id))
}

export async function addMembers(
  tx: Queries,
  tenantId: string,
  workspaceId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .insertInto('workspace_members')
    .values(userIds.map((userId) => ({ tenant_id: tenantId, workspace_id: workspaceId, user_id: userId })))
    .onConflict((c) => c.doNothing())
    .execute()
}

export async function removeMembers(
  tx: Queries,
  tenantId: string,
  workspaceId: string,
  userIds: readonly string[],
): Promise<void> {
  await inChunks(userIds, (some) =>
    tx
      .deleteFrom('workspace_members')
      .where('tenant_id', '=', tenantId)
      .where('workspace_id', '=', workspaceId)
      .where('user_id', 'in', some)
      .execute(),
  )
}

export async function workspaceHasEntries(db: Queries, tenantId: string, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('entries')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** All memberships of the tenant, in the order of the workspaces' ids. */
export async function listMemberships(
  db: Queries,
  tenantId: string,
): Promise<{ workspace_id: string; user_id: string }[]> {
  return db
    .selectFrom('workspace_members')
    .select(['workspace_id', 'user_id'])
    .where('tenant_id', '=', tenantId)
    .orderBy('workspace_id')
    .execute()
}
