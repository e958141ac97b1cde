import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Option } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { CommandFailed } from './failure.ts'

/** The option of commands that write a file. */
export const OUTPUT_OPTION = {
  output: { type: 'string', short: 'o', value: 'FILE', help: 'file to write (default: standard output)' },
} as const satisfies Record<string, Option>

/**
 * Writes lines to a file. They go to a temporary file first, so that `output` is never an incomplete export.
 * @param output path of the file; standard output when absent
 * @throws CommandFailed when the file cannot be written
 */
export async function writeWhole(
  lines: Readable,
  output: string | undefined,
  { stdout }: Pick<CommandCall, 'stdout'>,
  signal: AbortSignal,
): Promise<void> {
  if (output === undefined) return pipeline(lines, stdout, { signal, end: false })
  const part = `${output}.part`
  try {
    // The file must be new: another user may have put a link there, or a file that all may read.
    await rm(part, { force: true })
    await pipeline(lines, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }), { signal })
    await rename(part, output)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined && code !== 'ENOSPC') {
      const reason = code === 'ENOENT' ? `there is no folder ${dirname(output)}` : code
      throw new CommandFailed(`Cannot write ${output}: ${reason}`)
    }
    throw error
  }
}
