/**
 * Builds the administration console: types from the service's OpenAPI document, type check, bundle. The bundle is
 * committed, so that the service runs without these tools. With --check the script builds into a temporary folder, and
 * fails when the committed bundle differs by a byte.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentOf } from '../src/server.ts'
import { install, root } from './runtime.mjs'

const consoleRoot = join(root, 'console')
const built = join(consoleRoot, 'dist')
const isCheck = process.argv.includes('--check')

if (!isInstalled()) install(true, consoleRoot)
const work = mkdtempSync(join(tmpdir(), 'knowledge-console-'))
try {
  writeTypes()
  tool('typescript/bin/tsc', ['-p', join(consoleRoot, 'tsconfig.json')], join(root, 'node_modules'))
  const target = isCheck ? join(work, 'dist') : built
  tool('vite/bin/vite.js', ['build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'])
  if (isCheck) compare(target)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Whether the console's packages are installed in exactly the versions that it names. */
function isInstalled(): boolean {
  const { devDependencies } = JSON.parse(readFileSync(join(consoleRoot, 'package.json'), 'utf8'))
  return Object.entries(devDependencies).every(([name, version]) => {
    try {
      const manifest = readFileSync(join(consoleRoot, 'node_modules', name, 'package.json'), 'utf8')
      return JSON.parse(manifest).version === version
    } catch {
      return false
    }
  })
}

/** Writes the types of the HTTP interface for the console's client. They are not committed; the contracts are. */
function writeTypes(): void {
  const document = join(work, 'openapi.json')
  writeFileSync(document, JSON.stringify(documentOf()))
  tool('openapi-typescript/bin/cli.js', [document, '--output', join(consoleRoot, 'src/api/schema.d.ts')])
}

function tool(path: string, args: readonly string[], packages = join(consoleRoot, 'node_modules')): void {
  try {
    execFileSync(process.execPath, [join(packages, path), ...args], {
      cwd: consoleRoot,
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
