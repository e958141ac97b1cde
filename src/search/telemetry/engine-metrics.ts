import { Counter, Gauge, type Registry } from 'prom-client'
import type { EngineStatus, RefusalReason, SearchEngine } from '../engine.ts'

const REASONS: readonly RefusalReason[] = ['tenant', 'crowded', 'ended']

const GAUGES: Readonly<Record<keyof EngineStatus, string>> = {
  indexes: 'Search indexes in memory',
  documents: 'Documents in them',
  passages: 'Passages with vectors in them',
  unreadable: 'Documents that could not be taken in and are not found',
  refused: 'Indexes that are not tried for now, because there was no room for them',
  bytes: 'Memory they take',
  bytesMax: 'Memory they may take',
}

/** Shows what the search indexes hold; asked of the engine when the metrics are read. */
export function watchEngine(registry: Registry, engine: SearchEngine): void {
  for (const [field, help] of Object.entries(GAUGES)) {
    const name = `search_index_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    // oxlint-disable-next-line no-new -- registers itself
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const status = await engine.status().catch(() => null)
        if (status !== null) this.set(status[field as keyof EngineStatus])
      },
    })
  }
}

/** Counts the indexes that were given up; all searches that met one refusal count once. */
export function countRefusals(registry: Registry): (reason: RefusalReason) => void {
  const refused = new Counter({
    name: 'search_index_refusals_total',
    help:
      "Search indexes given up because the tenant's would take more than it may (tenant), no memory was left that others " +
      'could give (crowded), or the search thread ended while one was built (ended)',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  for (const reason of REASONS) refused.inc({ reason }, 0)
  return (reason) => refused.inc({ reason })
}
