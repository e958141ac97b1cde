/**
 * Writes messages between processes to a stream and reads them from it. The messages are those between a process and
 * its search thread, so that a search that was passed on gets the same answer to the last bit. Small objects travel as
 * JSON, numbers as they lie in memory. A frame is a header (kind, bytes of the text, bytes of the numbers; 32 bits
 * each), the text and the numbers. Both ends have the same byte order: they run on one machine, or `joinPeers` has made
 * sure that they are little-endian.
 */
import type { Socket } from 'node:net'
import type { AnswerMessage, FromWorker, PackedError, SearchMessage, ToWorker } from '../memory/host/protocol.ts'

/** What a process understands, and its id. */
export interface ProcessIdentity {
  /** Form of its messages. Processes whose messages differ pass nothing on to each other. */
  readonly form: string
  /** Id that differs for every process, so that a process notices when it has reached itself. */
  readonly instance: string
}

/** A message to a process that holds tenants. */
export type ToHolder = SearchMessage | Extract<ToWorker, { readonly kind: 'status' }> | { readonly kind: 'ping' }

/** A message from a process that holds tenants. */
export type FromHolder =
  | AnswerMessage
  | Extract<FromWorker, { readonly kind: 'done' }>
  /** The first message on a connection, and the answer to `ping`. */
  | ({ readonly kind: 'here' } & ProcessIdentity)

const HEADER_BYTES = 12
const SEARCH = 1
const ANSWERS = 2
const OTHER = 3
/** Most bytes of a frame, far more than an answer can have. A sender of more does not speak this protocol. */
const BYTES_MAX = 256 * 1_024 * 1_024

/** Writes a message without copying its numbers. */
export function writeFrame(socket: Socket, message: ToHolder | FromHolder): void {
  socket.cork()
  for (const part of frameParts(message)) socket.write(part)
  socket.uncork()
}

/** Returns the frame of a message, in parts to be written one after the other. */
export function frameParts(message: ToHolder | FromHolder): Buffer[] {
  if (message.kind === 'search') return frame(SEARCH, message.requests, message.vectors)
  if (message.kind === 'answers')
    return frame(ANSWERS, `${JSON.stringify(message.errors)}\n${message.answers}`, message.numbers)
  return frame(OTHER, JSON.stringify(message), null)
}

function frame(kind: number, text: string, numbers: Float32Array | Float64Array | null): Buffer[] {
  const textBytes = Buffer.byteLength(text)
  const head = Buffer.allocUnsafe(HEADER_BYTES + textBytes)
  head.writeUInt32LE(kind, 0)
  head.writeUInt32LE(textBytes, 4)
  head.writeUInt32LE(numbers?.byteLength ?? 0, 8)
  head.write(text, HEADER_BYTES)
  if (numbers === null || numbers.byteLength === 0) return [head]
  return [head, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)]
}

/** Puts the messages of a stream together from its chunks. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bytes = 0
  /** Bytes that are needed for the header, or, once that is read, for the whole frame. */
  #needed = HEADER_BYTES

  /** Returns the messages that this chunk completes. @throws Error when the bytes are no frame */
  take(chunk: Buffer): (ToHolder | FromHolder)[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const messages: (ToHolder | FromHolder)[] = []
    while (this.#bytes >= this.#needed) {
      const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
      const bytes = frameBytes(all)
      if (all.length >= bytes) {
        messages.push(messageIn(all.subarray(0, bytes)))
        const rest = all.subarray(bytes)
        this.#chunks = [rest]
        this.#bytes = rest.length
        this.#needed = HEADER_BYTES
      } else {
        this.#chunks = [all]
        this.#needed = bytes
      }
    }
    return messages
  }
}

/** Returns the length of a frame from its header. @throws Error when it is too long for a frame */
function frameBytes(head: Buffer): number {
  const bytes = HEADER_BYTES + head.readUInt32LE(4) + head.readUInt32LE(8)
  if (bytes > BYTES_MAX) throw new Error(`a message of ${bytes} bytes is no message of a process`)
  return bytes
}

function messageIn(frame: Buffer): ToHolder | FromHolder {
  const end = HEADER_BYTES + frame.readUInt32LE(4)
  const text = frame.toString('utf8', HEADER_BYTES, end)
  // Copied, because numbers must lie at a multiple of their size.
  const numbers = (): ArrayBuffer => new Uint8Array(frame.subarray(end)).buffer
  switch (frame.readUInt32LE(0)) {
    case SEARCH:
      return { kind: 'search', requests: text, vectors: new Float32Array(numbers()) }
    case ANSWERS: {
      const border = text.indexOf('\n')
      const errors = JSON.parse(text.slice(0, border)) as PackedError[]
      return { kind: 'answers', answers: text.slice(border + 1), numbers: new Float64Array(numbers()), errors }
    }
    case OTHER:
      return JSON.parse(text) as ToHolder | FromHolder
    default:
      throw new Error('a message of an unknown kind')
  }
}
