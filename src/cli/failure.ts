import { ConfigError } from '../config.ts'
import { DatabaseRefused } from '../database/connect.ts'
import { MigrationError } from '../database/migrate.ts'
import { DataDirectoryError } from '../database/sqlite.ts'
import { Fault } from '../faults.ts'

/** A wrong call of a command; shown without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Failures whose message already tells the operator what to do. */
const PLAIN = [UsageError, DataDirectoryError, MigrationError, DatabaseRefused, Fault]

/**
 * Tells on standard error what went wrong.
 * @returns the exit code: 2 for a wrong call or setting, 1 for the rest
 */
export function reportFailure(error: unknown): number {
  if (error instanceof ConfigError) {
    for (const line of error.lines) process.stderr.write(`${line}\n`)
    return 2
  }
  if (error instanceof TypeError && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) {
    process.stderr.write(`${error.message}\n`)
    return 2
  }
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    process.stderr.write(
      `Cannot listen on ${address}:${port} (${code}). Stop what uses it, or set PORT to another one.\n`,
    )
    return 1
  }
  if (PLAIN.some((kind) => error instanceof kind)) {
    process.stderr.write(`${(error as Error).message}\n`)
    return error instanceof UsageError ? 2 : 1
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}
