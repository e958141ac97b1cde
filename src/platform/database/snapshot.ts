import { sql } from 'kysely'
import { type DatabaseOptions, openDatabase, type Queries } from './database.ts'

/**
 * Runs `read` on the database as it is at one moment, however long it takes and whatever other connections write. Opens
 * a connection of its own.
 */
export async function withSnapshot<T>(options: DatabaseOptions, read: (queries: Queries) => Promise<T>): Promise<T> {
  const database = openDatabase({ ...options, readOnly: true, poolMax: 1 })
  const { queries, portable } = database
  try {
    if (portable.name === 'postgres') {
      return await queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
    }
    // A read-only database has one connection, so this transaction contains all reads through it.
    await sql`begin`.execute(queries)
    try {
      return await read(queries)
    } finally {
      await sql`commit`.execute(queries)
    }
  } finally {
    await database.close()
  }
}
