/** Shares the tools of the scripts that make the committed builds of the console and the client. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, root } from './runtime.mjs'

/** The console's folder, whose packages both builds use: openapi-typescript reads an older compiler than the root's. */
export const consoleRoot = join(root, 'console')

/** Installs the console's packages unless they are there in exactly the versions that it names. */
export function installConsolePackages(): void {
  const { devDependencies } = JSON.parse(readFileSync(join(consoleRoot, 'package.json'), 'utf8'))
  const isInstalled = Object.entries(devDependencies).every(([name, version]) => {
    try {
      const manifest = readFileSync(join(consoleRoot, 'node_modules', name, 'package.json'), 'utf8')
      return JSON.parse(manifest).version === version
    } catch {
      return false
    }
  })
  if (!isInstalled) install(true, consoleRoot)
}

/**
 * Runs a tool of a package.
 * @param packages the folder `node_modules` that has it
 * @throws when the tool fails, after its output was written
 */
export function runTool(path: string, args: readonly string[], packages: string, cwd: string): void {
  try {
    execFileSync(process.execPath, [join(packages, path), ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    })
  } catch (error) {
    process.stderr.write((error as { stdout?: string }).stdout ?? '')
    throw error
  }
}

/** Returns the files that differ by a byte between two folders, or are in one of them alone. */
export function differences(fresh: string, built: string): string[] {
  const names = new Set([...filesIn(fresh), ...filesIn(built)])
  return [...names].filter((name) => contentOf(join(fresh, name)) !== contentOf(join(built, name))).sort()
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
