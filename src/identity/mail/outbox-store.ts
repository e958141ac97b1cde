import type { Queries } from '../../platform/database/database.ts'
import type { MailRow } from '../../platform/database/tables.ts'
import { ofWorkingTenant } from '../../platform/database/working-tenants.ts'

export async function insertMail(tx: Queries, row: MailRow): Promise<void> {
  await tx.insertInto('mail_outbox').values(row).execute()
}

/**
 * Takes the mail of a working tenant that has been due longest, and puts it off, so that no other process sends it
 * meanwhile.
 * @param putOffTo milliseconds since 1970
 * @returns null when none is due
 */
export async function takeDueMail(tx: Queries, now: number, putOffTo: number): Promise<MailRow | null> {
  for (;;) {
    const due = await tx
      .selectFrom('mail_outbox')
      .selectAll()
      .where('next_at', '<=', now)
      .where('expires_at', '>', now)
      .where(ofWorkingTenant())
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst()
    if (due === undefined) return null
    const mail = await tx
      .updateTable('mail_outbox')
      .set({ next_at: putOffTo, attempts: due.attempts + 1 })
      .where('tenant_id', '=', due.tenant_id)
      .where('id', '=', due.id)
      .where('next_at', '=', due.next_at)
      .returningAll()
      .executeTakeFirst()
    // Otherwise another process has taken this mail.
    if (mail !== undefined) return mail
  }
}

/** Counts the waiting mails of all tenants whose link has not ended. */
export async function countMail(db: Queries, now: number): Promise<number> {
  const row = await db
    .selectFrom('mail_outbox')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Puts a mail off that could not be sent. @param nextAt milliseconds since 1970 */
export async function putOffMail(tx: Queries, { tenant_id: tenantId, id }: MailRow, nextAt: number): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ next_at: nextAt })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function deleteMail(tx: Queries, { tenant_id: tenantId, id }: MailRow): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Deletes the mails of a tenant that are not sent yet. */
export async function deleteMailOf(tx: Queries, tenantId: string): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('tenant_id', '=', tenantId).execute()
}

/** Deletes mail whose link has ended, except of suspended tenants. */
export async function purgeMail(tx: Queries, now: number): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('expires_at', '<=', now).where(ofWorkingTenant()).execute()
}
