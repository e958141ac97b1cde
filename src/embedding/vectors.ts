/**
 * Scales a vector to length 1 in place, with the sum of squares in float64. A zero vector stays zero. Components whose
 * squares exceed float64's range cannot occur in float32.
 */
export function normalizeInPlace(vector: Float32Array): Float32Array {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i] * vector[i]
  if (squares === 0) return vector
  const scale = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i] *= scale
  return vector
}

/** Returns the mean direction of vectors, with length 1; null without vectors, or if the mean is all zeros. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  if (vectors.length === 0) return null
  const mean = new Float32Array(vectors[0].length)
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] += vector[i]
  return normalizeInPlace(mean).some((component) => component !== 0) ? mean : null
}
