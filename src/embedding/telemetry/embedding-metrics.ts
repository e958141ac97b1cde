import { Counter, Histogram, type Registry } from 'prom-client'
import { publishGauge } from '../../platform/telemetry/gauges.ts'
import type { Backlog } from '../job-store.ts'
import type { ProviderHealth } from '../provider-health.ts'
import type { EmbeddingCall, EmbeddingOutcome } from './observed-embedder.ts'

/** Bounds of the histogram: from the built-in model to a provider that answers only at the deadline. */
const BOUNDS_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const PURPOSES: readonly EmbeddingCall['purpose'][] = ['query', 'passage']
const OUTCOMES: readonly EmbeddingOutcome[] = ['answered', 'refused', 'failed', 'abandoned']

/** Registers the metrics of embedder calls. @returns a function to call after each call, of whichever thread */
export function countEmbeddingCalls(registry: Registry): (call: EmbeddingCall) => void {
  const durations = new Histogram({
    name: 'embedding_call_duration_seconds',
    help: 'Time of a call of the embedding model or provider, with its attempts and waits',
    labelNames: ['purpose', 'outcome'] as const,
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  const texts = new Counter({
    name: 'embedding_texts_total',
    help: 'Queries and passages that got vectors',
    labelNames: ['purpose'] as const,
    registers: [registry],
  })
  for (const purpose of PURPOSES) {
    texts.inc({ purpose }, 0)
    for (const outcome of OUTCOMES) durations.zero({ purpose, outcome })
  }
  return ({ purpose, outcome, texts: count, durationMs }) => {
    durations.observe({ purpose, outcome }, durationMs / 1_000)
    if (outcome === 'answered') texts.inc({ purpose }, count)
  }
}

/** Publishes for how long the configured model has given no vectors. */
export function watchProvider(registry: Registry, health: Pick<ProviderHealth, 'failingSince'>): void {
  publishGauge(
    registry,
    {
      name: 'embedding_provider_failing_seconds',
      help: 'How long every call for vectors has failed; 0 if the last one was answered, or none was made for a while',
    },
    () => {
      const { failingSince } = health
      return [{ value: failingSince === null ? 0 : Math.max(0, Date.now() - failingSince) / 1_000 }]
    },
  )
}

/**
 * Publishes the backlog of the embedding queue.
 * @param read returns the backlog that the queue last counted; null before its first count
 */
export function watchBacklog(registry: Registry, read: () => Backlog | null): void {
  publishGauge(
    registry,
    {
      name: 'embedding_jobs',
      help: 'Texts of all tenants that wait for vectors (waiting), and those of them that failed at least once (failing)',
      labelNames: ['state'],
    },
    () => {
      const backlog = read()
      if (backlog === null) return []
      return [
        { labels: { state: 'waiting' }, value: backlog.pending },
        { labels: { state: 'failing' }, value: backlog.failing },
      ]
    },
  )
  publishGauge(
    registry,
    {
      name: 'embedding_oldest_due_seconds',
      help: 'How long the text has been due that has waited longest; 0 while none is due',
    },
    () => {
      const backlog = read()
      if (backlog === null) return []
      const { dueSince } = backlog
      return [{ value: dueSince === null ? 0 : Math.max(0, Date.now() - dueSince) / 1_000 }]
    },
  )
}
