import type { Queries } from '../../platform/database/database.ts'
import type { BackupStateRow } from '../../platform/database/tables.ts'

/** The `tenant_id` of the row about the installation, which is no tenant. */
const INSTALLATION = '*'

/** Returns the state of the backups; null before the first. */
export async function readState(db: Queries): Promise<BackupStateRow | null> {
  const row = await db.selectFrom('backup_state').selectAll().where('tenant_id', '=', INSTALLATION).executeTakeFirst()
  return row ?? null
}

/**
 * Returns when the first tenant was made, in milliseconds since 1970, once there is data to back up: null while the
 * installation has neither entries nor products.
 */
export async function dataSince(db: Queries): Promise<number | null> {
  const [first, entry, product] = await Promise.all([
    db.selectFrom('tenants').select('created_at').orderBy('created_at').limit(1).executeTakeFirst(),
    db.selectFrom('entries').select('id').limit(1).executeTakeFirst(),
    db.selectFrom('products').select('id').limit(1).executeTakeFirst(),
  ])
  return entry === undefined && product === undefined ? null : (first?.created_at ?? null)
}

/** The times by which a backup is due, in milliseconds since 1970. */
interface Due {
  readonly now: number
  /** A backup is due when the last complete one began at this time or before. */
  readonly succeededBy: number
  /** A backup is due when the last failed one began at this time or before. */
  readonly failedBy: number
  /** When the claim ends. */
  readonly heldUntil: number
}

/** Notes a backup that was made without a claim. */
export async function recordSuccess(
  tx: Queries,
  success: Pick<BackupStateRow, 'succeeded_at' | 'path' | 'bytes' | 'took_ms'>,
): Promise<void> {
  await tx
    .insertInto('backup_state')
    .values({ ...NOTHING_YET, ...success, tenant_id: INSTALLATION })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(success))
    .execute()
}

/**
 * Notes the backup that a database was restored from, in the place of all that the database brought along: a failure or
 * a claim there belongs to the place that was backed up.
 */
export async function recordRestore(
  tx: Queries,
  success: Pick<BackupStateRow, 'succeeded_at' | 'path' | 'bytes' | 'took_ms'>,
): Promise<void> {
  const state = { ...NOTHING_YET, ...success }
  await tx
    .insertInto('backup_state')
    .values({ ...state, tenant_id: INSTALLATION })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(state))
    .execute()
}

/** Claims the next backup for a process, when one is due and no other process makes one. @returns whether it may */
export async function claim(tx: Queries, holder: string, due: Due): Promise<boolean> {
  const { now, succeededBy, failedBy, heldUntil } = due
  await tx
    .insertInto('backup_state')
    .values({ ...NOTHING_YET, tenant_id: INSTALLATION })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('backup_state')
    .set({ holder, held_until: heldUntil })
    .where('tenant_id', '=', INSTALLATION)
    .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))
    .where((eb) => eb.or([eb('succeeded_at', 'is', null), eb('succeeded_at', '<=', succeededBy)]))
    .where((eb) => eb.or([eb('failed_at', 'is', null), eb('failed_at', '<=', failedBy)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const NOTHING_YET = {
  holder: null,
  held_until: null,
  succeeded_at: null,
  path: null,
  bytes: null,
  took_ms: null,
  failed_at: null,
  failure: null,
} as const

/** Changes the state while the process holds it. */
export async function setState(tx: Queries, holder: string, changes: Partial<BackupStateRow>): Promise<void> {
  await tx
    .updateTable('backup_state')
    .set(changes)
    .where('tenant_id', '=', INSTALLATION)
    .where('holder', '=', holder)
    .execute()
}
