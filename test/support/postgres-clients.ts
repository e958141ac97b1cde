import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isInstalled, POSTGRES_VERSIONS } from './postgres-versions.ts'

/**
 * A version of PostgreSQL whose server the tests can start and whose pg_dump this machine has: the packages of the tests
 * have servers alone.
 */
interface DumpablePostgres {
  readonly major: number
  /** The folder of its pg_dump and pg_restore. */
  readonly folder: string
}

/** Null where this machine has no pg_dump that fits one of the servers. */
export const DUMPABLE_POSTGRES: DumpablePostgres | null = findDumpable()

function findDumpable(): DumpablePostgres | null {
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env.PATH ?? '').split(delimiter)]
  for (const folder of folders) {
    const program = join(folder, 'pg_dump')
    if (!existsSync(program) || !existsSync(join(folder, 'pg_restore'))) continue
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1])
    if (major >= 15 && POSTGRES_VERSIONS.has(major) && isInstalled(major)) return { major, folder }
  }
  return null
}
