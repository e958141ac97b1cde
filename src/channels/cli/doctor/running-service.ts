import type { Config } from '../../../config.ts'
import { addressOf } from './place-checks.ts'

const TIMEOUT_MS = 2_000

/** What the doctor learns from the service that its settings name. */
export interface ServicePage {
  /** Address that was asked; null with `PORT=0`, which names no service. */
  readonly address: string | null
  /** The page of metrics; null when no service answers there, or it does not give them. */
  readonly metrics: string | null
  /** Why a service that answers gives no metrics, and what to do; null where none answers, or it gives them. */
  readonly refusal: string | null
}

/** What to do where the metrics of a service that answers cannot be read. */
export const GIVE_SETTINGS = 'give the doctor PROBE_PORT and METRICS_TOKEN of the service'

/**
 * Asks the service that the settings name for its metrics: on the port of its probes where it has one, else on its own,
 * which also shows that a service runs whose probes have another port.
 */
export async function askService({
  host,
  port,
  probePort,
  metricsToken,
}: Pick<Config, 'host' | 'port' | 'probePort' | 'metricsToken'>): Promise<ServicePage> {
  const addresses = [probePort, port]
    .filter((each) => each !== null && each !== 0)
    .map((each) => addressOf({ host, port: each! }))
  for (const address of addresses) {
    const page = await pageAt(address, metricsToken)
    if (page !== null) return page
  }
  return { address: addresses[0] ?? null, metrics: null, refusal: null }
}

/** Reads the metrics at an address. @returns null when nothing answers there */
async function pageAt(address: string, token: string | null): Promise<ServicePage | null> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  try {
    const answer = await fetch(`${address}/metrics`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await answer.text()
    if (answer.ok) return { address, metrics: text, refusal: null }
    return { address, metrics: null, refusal: refusalOf(address, answer.status, token) }
  } catch {
    return null
  }
}

function refusalOf(address: string, status: number, token: string | null): string {
  if (status !== 401) return `${address} answers, and has no metrics there (status ${status}): ${GIVE_SETTINGS}`
  return token === null
    ? `${address} gives its metrics only for a token: give the doctor METRICS_TOKEN of the service`
    : `${address} refuses the METRICS_TOKEN of this shell: give the doctor that of the service`
}

/** Returns the values of a metric on a page: one without processes, else one for each process that has it. */
export function valuesOf(page: string, name: string): number[] {
  return [...page.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
}
