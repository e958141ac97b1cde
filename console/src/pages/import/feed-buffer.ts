import { Buffer } from 'buffer/'

// The readers of feeds are those of the command line, which work with the Buffer of Node.
;(globalThis as { Buffer?: unknown }).Buffer = Buffer

export { Buffer }

/** Tells whether bytes are valid UTF-8, as `isUtf8` of Node does. */
export function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
