import { type Behind, behindInWords, isLongBehind } from '../../../search/telemetry/behind.ts'
import { ok, type PlaceCheck, warn } from './check.ts'
import { addressOf } from './place-checks.ts'

const TIMEOUT_MS = 2_000
const ELSEWHERE = 'its GET /api/operator/status and its /metrics tell how far search is behind'

/** Asks the running service how far its search indexes are behind. Only its memory knows. */
export const checkSearch: PlaceCheck = async (config) => {
  const { host, probePort, metricsToken } = config
  if (config.port === 0 && probePort === null) return ok(`PORT=0 names no running service to ask: ${ELSEWHERE}`)
  const address = addressOf({ host, port: probePort ?? config.port })
  const headers: Record<string, string> = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` }
  const page = await fetch(`${address}/metrics`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((answer) => answer.text())
    .catch(() => null)
  if (page === null) return ok(`no service answers on ${address}; where one runs elsewhere, ${ELSEWHERE}`)
  const behind = behindOf(page)
  if (behind === null) return ok(`${address} does not tell how far search is behind`)
  const text = `indexes of the running service: ${behindInWords(behind)}`
  return isLongBehind(behind)
    ? warn(`${text}. If the number does not fall, look at the search thread and at the database`)
    : ok(text)
}

/** Reads the metrics of a service, of all its processes together; null if the page does not have them. */
function behindOf(page: string): Behind | null {
  const valuesOf = (name: string): number[] =>
    [...page.matchAll(new RegExp(`^search_index_${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
      Number(value),
    )
  const sumOf = (name: string): number => valuesOf(name).reduce((sum, value) => sum + value, 0)
  if (valuesOf('behind_seconds').length === 0) return null
  return {
    documents_behind: sumOf('documents_behind'),
    indexes_behind: sumOf('behind'),
    behind_seconds: Math.max(...valuesOf('behind_seconds')),
    indexes_building: sumOf('building'),
    built_percent: Math.min(100, ...valuesOf('built_percent')),
  }
}
