import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'

/** An output of a command; `isTTY` is true on a terminal. */
export type CommandOutput = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** The environment, the input and the outputs that a command is called with besides its arguments. */
export interface CommandCall {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>
  readonly stdout: CommandOutput
  readonly stderr: CommandOutput
}

/** The call that started this process. */
export const CALL_OF_PROCESS: CommandCall = {
  env: process.env,
  // Node opens standard input at the first look, and most commands never read it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
}
