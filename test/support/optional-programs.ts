/**
 * Lists the programs that some tests need and a machine may lack. `npm test` names the missing ones before it begins; a
 * test asks this module for the reason why it is skipped.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DUMPABLE_POSTGRES, dumpPrograms } from './postgres-clients.ts'
import { folderOf, isInstalled, POSTGRES_VERSIONS, TOO_OLD_POSTGRES } from './postgres-versions.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Folders of programs: those of PATH and those of administrators, which not every PATH names. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
const CHROMIUM_PLACES = [
  process.env.CHROMIUM_PATH,
  // The same engine without windows, for two thirds of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
/** A folder with Debian 13, whose PostgreSQL 17 has pgvector. It is unpacked once, and all test files share it. */
export const DEBIAN_13 = process.env.TEST_PGVECTOR_ROOT ?? join(tmpdir(), 'knowledge-debian-13')
/**
 * Folder of the package that runs other models than the built-in one. It has half a gigabyte, so only tests install it.
 */
export const TRANSFORMERS = 'test/support/transformers'

const IS_ROOT = process.getuid?.() === 0

export interface OptionalProgram {
  /** Name of the program. */
  readonly name: string
  /** Guarantees that no test proves without the program. */
  readonly proves: string
  /** Tier that uses the program: the gate, or only the whole run. */
  readonly tier: 'gate' | 'all'
  /** The Debian package that has the program. */
  readonly debianPackage?: string
  /** The folder of the project whose npm packages have the program. */
  readonly npmFolder?: string
  readonly isThere: () => boolean
}

const OPTIONAL = {
  chromium: {
    name: 'Chromium',
    proves: 'the console, the example pages and sign-ins in a browser',
    tier: 'gate',
    debianPackage: 'chromium-headless-shell',
    isThere: () => chromiumPath() !== undefined,
  },
  pgDump: {
    ...whatDumpLacks(),
    proves: 'backups of PostgreSQL',
    tier: 'all',
    isThere: () => DUMPABLE_POSTGRES !== null,
  },
  pgvector: {
    ...(IS_ROOT ? { name: 'debootstrap', debianPackage: 'debootstrap' } : { name: 'being root' }),
    proves: 'search by pgvector, on a PostgreSQL of Debian 13',
    tier: 'gate',
    isThere: () => IS_ROOT && (existsSync(DEBIAN_13) || machinePath('debootstrap') !== undefined),
  },
  nginx: machineProgram('nginx', 'the service behind nginx'),
  caddy: machineProgram('caddy', 'the service behind Caddy'),
  pgbouncer: machineProgram('pgbouncer', 'the service behind PgBouncer', 'PgBouncer'),
  systemd: {
    name: 'systemd-analyze',
    proves: 'the unit for systemd',
    tier: 'all',
    debianPackage: 'systemd',
    isThere: () => machinePath('systemd-analyze') !== undefined,
  },
  prometheus: {
    name: 'Prometheus',
    proves: 'the example dashboard and alerts',
    tier: 'all',
    debianPackage: 'prometheus',
    isThere: () => machinePath('prometheus') !== undefined && machinePath('promtool') !== undefined,
  },
  openTelemetry: {
    name: 'OpenTelemetry',
    proves: 'traces',
    tier: 'all',
    npmFolder: 'opentelemetry',
    isThere: () => existsSync(join(ROOT, 'opentelemetry/node_modules')),
  },
  transformers: {
    name: '@huggingface/transformers',
    proves: 'embedding models of others in the process',
    tier: 'all',
    npmFolder: TRANSFORMERS,
    isThere: hasTransformers,
  },
  oldPostgres: {
    name: `PostgreSQL ${TOO_OLD_POSTGRES}`,
    proves: 'that a PostgreSQL that is too old is refused',
    tier: 'all',
    npmFolder: folderOf(TOO_OLD_POSTGRES),
    isThere: () => POSTGRES_VERSIONS.has(TOO_OLD_POSTGRES) && isInstalled(TOO_OLD_POSTGRES),
  },
} satisfies Record<string, OptionalProgram>

export type ProgramKey = keyof typeof OPTIONAL

export const OPTIONAL_PROGRAMS: Readonly<Record<ProgramKey, OptionalProgram>> = OPTIONAL

/**
 * Returns the reason for which a test without its program is skipped.
 * @returns false when the program is there, and in CI, where a test without its program fails
 */
export function skipWithout(...programs: readonly ProgramKey[]): string | false {
  if (process.env.CI !== undefined) return false
  const missing = programs.map((key) => OPTIONAL_PROGRAMS[key]).find(({ isThere }) => !isThere())
  return missing === undefined ? false : `${missing.name} is not there`
}

/** Returns the path of this machine's Chromium. */
export function chromiumPath(): string | undefined {
  return CHROMIUM_PLACES.find((place) => place !== undefined && existsSync(place))
}

/** Returns the path of a program of the machine. */
export function machinePath(program: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, program)).find((file) => existsSync(file))
}

/** Returns the line that installs all of some programs. */
export function installLine(programs: readonly OptionalProgram[]): string {
  const packages = programs.flatMap(({ debianPackage = [] }) => debianPackage)
  const folders = new Set(programs.flatMap(({ npmFolder = [] }) => npmFolder))
  const steps = [...folders].map((folder) => `npm ci --prefix ${folder} --ignore-scripts`)
  const sudo = IS_ROOT ? '' : 'sudo '
  if (packages.length > 0) steps.unshift(`${sudo}apt-get update && ${sudo}apt-get install -y ${packages.join(' ')}`)
  return steps.join(' && ')
}

function machineProgram(program: string, proves: string, name = program): OptionalProgram {
  return { name, proves, tier: 'all', debianPackage: program, isThere: () => machinePath(program) !== undefined }
}

/**
 * Returns the missing program of the tests of pg_dump. They take a server of pg_dump's version, which in Debian 12 is
 * 15.
 */
function whatDumpLacks(): Pick<OptionalProgram, 'name' | 'debianPackage' | 'npmFolder'> {
  const major = dumpPrograms().find((each) => POSTGRES_VERSIONS.has(each.major))?.major
  if (major === undefined) return { name: 'pg_dump', debianPackage: 'postgresql-client', npmFolder: folderOf(15) }
  return { name: `PostgreSQL ${major}, the version of pg_dump`, npmFolder: folderOf(major) }
}

function hasTransformers(): boolean {
  const manifest = pathToFileURL(join(ROOT, TRANSFORMERS, 'package.json'))
  try {
    return existsSync(createRequire(manifest).resolve('@huggingface/transformers'))
  } catch {
    return false
  }
}
