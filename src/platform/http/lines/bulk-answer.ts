import type { BulkEnded } from '../../lines/bulk-result.ts'
import type { LineTally } from '../../lines/line-tally.ts'
import type { Pause } from '../../threads/slices.ts'

/** What is handed over to be sent at once. */
const PIECE_CHARACTERS = 64 * 1_024

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
