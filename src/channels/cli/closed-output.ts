/**
 * Lets a command finish when the reader of its output has closed it, as `head` does; further output is dropped. Any
 * other error of an output is a failure.
 */
export function ignoreClosedOutput(...outputs: readonly NodeJS.WritableStream[]): void {
  for (const output of outputs) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
