/** Returns a source of numbers in [0, 1), the same in every run: Mulberry32 (T. Ettinger, public domain). */
export function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Returns a source of words with natural frequencies: the n-th most frequent in proportion to 1 / (n + 2.7) (Zipf,
 * Mandelbrot).
 */
export function zipfSource<T>(words: readonly T[], random: () => number): () => T {
  const bounds = new Float64Array(words.length)
  let sum = 0
  for (let i = 0; i < words.length; i++) bounds[i] = sum += 1 / (i + 1 + 2.7)
  return () => {
    const at = random() * sum
    let low = 0
    let high = words.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (bounds[middle] < at) low = middle + 1
      else high = middle
    }
    return words[low]
  }
}

/** Returns 53 bits of a text's hash (FNV-1a, twice), enough to distinguish a few hundred thousand texts. */
export function hashText(text: string): number {
  let low = 0x811c9dc5
  let high = 0x9dc5811c
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 15), 0x01000193)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
