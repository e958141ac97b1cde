import { inChunks } from '../../platform/database/chunks.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { UserRow } from '../../platform/database/tables.ts'

/** Lists members of a workspace, by email address. */
export async function listMembers(
  db: Queries,
  tenantId: string,
  workspaceId: string,
  { after, limit }: PageOf<readonly [email: string]>,
): Promise<Pick<UserRow, 'id' | 'email' | 'name' | 'role' | 'disabled_at'>[]> {
  let query = db
    .selectFrom('workspace_members as m')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.user_id'))
    .select(['u.id', 'u.email', 'u.name', 'u.role', 'u.disabled_at'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.workspace_id', '=', workspaceId)
    .orderBy('u.email')
    .limit(limit)
  if (after !== null) query = query.where('u.email', '>', after[0])
  return query.execute()
}

/**
 * Returns ids of members of a workspace.
 * @param among looks for these ids alone, at most as many as one statement can name; absent for all members
 */
export async function memberIds(
  db: Queries,
  tenantId: string,
  workspaceId: string,
  among?: readonly string[],
): Promise<Set<string>> {
  let query = db
    .selectFrom('workspace_members')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('workspace_id', '=', workspaceId)
  if (among !== undefined) query = query.where('user_id', 'in', [...among])
  return new Set((await query.execute()).map((row) => row.user_id))
}

/** Returns those of the ids that are of users of the tenant. */
export async function usersAmong(db: Queries, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
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

/** Takes a user out of every workspace. */
export async function leaveWorkspaces(tx: Queries, tenantId: string, userId: string): Promise<void> {
  await tx.deleteFrom('workspace_members').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
}

export async function workspaceHasEntries(db: Queries, tenantId: string, workspaceId: string): Promise<boolean> {
  const query = db.selectFrom('entries').where('tenant_id', '=', tenantId).where('workspace_id', '=', workspaceId)
  return findsAny(query)
}

/** Lists all memberships of the tenant, by id of the workspace. */
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
