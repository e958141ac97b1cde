/**
 * Builds the administration console: types from the service's OpenAPI document, type check, bundle. The bundle is
 * committed, so that the service runs without these tools. With --check it goes to a temporary folder, and the script
 * fails when the committed one differs by a byte.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentOf } from '../src/server.ts'
import { install, root } from './runtime.mjs'

const house = join(root, 'console')
const built = join(house, 'dist')
const isCheck = process.argv.includes('--check')

if (!isInstalled()) install(true, house)
const work = mkdtempSync(join(tmpdir(), 'knowledge-console-'))
try {
  writeTypes()
  tool('typescript/bin/tsc', ['-p', join(house, 'tsconfig.json')], join(root, 'node_modules'))
  const target = isCheck ? join(work, 'dist') : built
  tool('vite/bin/vite.js', ['build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'])
  if (isCheck) compare(target)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Whether exactly the packages that the console names are there. */
function isInstalled(): boolean {
  const { devDependencies } = JSON.parse(readFileSync(join(house, 'package.json'), 'utf8'))
  return Object.entries(devDependencies).every(([name, version]) => {
    try {
      const manifest = readFileSync(join(house, 'node_modules', name, 'package.json'), 'utf8')
      return JSON.parse(manifest).version === version
    } catch {
      return false
    }
  })
}

/** The types of the HTTP interface, as the console's client reads them. Not committed: the contracts are. */
function writeTypes(): void {
  const document = join(work, 'openapi.json')
  writeFileSync(document, JSON.stringify(documentOf()))
  tool('openapi-typescript/bin/cli.js', [document, '--output', join(house, 'src/api/schema.d.ts')])
}

function tool(path: string, args: readonly string[], packages = join(house, 'node_modules')): void {
  try {
    execFileSync(process.execPath, [join(packages, path), ...args], {
      cwd: house,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    })
  } catch (error) {
    process.stderr.write((error as { stdout?: string }).stdout ?? '')
    rmSync(work, { recursive: true, force: true })
    process.exit(1)
  }
}

function compare(fresh: string): void {
  const names = new Set([...filesIn(fresh), ...filesIn(built)])
  const stale = [...names].filter((name) => contentOf(join(fresh, name)) !== contentOf(join(built, name))).sort()
  if (stale.length === 0) return
  process.stderr.write(`console/dist is stale: run npm run console\n${stale.map((name) => `  ${name}\n`).join('')}`)
  process.exitCode = 1
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}
