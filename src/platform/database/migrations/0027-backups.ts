import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** What became of the backups that the service makes, and which process makes one. It has one row, of the tenant `*`. */
export function backupsMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema
      .createTable('backup_state')
      .addColumn('tenant_id', key, (c) => c.primaryKey().notNull())
      .addColumn('holder', 'text')
      .addColumn('held_until', 'bigint')
      .addColumn('succeeded_at', 'bigint')
      .addColumn('path', 'text')
      .addColumn('bytes', 'bigint')
      .addColumn('took_ms', 'bigint')
      .addColumn('failed_at', 'bigint')
      .addColumn('failure', 'text')
      .execute()
  }

  return { up }
}
