import type { Environment } from './read-settings.ts'

/** Variables that turn OpenTelemetry on. */
const SWITCHES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
]

/**
 * Returns the standard variables of OpenTelemetry; null where none turns it on. The service does not check them: the
 * SDK reads them, and tells their faults.
 */
export function openTelemetryIn(env: Environment): Readonly<Record<string, string>> | null {
  const isOn = SWITCHES.some((name) => (env[name] ?? '') !== '')
  if (!isOn || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  const variables = Object.entries(env).filter(([name, value]) => name.startsWith('OTEL_') && value !== undefined)
  return Object.fromEntries(variables) as Record<string, string>
}
