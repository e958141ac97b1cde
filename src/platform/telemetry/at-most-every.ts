/**
 * Returns a function that reads at most once in `ms` milliseconds; between two readings it returns the last value. A
 * reading that fails is not kept.
 */
export function atMostEvery<T>(ms: number, read: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly atMs: number } | null = null
  return () => {
    if (last !== null && now() - last.atMs < ms) return last.value
    const value = read()
    const reading = { value, atMs: now() }
    last = reading
    value.catch(() => {
      if (last === reading) last = null
    })
    return value
  }
}
