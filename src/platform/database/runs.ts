/** Most rows of one statement. Both databases limit its values, and a product has about 50. */
const RUN_MAX = 128

/**
 * Processes items in runs whose lengths are powers of two. Every length needs its own prepared statement, so few
 * lengths mean few statements.
 */
export async function inRuns<T>(items: readonly T[], work: (some: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length;) {
    const left = Math.min(RUN_MAX, items.length - at)
    const length = 2 ** Math.floor(Math.log2(left))
    await work(items.slice(at, at + length))
    at += length
  }
}
