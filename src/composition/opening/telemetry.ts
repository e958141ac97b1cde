import type { ProcessPort } from '../../platform/processes/process-port.ts'
import { createMetrics, type Metrics } from '../../platform/telemetry/metrics.ts'
import { startTelemetry, type Telemetry } from '../../platform/telemetry/opentelemetry/start.ts'
import type { Opening } from './opening.ts'

/** Makes the metrics of this process. One of several processes publishes them through its supervisor. */
export function openMetrics(port: ProcessPort | null): Metrics {
  const metrics = createMetrics()
  if (port !== null) {
    metrics.registry.setDefaultLabels({ process: port.number })
    port.publish(() => metrics.text())
  }
  return metrics
}

/** Starts OpenTelemetry. @returns null where no variable asks for it, or its packages are not installed */
export function openTelemetry({ config, logger, metrics, opened }: Opening): Telemetry | null {
  if (config.openTelemetry === null) return null
  const { registry } = metrics
  const telemetry = startTelemetry({ registry, warn: (text) => logger.warn(text), env: config.openTelemetry })
  return telemetry === null ? null : opened.add(telemetry)
}
