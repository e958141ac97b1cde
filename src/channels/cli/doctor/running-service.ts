import type { Config } from '../../../config.ts'
import { addressOf } from './place-checks.ts'

const TIMEOUT_MS = 2_000

/** What the doctor learns from the service that its settings name. */
export interface ServicePage {
  /** Address that was asked; null with `PORT=0`, which names no service. */
  readonly address: string | null
  /** The page of metrics; null when no service answers there. */
  readonly metrics: string | null
}

/** Asks the service that the settings name for its metrics, on the port of its probes where it has one. */
export async function askService({
  host,
  port,
  probePort,
  metricsToken,
}: Pick<Config, 'host' | 'port' | 'probePort' | 'metricsToken'>): Promise<ServicePage> {
  if (port === 0 && probePort === null) return { address: null, metrics: null }
  const address = addressOf({ host, port: probePort ?? port })
  const headers: Record<string, string> = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` }
  const metrics = await fetch(`${address}/metrics`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((answer) => answer.text())
    .catch(() => null)
  return { address, metrics }
}

/** Returns the values of a metric on a page: one without processes, else one for each process that has it. */
export function valuesOf(page: string, name: string): number[] {
  return [...page.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
}
