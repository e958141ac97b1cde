import assert from 'node:assert/strict'
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import { workOwner } from '../../src/platform/hidden-parameters.ts'

interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
  /** The tenant of the statement; empty for none. */
  readonly owner: string
}

/** Returns a database that records the statements it runs. */
export function watched(database: Database): { database: Database; statements: Statement[] } {
  const statements: Statement[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql: text, parameters } = database.queries.getExecutor().compileQuery(node, queryId)
      statements.push({ text, parameters, owner: workOwner() })
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return { database: { ...database, queries: database.queries.withPlugin(plugin) }, statements }
}

/**
 * Fails unless the plan of every statement uses indexes, the named ones among them. SQLite plans without statistics, so
 * its plan does not depend on the number of rows. PostgreSQL plans after ANALYZE and without sequential scans: a test's
 * small tables would otherwise be read whole, and what matters is whether a suitable index exists.
 * @param indexes one pattern for each statement, in order, which its plan has to match
 */
export async function assertPlans(
  { queries, portable }: Database,
  statements: readonly Statement[],
  indexes: Readonly<Record<'sqlite' | 'postgres', RegExp>>,
): Promise<void> {
  assert.ok(statements.length > 0)
  await queries.connection().execute(async (connection) => {
    if (portable.name === 'postgres') await sql`set enable_seqscan = off`.execute(connection)
    try {
      for (const { text, parameters } of statements) {
        const prefix = portable.name === 'postgres' ? 'explain' : 'explain query plan'
        const { rows } = await connection.executeQuery<Record<string, string>>(
          CompiledQuery.raw(`${prefix} ${text}`, [...parameters]),
        )
        const plan = rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n')
        const scans =
          portable.name === 'postgres' ? /Seq Scan/ : /^SCAN (?!json_each|k\b|s\b|l\b|t\b|subtree|line|listed)/m
        assert.doesNotMatch(plan, scans, text)
        assert.match(plan, indexes[portable.name], text)
      }
    } finally {
      if (portable.name === 'postgres') await sql`reset enable_seqscan`.execute(connection)
    }
  })
}
