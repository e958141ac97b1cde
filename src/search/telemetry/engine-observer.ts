import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { RefusalReason } from '../engine.ts'
import type { EngineObserver } from '../memory/engine.ts'
import { countRefusals } from './engine-metrics.ts'

const REFUSED: Readonly<Record<RefusalReason, string>> = {
  tenant:
    "search index given up: the tenant's would take more than it may; raise SEARCH_MEMORY_PER_TENANT_MB, or " +
    "--max-old-space-size where Node's heap is what bounds it",
  crowded: 'search index given up: no memory is left that others could give; raise SEARCH_MEMORY_MB',
  ended: 'search index given up: the search thread ended while it was being built',
}

const HEAP_BOUND =
  "Node's heap has room for less search memory than SEARCH_MEMORY_MB; what searches may take of it is " +
  'bounded, raise --max-old-space-size or leave it out'

/** Counts the indexes that the engine gives up, and tells the operator once each time. */
export function observeEngine(registry: Registry, logger: FastifyBaseLogger): EngineObserver {
  const count = countRefusals(registry)
  return {
    warn: (details, message) => logger.warn(details, message),
    refused({ retryAfterMs, ...refusal }) {
      count(refusal.reason)
      logger.warn({ ...refusal, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }, REFUSED[refusal.reason])
    },
    heapBound(bytes) {
      logger.warn({ searchMemoryMb: Math.floor(bytes / 2 ** 20) }, HEAP_BOUND)
    },
  }
}
