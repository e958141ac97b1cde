/**
 * Writes a software bill of materials in CycloneDX's JSON: what the service and the built pages of its console are made
 * of, as npm tells it by their lock files. Needs no installed packages.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROGRAM_COMMIT } from '../src/platform/commit.ts'
import { root } from './runtime.mjs'

interface Component {
  readonly 'bom-ref': string
  readonly [member: string]: unknown
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

/** The members of a bill that this module reads or changes. */
export interface Bill {
  readonly bomFormat: 'CycloneDX'
  readonly metadata: { readonly component: Component; readonly [member: string]: unknown }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
  readonly [member: string]: unknown
}

const IN = 'node_modules/'
const CONSOLE = join(root, 'console')
const USAGE = 'Usage: npm run --silent sbom [-- FILE]\n\nWrites the bill to FILE, without one to standard output.\n'

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>
}

/** Returns the packages that the service installs, as `name@version`: those in its lock file not for development alone. */
export function installedPackages(folder: string = root): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as LockFile
  const used = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return new Set(used.map(([path, { version }]) => `${path.slice(path.lastIndexOf(IN) + IN.length)}@${version}`))
}

/** Returns the packages that the built pages of the console contain, as `name@version`, by their list of licences. */
export function bundledPackages(folder: string = CONSOLE): ReadonlySet<string> {
  const licences = readFileSync(join(folder, 'dist', 'licenses.md'), 'utf8')
  return new Set([...licences.matchAll(/^## (\S+) - (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`))
}

/**
 * Returns the bill of those packages of a folder's lock file that are used. npm's own choice, `--omit dev`, also leaves
 * out packages that both need, and to npm everything that a build bundles is for development.
 */
function billOf(folder: string, used: ReadonlySet<string>): Bill {
  const bill = wholeBillOf(folder)
  const top = bill.metadata.component['bom-ref']
  const isUsed = (ref: string): boolean => used.has(ref)
  return {
    ...bill,
    components: bill.components.filter((each) => isUsed(each['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === top || isUsed(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isUsed) })),
  }
}

function wholeBillOf(folder: string): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--sbom-type', 'application']
  const npm = process.env.npm_execpath
  const [command, prefix] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { status, stdout, stderr } = spawnSync(command, [...prefix, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
    shell: process.platform === 'win32' && npm === undefined,
  })
  if (status !== 0) throw new Error(`npm sbom failed; it takes npm 10 or later: ${stderr.trim()}`)
  return JSON.parse(stdout) as Bill
}

/**
 * Joins the bill of a part into that of a whole: its components, and itself as one of them, on which the whole depends.
 */
export function joined(whole: Bill, part: Bill): Bill {
  const { component: top } = whole.metadata
  const { component } = part.metadata
  const byRef = new Map([...whole.components, component, ...part.components].map((each) => [each['bom-ref'], each]))
  const dependencies = new Map<string, Set<string>>()
  for (const { ref, dependsOn } of [
    ...whole.dependencies,
    ...part.dependencies,
    { ref: top['bom-ref'], dependsOn: [component['bom-ref']] },
  ])
    dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...dependsOn]))
  return {
    ...whole,
    components: [...byRef.values()],
    dependencies: [...dependencies].map(([ref, on]) => ({ ref, dependsOn: [...on] })),
  }
}

/** Adds the commit, by which the source of the bill's subject is found. */
function withCommit(bill: Bill, commit: string | null): Bill {
  if (commit === null) return bill
  const { metadata } = bill
  const properties = [{ name: 'knowledge-service:commit', value: commit }]
  return { ...bill, metadata: { ...metadata, component: { ...metadata.component, properties } } }
}

/** Returns the bill of the whole program. */
export function wholeBill(): Bill {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'name' | 'version' | 'license',
    string
  >
  const service = billOf(root, installedPackages())
  // npm names the subject by its folder where only lock files are read.
  const { name, version } = manifest
  const component = { ...service.metadata.component, name, version, licenses: [{ license: { id: manifest.license } }] }
  const licensed = { ...service, metadata: { ...service.metadata, component } }
  return withCommit(joined(licensed, billOf(CONSOLE, bundledPackages())), PROGRAM_COMMIT)
}

function main([file, ...more]: readonly string[]): number {
  if (more.length > 0 || (file ?? '').startsWith('-')) {
    process.stderr.write(USAGE)
    return file === '--help' ? 0 : 2
  }
  const text = `${JSON.stringify(wholeBill(), null, 2)}\n`
  if (file === undefined) process.stdout.write(text)
  else writeFileSync(file, text)
  return 0
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main(process.argv.slice(2))
