import type { Caller } from '../../platform/access/caller.ts'
import { SCOPES } from '../../platform/access/scopes.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import type { NamedPlace } from '../../knowledge/collections/place.ts'
import { type Config, readConfig } from '../../config.ts'
import { waitForDatabase } from '../../platform/database/connect.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { everyItem, type PageOf } from '../../platform/database/page.ts'
import { migrate, pendingMigrations } from '../../platform/database/migrate.ts'
import { hasDatabase } from '../../platform/database/sqlite-file.ts'
import { DatabaseRefused } from '../../platform/database/refusals.ts'
import { DataDirectoryError } from '../../platform/database/sqlite.ts'
import { bootstrap } from '../../composition/bootstrap.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import { WorkspaceRules } from '../../knowledge/workspaces/rules.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { CommandFailed } from './failure.ts'

/** The settings, the database and the call of a command. A service may use the same database meanwhile. */
export interface Context {
  readonly config: Config
  readonly database: Database
  readonly call: CommandCall
}

/** A log that drops its lines. */
const QUIET = { warn: () => undefined, info: () => undefined }

/**
 * Opens the database that the environment of the call names, and closes it after `work`.
 * @param options.create whether to create a missing or empty database
 * @throws CommandFailed when the database is older than this program, MigrationError when it is newer: only the start
 *   of the service and `knowledge migrate` update a schema, so that no command does it to an installation that runs
 */
export async function withContext<T>(
  call: CommandCall,
  options: { create: boolean },
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const config = readConfig(call.env)
  requireDatabase(config, options.create)
  const database = openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
  try {
    await connect(database)
    await requireSchema(database, options.create)
    return await work({ config, database, call })
  } finally {
    await database.close()
  }
}

async function requireSchema(database: Database, create: boolean): Promise<void> {
  const { applied, pending } = await pendingMigrations(database)
  if (pending.length === 0) return
  if (applied > 0) {
    const updating = `stop the service, back up, then run: ${calledAs('migrate')}`
    throw new CommandFailed(`The database is older than this program, it lacks ${pending.join(', ')}: ${updating}`)
  }
  if (!create) throw new CommandFailed(`The database is empty. Start the service once, or run: ${calledAs('migrate')}`)
  await migrate(database)
}

function requireDatabase({ databaseUrl, dataDir }: Config, create: boolean): void {
  if (create || databaseUrl !== null || hasDatabase(dataDir)) return
  throw new CommandFailed(
    `There is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the service has it, ` +
      'or start the service once to create one.',
  )
}

/** @throws CommandFailed when the database does not answer; a command, unlike the service, does not wait for it */
export async function connect(database: Database): Promise<void> {
  try {
    await waitForDatabase(database, QUIET, AbortSignal.abort())
  } catch (error) {
    if (error instanceof DataDirectoryError || error instanceof DatabaseRefused) throw error
    const { code, message } = error as { code?: string; message: string }
    throw new CommandFailed(
      `The database does not answer (${code ?? message}). Check that it runs, and check DATABASE_URL.`,
    )
  }
}

/** @throws CommandFailed when the PostgreSQL of the settings does not answer */
export async function requireAnswer({ dataDir, databaseUrl }: Config): Promise<void> {
  if (databaseUrl === null) return
  const database = openDatabase({ dataDir, databaseUrl, poolMax: 1 })
  try {
    await connect(database)
  } finally {
    // A pool that never connected may fail to close, which does not matter here.
    await database.close().catch(() => undefined)
  }
}

/** Creates, in an empty database, what the first start of the service creates, and shows the new key. */
export async function ensureFirstTenant({ config, database, call }: Context): Promise<void> {
  const created = await bootstrap(database, config.bootstrap)
  if (created === null) return
  const where = config.databaseUrl === null ? `The database in ${config.dataDir}` : 'The database of DATABASE_URL'
  call.stderr.write(
    `${where} was empty. It now has a tenant "default" with the administrator ${created.email}.\n` +
      `First API key, shown only once: ${created.key}\n` +
      (config.bootstrap.adminPassword === null ? `First password, shown only once: ${created.password}\n` : ''),
  )
}

/** Returns the operator as a caller with every permission in the tenant, except for the personal notes of users. */
export async function operatorOf({ database }: Context, tenantId: string): Promise<Caller> {
  const row = await requireTenant(database.queries, tenantId)
  const caller: Caller = {
    tenant: {
      id: tenantId,
      ownHost: row.host !== null,
      settings: parseSettings(row.settings),
      embeddingModel: row.embedding_model,
      watermark: row.watermark,
    },
    userId: OPERATOR.userId,
    credentialId: OPERATOR.credentialId,
    credentialKind: null,
    scopes: new Set(SCOPES),
    ceiling: 'restricted',
    workspaceIds: [],
    audit: OPERATOR.audit,
  }
  const rules = new WorkspaceRules(database)
  const workspaces = await everyItem((page: PageOf<NamedPlace>) => rules.list(caller, page))
  return { ...caller, workspaceIds: workspaces.map(({ id }) => id) }
}
