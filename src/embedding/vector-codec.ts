/** A passage of a document with its vector. `start` and `end` are UTF-16 offsets into the content. */
export interface IndexPassage {
  readonly vector: Float32Array
  readonly start: number
  readonly end: number
}

/** Vectors and offsets of a document as they are stored: little-endian, one after the other. */
interface StoredVectors {
  readonly offsets: Buffer
  readonly vectors: Buffer
}

/** Encodes passages with their vectors. @param vectors one per passage, all of the same length */
export function encodeVectors(
  passages: readonly { start: number; end: number }[],
  vectors: readonly Float32Array[],
): StoredVectors {
  const offsets = Buffer.alloc(passages.length * 8)
  for (const [i, { start, end }] of passages.entries()) {
    offsets.writeInt32LE(start, i * 8)
    offsets.writeInt32LE(end, i * 8 + 4)
  }
  return { offsets, vectors: Buffer.concat(vectors.map(encodeVector)) }
}

export function encodeVector(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** Decodes a vector. It copies the bytes, because buffers of a database driver need not be aligned to four bytes. */
export function decodeVector(bytes: Uint8Array): Float32Array {
  const copy = new Float32Array(bytes.byteLength / 4)
  new Uint8Array(copy.buffer).set(bytes)
  return copy
}

/** Decodes `count` vectors of the same length that are stored one after the other. */
export function decodeVectors(bytes: Uint8Array, count: number): Float32Array[] {
  const all = decodeVector(bytes)
  const dimensions = count === 0 ? 0 : all.length / count
  return Array.from({ length: count }, (_, i) => all.subarray(i * dimensions, (i + 1) * dimensions))
}

/** Decodes passages with their vectors, in order; none if nothing was stored. */
export function decodePassages({ offsets, vectors }: StoredVectors): IndexPassage[] {
  const count = offsets.byteLength / 8
  if (count === 0) return []
  const all = decodeVector(vectors)
  const dimensions = all.length / count
  return Array.from({ length: count }, (_, i) => ({
    vector: all.subarray(i * dimensions, (i + 1) * dimensions),
    start: offsets.readInt32LE(i * 8),
    end: offsets.readInt32LE(i * 8 + 4),
  }))
}
