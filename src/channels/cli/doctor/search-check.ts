import { type Behind, behindInWords, isLongBehind } from '../../../search/telemetry/behind.ts'
import { ok, type PlaceCheck, warn } from './check.ts'
import { askService, GIVE_SETTINGS, valuesOf } from './running-service.ts'

const ELSEWHERE = 'its GET /api/operator/status and its /metrics tell how far search is behind'

/** Asks the running service how far its search indexes are behind. Only its memory knows. */
export const checkSearch: PlaceCheck = async (config) => {
  const { address, metrics, refusal } = await askService(config)
  if (address === null) return ok(`PORT=0 names no running service to ask: ${ELSEWHERE}`)
  if (refusal !== null) return warn(`how far search is behind is unknown: ${refusal}`)
  if (metrics === null) return ok(`no service answers on ${address}; where one runs elsewhere, ${ELSEWHERE}`)
  const behind = behindOf(metrics)
  if (behind === null) return warn(`${address} does not tell how far search is behind: ${GIVE_SETTINGS}`)
  const text = `indexes of the running service: ${behindInWords(behind)}`
  return isLongBehind(behind)
    ? warn(`${text}. If the number does not fall, look at the search thread and at the database`)
    : ok(text)
}

/** Reads the metrics of a service, of all its processes together; null if the page does not have them. */
function behindOf(page: string): Behind | null {
  const readings = (name: string): number[] => valuesOf(page, `search_index_${name}`)
  const sumOf = (name: string): number => readings(name).reduce((sum, value) => sum + value, 0)
  const seconds = readings('behind_seconds')
  if (seconds.length === 0) return null
  return {
    documents_behind: sumOf('documents_behind'),
    indexes_behind: sumOf('behind'),
    behind_seconds: Math.max(...seconds),
    indexes_building: sumOf('building'),
    built_percent: Math.min(100, ...readings('built_percent')),
  }
}
