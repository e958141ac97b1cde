import { Gauge, type Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** A value with the labels that tell it from others of its metric. */
export interface Reading {
  readonly labels?: Labels
  readonly value: number
}

/**
 * Publishes a metric whose values are read when the metrics are read. When `read` fails or returns nothing, the metric
 * has no value.
 */
export function publishGauge(
  registry: Registry,
  { name, help, labelNames = [] }: { name: string; help: string; labelNames?: readonly string[] },
  read: () => readonly Reading[] | Promise<readonly Reading[]>,
): void {
  // oxlint-disable-next-line no-new -- registers itself
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const readings = await Promise.resolve()
        .then(read)
        .catch(() => [])
      this.reset()
      // Without labels a reset gauge is 0, which would be a value.
      if (readings.length === 0 && labelNames.length === 0) this.remove()
      for (const { labels = {}, value } of readings) this.set(labels, value)
    },
  })
}
