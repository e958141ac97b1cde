/**
 * Lets a command end as it would when whoever read its output has seen enough, such as `head`: what it writes from
 * then on goes nowhere. Anything else that keeps output from being written is a failure.
 */
export function outliveReaders(...outputs: readonly NodeJS.WritableStream[]): void {
  for (const output of outputs) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
