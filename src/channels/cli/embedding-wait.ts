import type { Database } from '../../platform/database/database.ts'
import { targetsOf } from '../../composition/embedding-targets.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { countJobs } from '../../embedding/jobs.ts'
import { EmbeddingQueue } from '../../embedding/queue.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { calledAs } from './called-as.ts'
import { CommandFailed } from './failure.ts'
import { Progress } from './progress.ts'

/** How often progress is looked up while vectors are made. */
const POLL_MS = 250

interface EmbeddingOutcome {
  /** What still waits for vectors; 0 when everything has them. */
  readonly pending: number
  /** The provider's last failure, where something waits because of one. */
  readonly error: string | null
}

/**
 * Makes the vectors that a tenant's entries wait for, until none waits, the provider fails or `stop` is
 * raised. A service on the same database works along; what is left is left to it.
 */
export async function makeVectors(
  database: Database,
  embedders: EmbedderPool,
  tenantId: string,
  models: readonly string[],
  stop: AbortSignal,
): Promise<EmbeddingOutcome> {
  const queue = new EmbeddingQueue({ database, embedders, targets: targetsOf(), log: { warn: () => undefined } })
  const progress = new Progress('Making vectors')
  let total: number | null = null
  const look = async (): Promise<EmbeddingOutcome> => {
    const counts = await Promise.all(models.map((model) => countJobs(database.queries, tenantId, model)))
    const pending = counts.reduce((sum, count) => sum + count.pending, 0)
    total ??= pending
    if (total > 0) progress.update(Math.max(0, total - pending), Math.max(0, 1 - pending / total))
    return { pending, error: counts.find((count) => count.lastError !== null)?.lastError ?? null }
  }
  let left = await look()
  while (left.pending > 0 && !stop.aborted) {
    const watching = setInterval(() => void look().catch(() => undefined), POLL_MS)
    let made = 0
    try {
      made = await queue.drain(models, stop)
    } finally {
      clearInterval(watching)
    }
    left = await look()
    if (made > 0 || left.pending === 0) continue
    if (left.error !== null) break
    // The jobs are in the hands of the service; they come back if it dies.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  progress.clear()
  return left
}

/**
 * The models that new entries of a tenant want vectors of: the one its search compares with, and the
 * configured one it may be moving to.
 * @throws CommandFailed when the settings here give no way to the first, so that entries would not be found by meaning
 */
export async function modelsInUse(database: Database, embedders: EmbedderPool, tenantId: string): Promise<string[]> {
  const { embedding_model: active } = await requireTenant(database.queries, tenantId)
  const current = embedders.current.id
  if (active === null || active === current) return [current]
  if (embedders.of(active) === null) {
    throw new CommandFailed(
      `Tenant ${tenantId} searches with ${active}, which the settings here do not reach. Set EMBEDDING_PROVIDER and ` +
        `the others as for the service; or move the tenant to another model with: ${calledAs('reindex')}`,
    )
  }
  return [active, current]
}
