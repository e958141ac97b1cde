import { createHash } from 'node:crypto'

/** Bytes of a text's hash: of a billion texts, two share one with a probability of 3 percent. */
const HASH_BYTES = 8
const WAITING = Buffer.alloc(HASH_BYTES)

/** Returns the hash of a text, as a string to look it up by. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('latin1')
}

/** First byte of the hashes of a document of which a text waits. The database finds such documents by it. */
export const SOME_WAIT = Buffer.from([0])
/** The same where the model has read all texts. */
const ALL_READ = Buffer.from([1])

/**
 * Encodes which texts a model has read.
 * @param hashes hash of each text that was read, and null for one that waits
 */
export function encodeHashes(hashes: readonly (string | null)[]): Buffer {
  const each = hashes.map((hash) => (hash === null ? WAITING : Buffer.from(hash, 'latin1')))
  return Buffer.concat([hashes.includes(null) ? SOME_WAIT : ALL_READ, ...each])
}

/** Decodes what `encodeHashes` wrote. */
export function decodeHashes(bytes: Uint8Array): (string | null)[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(ALL_READ.length)
  return Array.from({ length: all.length / HASH_BYTES }, (_, i) => {
    const hash = all.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES)
    return hash.equals(WAITING) ? null : hash.toString('latin1')
  })
}
