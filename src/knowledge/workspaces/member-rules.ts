import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Makes a user a member of workspaces. Where the user is a member already, nothing changes. */
export async function joinWorkspaces(
  tx: Tx,
  tenantId: string,
  userId: string,
  workspaceIds: readonly string[],
): Promise<void> {
  for (const id of workspaceIds) await store.addMembers(tx, tenantId, id, [userId])
}

/** Takes a user out of every workspace. */
export function leaveWorkspaces(tx: Tx, tenantId: string, userId: string): Promise<void> {
  return store.leaveWorkspaces(tx, tenantId, userId)
}

/** Returns the ids of each member's workspaces, in order, by the id of the user. */
export async function workspacesByMember(db: Queries, tenantId: string): Promise<ReadonlyMap<string, string[]>> {
  const members = Map.groupBy(await store.listMemberships(db, tenantId), (row) => row.user_id)
  return new Map(Array.from(members, ([userId, rows]) => [userId, rows.map((row) => row.workspace_id)]))
}
