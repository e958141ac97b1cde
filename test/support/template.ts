import pg from 'pg'
import { openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'

/** Name of the test server's database with the schema and no data. */
export const TEMPLATE = 'knowledge_template'

/** Creates the template database. Tests copy it, which takes less time than to create the tables. */
export async function makeTemplate(server: string): Promise<void> {
  await administer(server, `drop database if exists ${TEMPLATE} with (force)`)
  await administer(server, `create database ${TEMPLATE}`)
  const database = openDatabase({ dataDir: '', databaseUrl: urlOf(server, TEMPLATE) })
  await migrate(database)
  await database.close()
}

/** Returns the address of another database of the server. */
export function urlOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs a statement that cannot run in a transaction. */
export async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
