/** Rows per statement at most: both databases bound the values of one, and a product has 45. */
const RUN_MAX = 128

/**
 * Works through `items` in runs whose lengths are powers of two: every length is a statement of its own, which
 * the database prepares once, and so there are few of them.
 */
export async function inRuns<T>(items: readonly T[], work: (some: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length;) {
    const left = Math.min(RUN_MAX, items.length - at)
    const length = 2 ** Math.floor(Math.log2(left))
    await work(items.slice(at, at + length))
    at += length
  }
}
