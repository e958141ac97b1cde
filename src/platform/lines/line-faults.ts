import type { FaultDetail } from '../faults.ts'
import { FAULTS_MAX } from '../contract/check-faults.ts'

/**
 * Most faults reported for one line. Without this limit, each of a million bad lines could be answered with a hundred
 * faults.
 */
export const LINE_FAULTS_MAX = 20
/** Characters of places and messages after which no further fault is reported. */
const LINE_FAULT_CHARACTERS_MAX = 4_096

/** Returns the faults that the answer reports for a line: the first ones, and a last one that counts the others. */
export function lineDetail(details: readonly FaultDetail[]): readonly FaultDetail[] {
  let characters = 0
  const end = details.findIndex(({ loc, msg }, i) => {
    const isReported = i < LINE_FAULTS_MAX && (i === 0 || characters < LINE_FAULT_CHARACTERS_MAX)
    characters += msg.length + loc.reduce((sum, part) => sum + part.length, 0)
    return !isReported
  })
  if (end < 0) return details
  const rest = details.length - end
  const msg = `${details.length < FAULTS_MAX ? '' : 'At least '}${rest} more ${rest === 1 ? 'fault' : 'faults'}`
  return [...details.slice(0, end), { loc: ['body'], msg, type: 'more_faults' }]
}
