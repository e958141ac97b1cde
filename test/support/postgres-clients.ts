import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isInstalled, POSTGRES_VERSIONS, TOO_OLD_POSTGRES } from './postgres-versions.ts'

/**
 * A version of PostgreSQL whose server the tests can start and whose pg_dump this machine has: the packages of the tests
 * have servers alone.
 */
interface DumpablePostgres {
  readonly major: number
  /** The folder of the version's pg_dump and pg_restore. */
  readonly folder: string
}

/** A version that the tests can dump; null where this machine has no pg_dump that fits one of the servers. */
export const DUMPABLE_POSTGRES: DumpablePostgres | null =
  dumpPrograms().find(({ major }) => POSTGRES_VERSIONS.has(major) && isInstalled(major)) ?? null

/** Returns every pg_dump of a version that the service takes, with its pg_restore. */
export function dumpPrograms(): DumpablePostgres[] {
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.flatMap((folder) => {
    const program = join(folder, 'pg_dump')
    if (!existsSync(program) || !existsSync(join(folder, 'pg_restore'))) return []
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1])
    return major > TOO_OLD_POSTGRES ? [{ major, folder }] : []
  })
}
