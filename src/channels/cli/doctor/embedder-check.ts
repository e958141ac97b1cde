import { targetsOf } from '../../../composition/embedding-targets.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { EmbeddingRejected } from '../../../embedding/embedder.ts'
import { isLengthOpen } from '../../../embedding/providers.ts'
import { tenantsThatSearchBy } from '../../../embedding/rules.ts'
import { storedLength } from '../../../embedding/vector-length.ts'
import type { Database } from '../../../platform/database/database.ts'
import { pendingMigrations } from '../../../platform/database/migrate.ts'
import { calledAs } from '../called-as.ts'
import { RUNTIME_REMEDY } from '../runtime-remedy.ts'
import { fail, type Finding, ok, warn } from './check.ts'

/** From this time on, a provider delays every search by meaning so that people notice. */
const SLOW_EMBEDDING_MS = 1_000
const EMBEDDING_TIMEOUT_MS = 20_000

/** Asks the configured embedder for the vector of a query, and judges the answer. */
export async function judgeEmbedder(database: Database, embedders: EmbedderPool): Promise<Finding[]> {
  const { current } = embedders
  const ask = () => current.embed(['How do I start?'], 'query', AbortSignal.timeout(EMBEDDING_TIMEOUT_MS))
  try {
    // A running service has long loaded its model.
    await current.prepare?.()
    if (embedders.reads) await ask()
    const startedAt = performance.now()
    const [vector] = await ask()
    const tookMs = Math.round(performance.now() - startedAt)
    const text = `${current.id} answers in ${tookMs} ms`
    const speed =
      tookMs > SLOW_EMBEDDING_MS
        ? warn(`${text}, and every search by meaning waits for it: find out why it is slow`)
        : ok(text)
    return [speed, ...unreadFindings(embedders), ...(await lengthFindings(database, current.id, vector.length))]
  } catch (error) {
    const unread = unreadFindings(embedders)
    if (unread.length > 0) return unread
    const what = error instanceof EmbeddingRejected ? 'refuses' : 'does not answer'
    return [fail(`${current.id} ${what}: ${(error as Error).message}. Check the EMBEDDING_ settings and the provider`)]
  }
}

/** Returns a warning when the model that the settings choose cannot be loaded, with what an operator can do. */
function unreadFindings(embedders: EmbedderPool): Finding[] {
  const reason = embedders.unreadReason()
  if (reason === null) return []
  return [
    warn(
      `the contextual model cannot be loaded: ${reason}. Searches by meaning go by the static model alone. ` +
        `${RUNTIME_REMEDY}; to do without it, set EMBEDDING_MODEL=static-de-en-v2`,
    ),
  ]
}

/** Returns a failure for each tenant whose stored vectors have another length than those the provider makes now. */
async function lengthFindings(database: Database, model: string, length: number): Promise<Finding[]> {
  if (!isLengthOpen(model) || (await pendingMigrations(database)).applied === 0) return []
  const targets = targetsOf()
  const findings: Finding[] = []
  for (const id of await tenantsThatSearchBy(database, model)) {
    const stored = await storedLength(database.queries, targets, id, model)
    if (stored === null || stored === length) continue
    findings.push(
      fail(
        `tenant ${id}: ${model} makes vectors of ${length} numbers, those stored have ${stored}, and search by meaning ` +
          'does not work. Set EMBEDDING_MODEL or EMBEDDING_DIMENSIONS; if the model itself has changed: ' +
          calledAs(`reindex --tenant ${id}`),
      ),
    )
  }
  return findings
}
