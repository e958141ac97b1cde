import { DIMENSIONS } from './dimensions.ts'

/** Returns what stands for the contextual vector of a text that was not read: zeros, which no vector is compared by. */
export function standIn(_text: string): Float32Array {
  return new Float32Array(DIMENSIONS)
}
