/**
 * Writes a software bill of materials in CycloneDX's JSON: what the service and the built pages of its console are made
 * of, by their lock files, as npm tells it. Needs no installed packages.
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

const USAGE = 'Usage: npm run --silent sbom [-- FILE]\n\nWrites the bill to FILE, without one to standard output.\n'

/** Returns the bill of the packages that a folder's lock file names, without those for development. */
export function billOf(folder: string): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev']
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
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { license: string }
  const service = billOf(root)
  const component = { ...service.metadata.component, licenses: [{ license: { id: license } }] }
  const licensed = { ...service, metadata: { ...service.metadata, component } }
  return withCommit(joined(licensed, billOf(join(root, 'console'))), PROGRAM_COMMIT)
}

function main([file, ...more]: readonly string[]): number {
  if (more.length > 0 || file?.startsWith('-') === true) {
    process.stderr.write(USAGE)
    return file === '--help' ? 0 : 2
  }
  const text = `${JSON.stringify(wholeBill(), null, 2)}\n`
  if (file === undefined) process.stdout.write(text)
  else writeFileSync(file, text)
  return 0
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main(process.argv.slice(2))
