import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** Counts one answer, for `createHttp`. An empty route means an unknown path. */
  readonly observe: (method: string, route: string, status: number, durationMs: number) => void
  /** Returns all metrics in the text format of Prometheus, without buckets that counted nothing. */
  text(): Promise<string>
  /** Publishes the number of running requests. @param read returns the number */
  watchInFlight(read: () => number): void
}

/** The end of a series with labels whose value is 0. */
const ZERO = '} 0\n'

const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates the service's metrics: the process, running requests, and durations of answers by route and status class. */
export function createMetrics(registry = new Registry()): Metrics {
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer; status 499 is a client that went away',
    labelNames: ['method', 'route', 'status'],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  return {
    registry,
    text: async () => withoutEmptyBuckets(await registry.metrics()),
    observe(method, route, status, durationMs) {
      // Callers choose the method of an unknown path; unbounded labels would make the metrics grow.
      const name = route === '' ? 'any' : method
      durations.observe({ method: name, route, status: `${Math.floor(status / 100)}xx` }, durationMs / 1_000)
    },
    watchInFlight(read) {
      // oxlint-disable-next-line no-new -- registers itself
      new Gauge({
        name: 'http_requests_in_flight',
        help: 'Requests whose answer has not ended',
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
  }
}

/**
 * Removes the buckets of histograms that counted nothing. A sum over series takes a bucket that is missing as one of 0,
 * so it stays right. Sums, counts, counters and gauges of 0 stay: an increase of what was not there before is not seen.
 */
function withoutEmptyBuckets(text: string): string {
  const kept: string[] = []
  let from = 0
  // Far fewer series are 0 than there are lines, so only those are looked at.
  for (let at = text.indexOf(ZERO); at >= 0; at = text.indexOf(ZERO, at + 1)) {
    const line = text.lastIndexOf('\n', at) + 1
    if (!text.slice(line, at).includes('_bucket{')) continue
    kept.push(text.slice(from, line))
    from = at + ZERO.length
  }
  kept.push(text.slice(from))
  return kept.join('')
}
