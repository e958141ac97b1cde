import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { waitForDatabase } from '../../platform/database/connect.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { answerProbesAtStart, type ProbesAtStart } from '../../platform/http/probes-at-start.ts'
import { SECRET_KEY_NEEDED } from '../../platform/secret-file.ts'
import { sealConcern, trySeals } from '../copying/sealed.ts'
import { removeSnapshotsOfGone } from '../tenants/snapshots.ts'

/**
 * Waits for the database, brings its schema up to date, and logs what is wrong with the secret key.
 * @param onWait called when the database does not answer at once
 */
export async function prepareDatabase(
  database: Database,
  config: Config,
  logger: FastifyBaseLogger,
  onWait: () => Promise<void>,
): Promise<void> {
  await waitForDatabase(database, {
    warn: (details: object, message: string) => logger.warn(details, message),
    info: (details: object, message: string) => logger.info(details, message),
    begins: onWait,
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

/** Answers probes on the service's address while the service waits for the database. */
export class StartProbes {
  readonly #place: Pick<Config, 'port' | 'host'>
  #probes: ProbesAtStart | null = null

  constructor(place: Pick<Config, 'port' | 'host'>) {
    this.#place = place
  }

  /** @throws the system's error when the address is taken */
  async begin(): Promise<void> {
    this.#probes = await answerProbesAtStart(this.#place, 'database')
  }

  /** Resolves when the address is free for the service. It may be called again. */
  async close(): Promise<void> {
    const open = this.#probes
    this.#probes = null
    await open?.close()
  }
}
