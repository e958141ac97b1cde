/**
 * Builds the client for web pages and other programs: types from the service's OpenAPI document, then JavaScript and
 * declarations. The JavaScript is committed, so that a page can use it without these tools; the declarations are part of
 * the package that `npm pack` makes. With --check the script leaves `dist` as it is, and fails when a committed file
 * differs by a byte.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { differences, runTool } from './committed-build.ts'
import { writeClientTypes } from './generated-types.ts'
import { root } from './runtime.mjs'

const clientRoot = join(root, 'client')
const built = join(clientRoot, 'dist')

writeClientTypes()
const fresh = mkdtempSync(join(tmpdir(), 'knowledge-client-'))
try {
  runTool('typescript/bin/tsc', ['-p', clientRoot, '--outDir', fresh], join(root, 'node_modules'), clientRoot)
  // A module of types alone.
  rmSync(join(fresh, 'schema.js'))
  if (process.argv.includes('--check')) compare()
  else {
    rmSync(built, { recursive: true, force: true })
    cpSync(fresh, built, { recursive: true })
  }
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

function compare(): void {
  const stale = differences(fresh, built).filter((name) => !name.endsWith('.d.ts'))
  if (stale.length === 0) return
  process.stderr.write(`client/dist is stale: run npm run client\n${stale.map((name) => `  ${name}\n`).join('')}`)
  process.exitCode = 1
}
