import type { FaultDetail } from '../../faults.ts'
import type { Pause } from '../../threads/slices.ts'
import { FAULTS_MAX } from '../../contract/check-faults.ts'
import type { LineTally } from './line-tally.ts'
import type { BulkEnded } from './bulk-result.ts'

/** Faults that are told of one line; each of a million bad lines would otherwise be answered with a hundred. */
export const LINE_FAULTS_MAX = 20
/** Characters of their places and messages, beyond which no further one is told. */
const LINE_FAULT_CHARACTERS_MAX = 4_096
/** What is handed over to be sent at once. */
const PIECE_CHARACTERS = 64 * 1_024

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

/** The lines of an answer in pieces of some length, written as fast as they are read. */
export async function* inPieces(lines: Iterable<object>, pause: Pause): AsyncGenerator<string> {
  let piece = ''
  for (const line of lines) {
    piece += `${JSON.stringify(line)}\n`
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece
      piece = ''
    }
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
  if (piece !== '') yield piece
}

/** The last line of a bulk that was not read to its end. */
export function endedLine({ line, blank, failed, reason }: LineTally): BulkEnded {
  return { status: 'ended', line, blank, failed, reason }
}
