import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Queries, Tx } from '../database/database.ts'

/** Whether there is a grant in force, of that user where one is named. */
export async function hasGrant(db: Queries, tenantId: string, id: string, userId: string | null): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_records')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'Grant')
    .where('grant_id', '=', id)
    .where('expires_at', '>', Date.now())
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every grant of a user and all that came from them. */
export async function endGrantsOf(tx: Tx, tenantId: string, userId: string, actor: Actor): Promise<void> {
  const ended = await tx
    .deleteFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning(['kind', 'grant_id'])
    .execute()
  const grants = ended.filter(({ kind }) => kind === 'Grant')
  if (grants.length === 0) return
  await recordAudit(
    tx,
    tenantId,
    actor,
    grants.map(({ grant_id: id }) => ({ action: 'revoke', resourceType: 'oauth_grant', resourceId: id! }) as const),
  )
}
