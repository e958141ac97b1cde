import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '../..')
const COPIED = [
  'package.json',
  'knip.jsonc',
  'tsconfig.json',
  'src',
  'test',
  'bench',
  'scripts',
  'bin',
  'console',
  'client',
]

/** Returns the report of knip on unused parts of a folder; empty when it reports nothing. */
function unusedIn(cwd: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/knip/bin/knip.js')], {
    cwd,
    encoding: 'utf8',
  })
  assert.ok(status === 0 || status === 1, stderr)
  return stdout.trim()
}

test('no file, export or dependency is unused', () => {
  assert.equal(unusedIn(ROOT), '')
})

test('an export without uses is found', () => {
  const copy = mkdtempSync(join(tmpdir(), 'knowledge-tidy-'))
  try {
    for (const name of COPIED) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    appendFileSync(join(copy, 'src/platform/ids.ts'), '\nexport const planted = 1\n')
    assert.match(unusedIn(copy), /planted\s+src\/platform\/ids\.ts/)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
