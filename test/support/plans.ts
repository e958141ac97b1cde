import assert from 'node:assert/strict'
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import { workOwner } from '../../src/platform/hidden-parameters.ts'

interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
  /** The tenant that it was for; empty for nobody. */
  readonly owner: string
}

/** A database that tells the statements it runs. */
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
 * Fails unless the plan of every statement goes along indexes, the named ones among them. SQLite plans without
 * statistics, so its plan is the one that it has for any number of rows. PostgreSQL is asked after ANALYZE and with
 * sequential scans switched off: a table of a test is small enough to be read whole, and what counts is whether there
 * is an index to go along, and by which columns.
 * @param indexes of each statement, in order: a pattern that its plan has to match
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
        const asked = portable.name === 'postgres' ? 'explain' : 'explain query plan'
        const { rows } = await connection.executeQuery<Record<string, string>>(
          CompiledQuery.raw(`${asked} ${text}`, [...parameters]),
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
