import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** Who gave a link, so that it works only while they could give it today. */
export function linkGiversMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('invitations').addColumn('invited_by_key_id', key).execute()
    for (const column of ['given_by_user_id', 'given_by_key_id']) {
      await schema.alterTable('password_resets').addColumn(column, key).execute()
    }
  }

  return { up }
}
