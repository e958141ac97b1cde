import type { FaultDetail } from '../faults.ts'
import { FAULTS_MAX } from '../contract/check-faults.ts'

/**
 * Most faults reported for one line. Without it, each of a million bad lines could be answered with a hundred faults.
 */
export const LINE_FAULTS_MAX = 20
/** Characters of places and messages after which no further fault is reported. */
const LINE_FAULT_CHARACTERS_MAX = 4_096

/** The faults that the answer reports for a line: the first ones, and the number of further faults. */
export function lineDetail(details: readonly FaultDetail[]): readonly FaultDetail[] {
  let characters = 0
  const end = details.findIndex(({ loc, msg }, i) => {
    const isTold = i < LINE_FAULTS_MAX && (i === 0 || characters < LINE_FAULT_CHARACTERS_MAX)
    characters += msg.length + loc.reduce((sum, part) => sum + part.length, 0)
    return !isTold
  })
  if (end < 0) return details
  const more = details.length - end
  const many = `${details.length < FAULTS_MAX ? '' : 'At least '}${more} more ${more === 1 ? 'fault' : 'faults'}`
  return [...details.slice(0, end), { loc: ['body'], msg: many, type: 'more_faults' }]
}
