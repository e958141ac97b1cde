import { Buffer } from 'buffer/'

// The readers of feeds are the command line's, and know bytes as Node does.
;(globalThis as { Buffer?: unknown }).Buffer = Buffer

export { Buffer }

/** As Node's `isUtf8`. */
export function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
