import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { InvitationRow } from '../../platform/database/tables.ts'
import { ofWorkingTenant } from '../../platform/database/working-tenants.ts'
import type { Reach } from '../sessions/reach.ts'

/** Fields that a new link of an invitation sets. */
export type LinkFields = Pick<
  InvitationRow,
  'hash' | 'invited_by_user_id' | 'invited_by_key_id' | 'created_at' | 'expires_at'
>

export async function insertInvitation(tx: Queries, row: InvitationRow): Promise<void> {
  await tx.insertInto('invitations').values(row).execute()
}

/** Finds the invitation with an id or to an email address, also one whose link has ended. */
export async function findInvitation(db: Queries, tenantId: string, idOrEmail: string): Promise<InvitationRow | null> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('id', '=', idOrEmail), eb('email', '=', idOrEmail)]))
    .executeTakeFirst()
  return row ?? null
}

/** Finds the invitation of a link that works at the host of a request. @param now milliseconds since 1970 */
export async function findByHash(
  db: Queries,
  { tenantId }: Reach,
  hash: string,
  now: number,
): Promise<InvitationRow | null> {
  const row = await db
    .selectFrom('invitations as i')
    .innerJoin('tenants as t', 't.tenant_id', 'i.tenant_id')
    .selectAll('i')
    .where('i.hash', '=', hash)
    .where('i.expires_at', '>', now)
    .where('t.suspended_at', 'is', null)
    .where((eb) => (tenantId === null ? eb('t.host', 'is', null) : eb('t.tenant_id', '=', tenantId)))
    .executeTakeFirst()
  return row ?? null
}

/** Returns invitations, sorted by email address. */
export async function listInvitations(
  db: Queries,
  tenantId: string,
  { after, limit }: PageOf<readonly [email: string]>,
): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .$if(after !== null, (query) => query.where('email', '>', after![0]))
    .orderBy('email')
    .limit(limit)
    .execute()
}

export async function countInvitations(db: Queries, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

/** Gives an invitation another link. @returns whether the invitation exists */
export async function replaceLink(tx: Queries, tenantId: string, id: string, link: LinkFields): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set(link)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes an invitation.
 * @param hash of the link; the invitation stays when it has another link by now
 * @returns whether an invitation was deleted
 */
export async function deleteInvitation(tx: Queries, tenantId: string, id: string, hash?: string): Promise<boolean> {
  let query = tx.deleteFrom('invitations').where('tenant_id', '=', tenantId).where('id', '=', id)
  if (hash !== undefined) query = query.where('hash', '=', hash)
  const { numDeletedRows } = await query.executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all invitations of a tenant. @returns their ids */
export async function deleteInvitations(tx: Queries, tenantId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('invitations').where('tenant_id', '=', tenantId).returning('id').execute()
  return rows.map(({ id }) => id)
}

/** Deletes invitations whose link ended before a time, except of suspended tenants. */
export async function purgeInvitations(tx: Queries, before: number): Promise<void> {
  await tx.deleteFrom('invitations').where('expires_at', '<=', before).where(ofWorkingTenant()).execute()
}
