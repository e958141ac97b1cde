import type { FaultDetail } from '../../platform/faults.ts'
import { lineDetail } from '../../platform/lines/line-faults.ts'

/** Writes faults in one line, each place without its leading `body`: a file has none. */
export function sayFaults(details: readonly FaultDetail[]): string {
  return lineDetail(details)
    .map(({ loc, msg }) => {
      const place = loc.slice(loc[0] === 'body' ? 1 : 0).join('.')
      return place === '' ? msg : `${place}: ${msg}`
    })
    .join('; ')
}
