/**
 * Builds the administration console: types from the service's OpenAPI document, type check, bundle. The bundle is
 * committed, so that the service runs without these tools. With --check the script builds into a temporary folder, and
 * fails when the committed bundle differs by a byte.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consoleRoot, differences, runTool } from './committed-build.ts'
import { writeConsoleTypes } from './generated-types.ts'
import { root } from './runtime.mjs'

const built = join(consoleRoot, 'dist')
const isCheck = process.argv.includes('--check')

writeConsoleTypes()
const work = mkdtempSync(join(tmpdir(), 'knowledge-console-'))
try {
  tool('typescript/bin/tsc', ['-p', join(consoleRoot, 'tsconfig.json')], join(root, 'node_modules'))
  const target = isCheck ? join(work, 'dist') : built
  tool('vite/bin/vite.js', ['build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'])
  if (isCheck) compare(target)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function tool(path: string, args: readonly string[], packages = join(consoleRoot, 'node_modules')): void {
  runTool(path, args, packages, consoleRoot)
}

function compare(fresh: string): void {
  const stale = differences(fresh, built)
  if (stale.length === 0) return
  process.stderr.write(`console/dist is stale: run npm run console\n${stale.map((name) => `  ${name}\n`).join('')}`)
  process.exitCode = 1
}
