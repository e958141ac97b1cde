import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { DurationHistogram, record } from './duration-histogram.ts'

export interface Metrics {
  readonly registry: Registry
  /** For `createHttp`: counts one answer. An empty route means an unknown path. */
  readonly observe: (method: string, route: string, status: number, durationMs: number) => void
  /** Sets the source of the number of running requests. */
  watchInFlight(read: () => number): void
}

const STATUS_CLASSES = 6

/** The service's metrics: the process, running requests, and durations of answers by route and status class. */
export function createMetrics(registry = new Registry()): Metrics {
  collectDefaultMetrics({ register: registry })
  const durations = new DurationHistogram(
    'http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer; status 499 is a client that went away',
    registry,
  )
  const routes = new Map<string, Map<string, (Float64Array | undefined)[]>>()
  return {
    registry,
    observe(method, route, status, durationMs) {
      let methods = routes.get(route)
      if (methods === undefined) routes.set(route, (methods = new Map()))
      // Callers choose the method of an unknown path; unbounded labels would make the metrics grow.
      const name = route === '' ? 'any' : method
      let classes = methods.get(name)
      if (classes === undefined) methods.set(name, (classes = Array.from({ length: STATUS_CLASSES })))
      const statusClass = Math.floor(status / 100)
      classes[statusClass] ??= durations.start({ method: name, route, status: `${statusClass}xx` })
      record(classes[statusClass], durationMs)
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
