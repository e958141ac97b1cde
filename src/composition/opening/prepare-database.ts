import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { waitForDatabase } from '../../platform/database/connect.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SECRET_KEY_NEEDED } from '../../platform/secret-file.ts'
import { removeLeftovers } from '../backup/staging.ts'
import { sealConcern, trySeals } from '../seals/sealed.ts'
import { removeSnapshotsOfGone } from '../tenants/snapshots.ts'

/** Waits for the database, brings its schema up to date, and logs what is wrong with the secret key. */
export async function prepareDatabase(database: Database, config: Config, logger: FastifyBaseLogger): Promise<void> {
  removeKilledRestores(config, logger)
  await waitForDatabase(database, {
    warn: (details: object, message: string) => logger.warn(details, message),
    info: (details: object, message: string) => logger.info(details, message),
  })
  const applied = await migrate(database)
  if (applied.length > 0) logger.info({ migrations: applied }, 'schema updated')
  await removeSnapshotsOfGone(database, config.dataDir).catch((error: unknown) =>
    logger.warn({ err: error }, 'snapshots of removed tenants could not be deleted'),
  )
  if (config.databaseUrl !== null && config.secretKey === null) logger.warn(SECRET_KEY_NEEDED)
  const concern = sealConcern(await trySeals(database.queries, config), config)
  if (concern !== null) logger.warn(concern)
}

/** Removes what restores and copies that were killed have left in the data directory: it may be as large as the data. */
function removeKilledRestores({ dataDir }: Config, logger: FastifyBaseLogger): void {
  try {
    removeLeftovers(dataDir)
  } catch (error) {
    logger.warn({ err: error }, 'what a killed restore has left could not be removed')
  }
}
