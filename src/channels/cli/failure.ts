import { BackupError } from '../../composition/backup/manifest.ts'
import { ConfigError } from '../../config.ts'
import { DatabaseRefused } from '../../platform/database/refusals.ts'
import { MigrationError } from '../../platform/database/migrate.ts'
import { DataDirectoryError } from '../../platform/database/sqlite.ts'
import { Fault } from '../../platform/faults.ts'
import { SecretFileError } from '../../platform/secret-file.ts'
import { UnusableFeed } from '../import/feeds/feed-record.ts'
import type { CommandOutput } from './command-call.ts'
import { printable } from './printable.ts'

/** Tells that a command was called wrongly. People see the message without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Tells that a command failed for a reason that the operator can mend. People see the message without a stack. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Failures whose message tells the operator what to do. */
const PLAIN = [
  UsageError,
  CommandFailed,
  UnusableFeed,
  DataDirectoryError,
  MigrationError,
  DatabaseRefused,
  SecretFileError,
  BackupError,
]

const ANOTHER_PORT = 'Stop the program that uses it, or choose another port: PORT=8081 npm start'

/** Advice about an address that the service cannot listen on, by the system's code. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: ANOTHER_PORT,
  EACCES:
    'This user may not listen there, as on most ports below 1024: choose another port, such as PORT=8081 npm start',
  EADDRNOTAVAIL: 'This machine does not have that address: set HOST to one of its own, or leave it unset',
}

/**
 * Writes the failure of a command to standard error.
 * @returns the exit code: 2 for a wrong call or setting, else 1; 0 when the reader of the output has closed it
 */
export function reportFailure(error: unknown, stderr: CommandOutput): number {
  if (error instanceof ConfigError) {
    for (const line of error.lines) stderr.write(`${line}\n`)
    return 2
  }
  const { code, port, address, hostname } = error as {
    code?: string
    port?: number
    address?: string
    hostname?: string
  }
  // The reader of our output has closed it, as `head` does.
  if (code === 'EPIPE') return 0
  if (address !== undefined && Object.hasOwn(LISTEN_ADVICE, code ?? '')) {
    const place = port === undefined ? address : `${address}:${port}`
    stderr.write(`Cannot listen on ${place} (${code}). ${LISTEN_ADVICE[code!]}\n`)
    return 1
  }
  if (hostname !== undefined && (code === 'ENOTFOUND' || code === 'EAI_AGAIN')) {
    stderr.write(
      `No address is known for ${printable(hostname)} (${code}). Check the setting that has it, such as HOST\n`,
    )
    return 1
  }
  if (error instanceof Fault) {
    stderr.write(`${error.details.map(({ msg }) => msg).join('. ')}\n`)
    return error.kind === 'invalid' ? 2 : 1
  }
  const full = storageFull(code)
  if (full !== null || PLAIN.some((kind) => error instanceof kind)) {
    stderr.write(`${full ?? lines((error as Error).message)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
  stderr.write(`${lines(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  return 1
}

/** Escapes what could harm a terminal in a message, except its own line breaks. */
function lines(message: string): string {
  return message.split('\n').map(printable).join('\n')
}

function storageFull(code: string | undefined): string | null {
  if (code !== 'SQLITE_FULL' && code !== 'ENOSPC' && code !== '53100') return null
  return 'The disk is full. Everything reported as done is stored. Free some space, then run the same command again.'
}
