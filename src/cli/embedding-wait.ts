import { targetsOf } from '../embedding/all-targets.ts'
import type { EmbedderPool } from '../embedding/embedder-pool.ts'
import { countJobs } from '../embedding/jobs.ts'
import { activateModel, enqueueMissing } from '../embedding/model-change.ts'
import { EmbeddingQueue } from '../embedding/queue.ts'
import type { Database } from '../database/database.ts'
import { Progress } from './progress.ts'

/** How often progress is looked up while vectors are made. */
const POLL_MS = 250

export interface EmbeddingOutcome {
  /** What still waits for vectors; 0 when everything has them. */
  readonly pending: number
  /** The provider's last failure, where something waits because of one. */
  readonly error: string | null
}

/**
 * Makes the vectors that a tenant waits for, with the configured model, and lets its search use them once
 * all are there. A service on the same database works along; stopping early leaves the rest to it.
 */
export async function embedTenant(
  database: Database,
  embedders: EmbedderPool,
  tenantId: string,
  stop: AbortSignal,
): Promise<EmbeddingOutcome> {
  const targets = targetsOf()
  const model = embedders.current.id
  await enqueueMissing(database, targets, tenantId, model)
  const queue = new EmbeddingQueue({ database, embedders, targets, log: { warn: () => undefined } })
  const total = (await countJobs(database.queries, tenantId, model)).pending
  const progress = new Progress('Making vectors')
  const show = async (): Promise<EmbeddingOutcome> => {
    const { pending, lastError } = await countJobs(database.queries, tenantId, model)
    if (total > 0) progress.update(Math.max(0, total - pending), Math.max(0, 1 - pending / total))
    return { pending, error: lastError }
  }
  let left = await show()
  while (left.pending > 0 && !stop.aborted) {
    const watching = setInterval(() => void show().catch(() => undefined), POLL_MS)
    const made = await queue.drain(model, stop).finally(() => clearInterval(watching))
    left = await show()
    if (made > 0 || left.pending === 0) continue
    if (left.error !== null) break
    // The jobs are in the hands of the service; they come back if it dies.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  progress.clear()
  if (left.pending === 0) await activateModel(database, targets, tenantId, model)
  return left
}
