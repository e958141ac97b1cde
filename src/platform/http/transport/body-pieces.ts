import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Pieces of a body, such as its chunks, that may have any size. A client that writes its JSON word by word sends fewer,
 * unless the body is long.
 */
export const PIECES_FREE = 1_024
/** Least bytes of a piece, on average over a body with more pieces than `PIECES_FREE`. A smaller average is refused. */
export const PIECE_BYTES_MIN = 16
/** Average bytes of a piece below which a connection is read in turns. Lines that are sent one by one are shorter. */
const PIECE_BYTES_SMALL = 256
/** Pieces between two looks at a body that is read in turns. */
const LOOK_PIECES = 256

/** What becomes of connections that send their bodies in small pieces. */
export interface PieceWatch {
  /** Takes note of a body whose pieces are small. */
  noteSmall(socket: Socket): void
  /** Takes note that a part of a body was read. */
  noteRead(request: IncomingMessage): void
  /** Tells whether nothing is to be read from a connection for now. */
  isWaiting(socket: Socket): boolean
  /** Refuses a body whose pieces are out of proportion, and closes the connection. */
  refuse(socket: Socket): void
}

/**
 * Returns the class of a server's requests, which counts the pieces of their bodies. Each piece costs the parser and the
 * stream about as much as a kilobyte, however small it is: 64 KiB that arrive as chunks of one byte take some ten
 * milliseconds.
 */
export function countedRequest(watch: PieceWatch): typeof IncomingMessage {
  return class extends IncomingMessage {
    #pieces = 0
    #bytes = 0
    #isRefused = false

    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      // The parser hands over the rest of what was read in any case, and would pause the connection for each piece that
      // does not fit. A refused body has no end either.
      if (this.#isRefused) return true
      if (piece === null) return super.push(piece, encoding)
      this.#pieces++
      this.#bytes += piece.length
      if (this.#pieces > PIECES_FREE) this.#judge()
      if (this.#isRefused) return true
      const goesOn = super.push(piece, encoding)
      watch.noteRead(this)
      return goesOn
    }

    override _read(size: number): void {
      // This would make the connection go on.
      if (!watch.isWaiting(this.socket)) super._read(size)
    }

    #judge(): void {
      const average = this.#bytes / this.#pieces
      if (average < PIECE_BYTES_MIN) {
        this.#isRefused = true
        watch.noteSmall(this.socket)
        // Otherwise the system would go on reading in the same turn.
        this.socket.pause()
        watch.refuse(this.socket)
      } else if (average < PIECE_BYTES_SMALL && this.#pieces % LOOK_PIECES === 1) watch.noteSmall(this.socket)
    }
  }
}
