import type { Database } from '../../platform/database/database.ts'
import { targetsOf } from '../../composition/embedding-targets.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { modelsOfTenant, waitingOf } from '../../embedding/rules.ts'
import { targetModel } from '../../embedding/target-model.ts'
import { EmbeddingQueue } from '../../embedding/queue.ts'
import { calledAs } from './called-as.ts'
import type { Context } from './context.ts'
import { CommandFailed } from './failure.ts'
import { Progress } from './progress.ts'

/** How often progress is read while vectors are computed. */
const POLL_MS = 250

interface EmbeddingOutcome {
  /** Number of items that still wait for vectors. */
  readonly pending: number
  /** The provider's last failure, if items wait because of it; else null. */
  readonly error: string | null
}

/**
 * Computes the missing vectors of a tenant until none is missing, the provider fails or `stop` aborts. A service on the
 * same database shares the work, and later computes the vectors that are still missing.
 */
export async function makeVectors(
  { database, call }: Context,
  embedders: EmbedderPool,
  tenantId: string,
  models: readonly string[],
  stop: AbortSignal,
): Promise<EmbeddingOutcome> {
  const queue = new EmbeddingQueue({ database, embedders, targets: targetsOf(), log: { warn: () => undefined } })
  const progress = new Progress('Computing vectors', call.stderr)
  let total: number | null = null
  const look = async (): Promise<EmbeddingOutcome> => {
    const waiting = await waitingOf(database.queries, tenantId, models)
    const { pending } = waiting
    total ??= pending
    if (total > 0) progress.update(Math.max(0, total - pending), Math.max(0, 1 - pending / total))
    return waiting
  }
  let state = await look()
  while (state.pending > 0 && !stop.aborted) {
    const watching = setInterval(() => void look().catch(() => undefined), POLL_MS)
    let count = 0
    try {
      count = await queue.drain(models, stop)
    } finally {
      clearInterval(watching)
    }
    state = await look()
    if (count > 0 || state.pending === 0) continue
    if (state.error !== null) break
    // The service has the jobs. They become free again if it dies.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  progress.clear()
  return state
}

/**
 * Computes the vectors that an import lacks, as `makeVectors` does, but does not wait for models that take long to read:
 * what stands in for their vectors is stored with each item, and a service reads the texts.
 * @returns unread: the number of items whose texts wait to be read
 */
export async function makeImportedVectors(
  context: Context,
  embedders: EmbedderPool,
  tenantId: string,
  stop: AbortSignal,
): Promise<EmbeddingOutcome & { readonly unread: number }> {
  const models = await modelsInUse(context.database, embedders, tenantId)
  const isRead = (model: string): boolean => embedders.of(model)?.standIn !== undefined
  const awaited = models.filter((model) => !isRead(model))
  const outcome = await makeVectors(context, embedders, tenantId, awaited, stop)
  const { pending: unread } = await waitingOf(context.database.queries, tenantId, models.filter(isRead))
  return { ...outcome, unread }
}

/** Returns what an import says of items whose texts wait to be read. */
export function unreadText(count: number): string {
  const [wait, them] = count === 1 ? ['1 item waits', 'it'] : [`${count} items wait`, 'them']
  return (
    `${wait} to be read by the embedding model; a running service does that. ` +
    `Until then, search by meaning finds ${them} less well or not at all.\n`
  )
}

/**
 * Returns the models that need vectors of a tenant's new entries: the one that its search uses, and the one that the
 * tenant is moving to.
 * @throws CommandFailed when these settings do not reach the first model, so that search by meaning would miss entries
 */
export async function modelsInUse(database: Database, embedders: EmbedderPool, tenantId: string): Promise<string[]> {
  const models = await modelsOfTenant(database.queries, tenantId)
  const { model: active } = models
  const target = targetModel(models, embedders.installed)
  if (active === null || active === target) return [target]
  if (embedders.of(active) === null) {
    throw new CommandFailed(
      `Tenant ${tenantId} searches with ${active}, which these settings do not reach. Set EMBEDDING_PROVIDER and the ` +
        `related settings as for the service; or move the tenant to another model with: ${calledAs('reindex')}`,
    )
  }
  return [active, target]
}
