import { Counter, type Registry } from 'prom-client'
import type { SearchCounter } from './search-log.ts'
import type { EventKind } from './write-behind.ts'

const KINDS: readonly EventKind[] = ['search', 'click']
const SECTIONS = ['knowledge', 'products']
const MODES = ['semantic', 'keyword', 'hybrid']

/**
 * Registers metrics of answered searches, and of searches and clicks that were written or dropped.
 * @returns the counter that feeds these metrics
 */
export function countEvents(registry: Registry): SearchCounter {
  const answered = new Counter({
    name: 'searches_total',
    help: 'Answered searches, each section of a combined one; a degraded one went by words alone, since embedding failed',
    labelNames: ['section', 'mode', 'degraded'] as const,
    registers: [registry],
  })
  for (const section of SECTIONS) {
    for (const mode of MODES) for (const degraded of ['false', 'true']) answered.inc({ section, mode, degraded }, 0)
  }
  const written = new Counter({
    name: 'search_events_written_total',
    help: 'Searches and clicks that were written to the database',
    labelNames: ['kind'] as const,
    registers: [registry],
  })
  const dropped = new Counter({
    name: 'search_events_dropped_total',
    help:
      'Searches and clicks that were not stored: the queue was full (overflow), the database refused the row (refused), ' +
      'the service stopped first (stopping), or storage could not tell who sent a click (unidentified)',
    labelNames: ['kind', 'reason'] as const,
    registers: [registry],
  })
  for (const kind of KINDS) {
    written.inc({ kind }, 0)
    for (const reason of ['overflow', 'refused', 'stopping'] as const) dropped.inc({ kind, reason }, 0)
  }
  dropped.inc({ kind: 'click', reason: 'unidentified' }, 0)
  return {
    answered: (section, mode, isDegraded) => answered.inc({ section, mode, degraded: String(isDegraded) }),
    written: (kind, rows) => written.inc({ kind }, rows),
    dropped: (kind, reason, rows) => dropped.inc({ kind, reason }, rows),
  }
}
