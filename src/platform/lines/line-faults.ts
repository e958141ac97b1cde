import type { FaultDetail } from '../faults.ts'
import { FAULTS_MAX } from '../contract/check-faults.ts'

/** Faults that are told of one line; each of a million bad lines would otherwise be answered with a hundred. */
export const LINE_FAULTS_MAX = 20
/** Characters of their places and messages, beyond which no further one is told. */
const LINE_FAULT_CHARACTERS_MAX = 4_096

/** The faults of a line as its answer tells them: the first ones, and how many more there are. */
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
