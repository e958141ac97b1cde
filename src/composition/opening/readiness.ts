import type { FastifyBaseLogger } from 'fastify'
import { hasTenants } from '../../identity/tenants/list-rules.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../platform/database/database.ts'
import { RefusalWatch } from '../../platform/database/refusals.ts'
import type { MemoryEngine } from '../../search/memory/host/engine.ts'

/** Watches whether PostgreSQL lets new connections in. @param refusalSeconds how long it may refuse them */
export function watchEntry(place: DatabaseOptions, refusalSeconds: number, logger: FastifyBaseLogger): RefusalWatch {
  return new RefusalWatch({
    tryEntry: () => tryEntry(place),
    patienceMs: refusalSeconds * 1_000,
    onRefused: ({ message }) =>
      logger.error({ error: message, endsInSeconds: refusalSeconds }, 'PostgreSQL refuses new connections'),
  })
}

/** Reads a row with a new connection. @throws the driver's error when the database refuses the connection */
async function tryEntry(place: DatabaseOptions): Promise<void> {
  const database = openDatabase({ ...place, poolMax: 1 })
  try {
    await hasTenants(database.queries)
  } finally {
    await database.close()
  }
}

/** Returns the names of the parts that are missing to answer requests; none when the service is ready. */
export async function readiness(database: Database, engine: MemoryEngine): Promise<readonly string[]> {
  if (engine.health.isDown) return ['search thread']
  const [tenants, search] = await Promise.allSettled([hasTenants(database.queries), engine.check()])
  if (tenants.status === 'rejected') return ['database']
  if (!tenants.value) return ['tenant']
  // The search thread has connections of its own, which may fail while those of this thread work.
  return search.status === 'rejected' ? ['search'] : []
}
