/**
 * Settles as `work` does, or fails once `ms` milliseconds are over. What `work` does goes on, and its outcome is then
 * dropped.
 * @param late returns the error of a work that takes longer
 */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  if (ms === Infinity) return work
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, ms)).unref()
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
