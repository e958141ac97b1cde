import type { Metric, Registry } from 'prom-client'

const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BUCKETS = BOUNDS_SECONDS.length + 1
const SUM = BUCKETS

/**
 * A Prometheus histogram of durations. Callers keep the arrays of its series; prom-client's histogram looks up its
 * labels on every observation, which costs more than the rest of a request's accounting. The registry takes any object
 * with a `get` method.
 */
export class DurationHistogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  private readonly series: { labels: Record<string, string>; cells: Float64Array }[] = []

  constructor(name: string, help: string, registry: Registry) {
    this.name = name
    this.help = help
    registry.registerMetric(this as unknown as Metric)
  }

  /** Starts a series: one cell per bucket, then the sum in seconds. Call it once for each set of labels. */
  start(labels: Record<string, string>): Float64Array {
    const cells = new Float64Array(BUCKETS + 1)
    this.series.push({ labels, cells })
    return cells
  }

  /** What the registry exports: cumulative buckets, sum and count of each series. */
  get() {
    const values = this.series.flatMap(({ labels, cells }) => {
      let count = 0
      const buckets = BOUNDS_SECONDS.concat(Infinity).map((bound, i) => {
        count += cells[i]
        const le = bound === Infinity ? '+Inf' : String(bound)
        return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: count }
      })
      const sum = { metricName: `${this.name}_sum`, labels, value: cells[SUM] }
      return [...buckets, sum, { metricName: `${this.name}_count`, labels, value: count }]
    })
    return Promise.resolve({ name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values })
  }

  reset(): void {
    for (const { cells } of this.series) cells.fill(0)
  }
}

/** Adds one duration to a series. */
export function record(cells: Float64Array, durationMs: number): void {
  const seconds = durationMs / 1_000
  let i = 0
  while (i < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[i]) i++
  cells[i]++
  cells[SUM] += seconds
}
