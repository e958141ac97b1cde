import type { Environment } from './read-settings.ts'

/** Variables of which each asks for OpenTelemetry. */
const SWITCHES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
]

/**
 * Returns the standard variables of OpenTelemetry; null where none asks for it. They are not the service's to check:
 * the SDK reads them, and says what is wrong with them.
 */
export function openTelemetryIn(env: Environment): Readonly<Record<string, string>> | null {
  const isWanted = SWITCHES.some((name) => (env[name] ?? '') !== '')
  if (!isWanted || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  const variables = Object.entries(env).filter(([name, value]) => name.startsWith('OTEL_') && value !== undefined)
  return Object.fromEntries(variables) as Record<string, string>
}
