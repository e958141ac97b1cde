import { Counter, Gauge, type Registry } from 'prom-client'
import type { ThreadHealth } from '../threads/supervisor.ts'

/** Adds metrics of threads that are down and of restarts, read when the metrics are read. */
export function watchThreads(registry: Registry, threads: readonly { readonly health: ThreadHealth }[]): void {
  const labelNames = ['thread'] as const
  // oxlint-disable-next-line no-new -- registers itself
  new Gauge({
    name: 'thread_down',
    help: 'Whether a thread of the service ended and waits to be started again',
    labelNames,
    registers: [registry],
    collect() {
      for (const { health } of threads) this.set({ thread: health.name }, health.isDown ? 1 : 0)
    },
  })
  // oxlint-disable-next-line no-new -- registers itself
  new Counter({
    name: 'thread_restarts_total',
    help: 'How often a thread of the service ended by itself and was started again',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { health } of threads) this.inc({ thread: health.name }, health.restarts)
    },
  })
}
