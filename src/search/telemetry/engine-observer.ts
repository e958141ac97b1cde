import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { DamageWatch } from '../../platform/telemetry/damage-watch.ts'
import type { RefusalReason } from '../engine.ts'
import type { EngineObserver } from '../memory/host/engine.ts'
import { countAnswersBehind, countIndexEvents, countRefusals } from './engine-metrics.ts'

const REFUSED: Readonly<Record<RefusalReason, string>> = {
  tenant:
    'search index given up: the tenant would exceed its search memory; raise SEARCH_MEMORY_PER_TENANT_MB, or ' +
    "--max-old-space-size if Node's heap is the limit",
  crowded: 'search index given up: no memory is left that others could free; raise SEARCH_MEMORY_MB',
  ended: 'search index given up: the search thread ended while it built the index',
}

const TIGHT =
  'the search indexes of a tenant take nearly all the memory that they may; beyond it, the newest documents of the ' +
  'owners that take most are left out of search: raise SEARCH_MEMORY_PER_TENANT_MB'

const REBUILDING = 'search indexes on disk have another form, and are built anew before the service is ready'

const HEAP_BOUND =
  "Node's heap has less room than SEARCH_MEMORY_MB, so search gets less memory; raise --max-old-space-size or leave it out"

/** Returns an observer that counts the events of an engine's indexes, and logs each refusal once. */
export function observeEngine(
  registry: Registry,
  logger: FastifyBaseLogger,
  damage: Pick<DamageWatch, 'noteDamage'>,
): EngineObserver {
  const count = countRefusals(registry)
  const countEvent = countIndexEvents(registry)
  const countBehind = countAnswersBehind(registry)
  return {
    warn: (details, message) => logger.warn(details, message),
    noteDamage: (met) => damage.noteDamage(met),
    refused({ retryAfterMs, ...refusal }) {
      count(refusal.reason)
      logger.warn({ ...refusal, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }, REFUSED[refusal.reason])
    },
    noted(event) {
      countEvent(event)
      if (event.kind === 'rebuilding') logger.info({ indexes: event.indexes }, REBUILDING)
      if (event.kind !== 'tight') return
      const { tenantId, percent } = event
      logger.warn({ tenantId, percent }, TIGHT)
    },
    answeredBehind: countBehind,
    heapBound(bytes) {
      logger.warn({ searchMemoryMb: Math.floor(bytes / 2 ** 20) }, HEAP_BOUND)
    },
  }
}
