import type { BulkEnded } from '../../lines/bulk-result.ts'
import type { LineTally } from '../../lines/line-tally.ts'
import type { Pause } from '../../threads/slices.ts'

/** Characters of a piece that is sent at once. */
const PIECE_CHARACTERS = 64 * 1_024

/**
 * Joins lines of an answer into pieces of about `PIECE_CHARACTERS`. It takes further lines only as fast as the pieces
 * are read.
 */
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

/** Returns the last line of a bulk answer when the stream was not read to its end. */
export function endedLine({ line, blank, failed, reason }: LineTally): BulkEnded {
  return { status: 'ended', line, blank, failed, reason }
}
