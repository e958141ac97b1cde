import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DialectName } from '../portable.ts'
import { columnTypes } from '../columns.ts'

const BEFORE = 'knowledge:write'
const AFTER = 'knowledge:write knowledge:prompts'

/** Columns with scopes of credentials, as words between spaces, also within JSON. */
const SCOPES = {
  api_keys: ['scopes'],
  oauth_clients: ['metadata', 'scopes_max'],
  oauth_records: ['payload', 'scopes'],
} as const
/** Records of the OAuth server whose payloads have scopes as one text. Others live for minutes and hold lists. */
const RECORDS = ['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken', 'ClientCredentials']

/**
 * Makes the offer of prompts to others a scope of its own. Entries remember whether they are offered to others and who
 * wrote them last. What there is keeps what it has: every entry is offered, and credentials that write get the scope.
 */
export const promptsForOthers = (dialect: DialectName): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { key } = columnTypes(dialect)
    await sql`alter table entries add column prompts_others integer not null default 1`.execute(db)
    await sql`alter table entries add column prompt_author_id ${key}`.execute(db)
    for (const [table, columns] of Object.entries(SCOPES)) {
      for (const column of columns) {
        const isRecord = table === 'oauth_records'
        const only = isRecord ? sql` and kind in (${sql.join(RECORDS.map((kind) => sql.lit(kind)))})` : sql``
        const name = sql.ref(column)
        await sql`update ${sql.table(table)} set ${name} = replace(${name}, ${sql.lit(BEFORE)}, ${sql.lit(AFTER)})
          where ${name} like ${sql.lit(`%${BEFORE}%`)}${only}`.execute(db)
      }
    }
  },
})
