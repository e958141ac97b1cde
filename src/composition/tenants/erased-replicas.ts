import { findTenant } from '../../identity/tenants/rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import type { Database } from '../../platform/database/database.ts'
import { readErasures } from '../../platform/database/document-history.ts'
import { IndexBuilding } from '../../search/engine.ts'
import type { PgvectorEngine } from '../../search/pgvector/engine.ts'
import type { KnownReplica } from '../../search/pgvector/listed-replica.ts'
import { dropUnlessRebuilt, noteErasures, replicasWithErasures } from '../../search/pgvector/replicas.ts'

const INTERVAL_MS = 10_000

export interface ErasedReplicas {
  /** Begins the updates that are due, and resolves when these and earlier ones are done. */
  keep(): Promise<void>
  /** Begins no more. A running update goes on until the engine stops; another process or the next start repeats it. */
  close(): Promise<void>
}

/**
 * Brings replicas up to date after erasures of users, so that they lose the words of deleted notes even without a
 * search. Each replica notes the erasures that it has taken in, so that none is lost when a process ends.
 */
export function startErasedReplicas(
  database: Database,
  engine: Pick<PgvectorEngine, 'warm'>,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): ErasedReplicas {
  /** The running updates, by replica. One that is far behind holds up no other. */
  const running = new Map<string, Promise<void>>()
  let isClosed = false
  const report = (error: unknown): void => {
    if (!isClosed) onError(error)
  }

  const keep = async (): Promise<void> => {
    for (const replica of await replicasWithErasures(database)) {
      const key = JSON.stringify([replica.tenantId, replica.index, replica.model])
      if (isClosed || running.has(key)) continue
      const run = forgetErased(database, engine, replica)
        .catch(report)
        .finally(() => running.delete(key))
      running.set(key, run)
    }
    await Promise.all(running.values())
  }

  const timer = setInterval(() => void keep().catch(report), intervalMs)
  timer.unref()
  return {
    keep,
    close: () => {
      isClosed = true
      clearInterval(timer)
      return Promise.resolve()
    },
  }
}

async function forgetErased(
  database: Database,
  engine: Pick<PgvectorEngine, 'warm'>,
  replica: KnownReplica,
): Promise<void> {
  const { tenantId, index, model, isReady } = replica
  const erasures = await readErasures(database.queries, tenantId)
  if (replica.erasures === erasures.state && erasures.areComplete) return
  const tenant = await findTenant(database.queries, tenantId)
  // Replicas of other tenants are dropped anyway.
  if (tenant === null || parseSettings(tenant.settings).searchEngine !== 'pgvector') return
  const { watermark } = tenant
  const isFormer = model !== tenant.embedding_model
  // While an erasure goes on, notes are still being deleted.
  if (replica.erasures === erasures.state && replica.reached >= watermark) return
  // The build of a replica for another model may never go on.
  if (!isReady && isFormer) return dropUnlessRebuilt(database, replica)
  try {
    // A replica of the former model that is dropped meanwhile must not be built again.
    await engine.warm({ tenantId, index, model, watermark, engine: isFormer ? 'memory' : 'pgvector' })
  } catch (error) {
    if (isFormer && error instanceof IndexBuilding) return
    throw error
  }
  await noteErasures(database, replica, { erasures: erasures.state, reached: watermark })
}
