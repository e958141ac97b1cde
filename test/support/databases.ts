import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import type { DatabaseOptions } from '../../src/platform/database/database.ts'
import { makeFleetingFolder } from './fleeting-folder.ts'
import { administer, TEMPLATE, urlOf } from './template.ts'
import { isWhole } from './tier.ts'

/** An empty database of one kind, which can be removed. */
export interface TestDatabase {
  readonly options: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>
  remove(): Promise<void>
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL'
  /**
   * Creates an empty database.
   * @param options.onDisk whether its files lie on a disk even where those of other tests lie in memory, for tests that
   * kill PostgreSQL
   */
  create(options?: { readonly onDisk?: boolean }): Promise<TestDatabase>
  /** Creates a database with the schema, copied from a template where that is faster than migrating. */
  createMigrated(options?: { readonly onDisk?: boolean }): Promise<TestDatabase>
}

const sqlite: DatabaseKind = { name: 'SQLite', create: createOnSqlite, createMigrated: createOnSqlite }

async function createOnSqlite(options?: { readonly onDisk?: boolean }): Promise<TestDatabase> {
  const dataDir = makeDataDir(options)
  return {
    options: { dataDir, databaseUrl: null },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  create: (options) => createOnPostgres('template1', options),
  createMigrated: (options) => createOnPostgres(TEMPLATE, options),
}

async function createOnPostgres(template: string, options?: { readonly onDisk?: boolean }): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL
  if (server === undefined)
    throw new Error('TEST_POSTGRES_URL is not set: run tests with `npm test`, which starts PostgreSQL')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name} template ${template} strategy file_copy`)
  const dataDir = makeDataDir(options)
  return {
    options: { dataDir, databaseUrl: urlOf(server, name) },
    async remove() {
      await administer(server, `drop database if exists ${name} with (force)`)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function makeDataDir({ onDisk = false } = {}): string {
  const prefix = 'knowledge-test-'
  return onDisk ? mkdtempSync(join(tmpdir(), prefix)) : makeFleetingFolder(prefix)
}

/** Both kinds of database; `TEST_DATABASES=sqlite` leaves only one, for development. */
export const DATABASES = namedKinds(process.env.TEST_DATABASES)

function namedKinds(names: string | undefined): readonly DatabaseKind[] {
  const kinds = new Map([sqlite, postgres].map((kind) => [kind.name.toLowerCase(), kind]))
  const chosen = names?.split(',') ?? [...kinds.keys()]
  const unknown = chosen.find((name) => !kinds.has(name))
  if (unknown !== undefined) throw new Error(`TEST_DATABASES has "${unknown}"; it may be sqlite, postgresql`)
  return [...kinds].filter(([name]) => chosen.includes(name)).map(([, kind]) => kind)
}

/**
 * Tells whether a suite that runs on each database covers all variants on this one. In the gate it covers them on one
 * database, because only the statements differ between databases, and one variant runs each statement.
 */
export function isThoroughOn(kind: DatabaseKind): boolean {
  return isWhole || kind === DATABASES[0]
}

/** Declares the same suite once per database. */
export function onEachDatabase(title: string, suite: (kind: DatabaseKind) => void): void {
  for (const kind of DATABASES) describe(`${title} on ${kind.name}`, () => suite(kind))
}

/** Declares a suite whose subject is not SQL: once on SQLite in the gate, once per database in the whole run. */
export function onAnyDatabase(title: string, suite: (kind: DatabaseKind) => void): void {
  const kinds = isWhole ? DATABASES : DATABASES.slice(0, 1)
  for (const kind of kinds) describe(`${title} on ${kind.name}`, () => suite(kind))
}
