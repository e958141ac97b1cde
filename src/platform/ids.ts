import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes are asked of the system for so many ids at a time: asking costs more than all else of an id. */
const POOL_IDS = 256
const RANDOM_BYTES = 16

const pool = new Uint8Array(POOL_IDS * RANDOM_BYTES)
let unused = 0
let msecs = 0
let seq = 0

/**
 * A new identifier: UUID version 7, so that ids made later sort later. Those of one millisecond count on from a random
 * number (RFC 9562, section 6.2, method 1).
 */
export function newId(): string {
  const random = randomBytes()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else {
    seq = (seq + 1) >>> 0
    if (seq === 0) msecs++
  }
  return v7({ random, msecs, seq })
}

/** Bytes that no other id has. */
function randomBytes(): Uint8Array {
  if (unused === 0) {
    randomFillSync(pool)
    unused = POOL_IDS
  }
  unused--
  return pool.subarray(unused * RANDOM_BYTES, (unused + 1) * RANDOM_BYTES)
}

/**
 * A new identifier that sorts behind another one, also when the clock was set back since that was made.
 * @param id made by this function or `newId`; null for none
 */
export function newIdAfter(id: string | null): string {
  const made = newId()
  if (id === null || made > id) return made
  return v7({ random: randomBytes(), msecs: Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + 1 })
}
