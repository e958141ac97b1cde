/** Exit code of a command that ctrl-C ended, as shells have it. */
export const INTERRUPTED = 130

/** One press of ctrl-C may arrive twice, from the terminal and from the process in between. */
const SAME_PRESS_MS = 300

/**
 * Lets ctrl-C (or SIGTERM) end `work` gently: it aborts the signal, and `work` ends when it has finished
 * what it holds. A second one ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  let pressedAt = 0
  const onSignal = (): void => {
    if (stopping.signal.aborted) {
      if (performance.now() - pressedAt > SAME_PRESS_MS) process.exit(INTERRUPTED)
      return
    }
    pressedAt = performance.now()
    stopping.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    return await work(stopping.signal)
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}
