import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SETTINGS } from '../../src/config.ts'
import { MEMORY_NEEDED_MB } from './memory-needed.ts'
import { adapted, machineProgram } from './programs.ts'

const ANALYZE = machineProgram('systemd-analyze', 'systemd')
const FILE = 'deploy/systemd/knowledge.service'
const UNIT = readFileSync(FILE, 'utf8')
/** Most exposure, of 10; systemd itself calls 2 "OK". */
const EXPOSURE_MAX = 1.5

describe('the unit for systemd', { skip: ANALYZE.skip }, () => {
  test('is one that systemd understands, to the last line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-unit-'))
    const file = join(folder, 'knowledge.service')
    const [, clone] = /^WorkingDirectory=(.*)$/m.exec(UNIT)!
    writeFileSync(file, adapted(UNIT, [[`ExecStart=${clone}/`, `ExecStart=${process.cwd()}/`]]))
    const { status, stdout, stderr } = spawnSync(ANALYZE.path, ['verify', '--man=no', file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.deepEqual([status, stdout + stderr], [0, ''])
  })

  test('leaves the service little that it does not need', () => {
    const args = ['security', '--offline=true', '--no-pager', FILE]
    const { stdout, stderr } = spawnSync(ANALYZE.path, args, { encoding: 'utf8' })
    const exposure = Number(/Overall exposure level for knowledge\.service: ([\d.]+)/.exec(stdout)?.[1])
    assert.ok(exposure <= EXPOSURE_MAX, `${exposure}\n${stdout}${stderr}`)
  })

  test('sets what the program reads, and starts what is there', () => {
    const names = new Set<string>([...SETTINGS.map(({ name }) => name), 'NODE_COMPILE_CACHE'])
    for (const [, name] of UNIT.matchAll(/^Environment=(\w+)=/gm)) assert.ok(names.has(name), name)
    const [, program] = /^ExecStart=.* (bin\/\S+) serve$/m.exec(UNIT)!
    assert.ok(existsSync(program), program)
  })

  test('does not slow the service down while it builds the indexes that it may have', () => {
    const [, high] = /^MemoryHigh=(\d+)M$/m.exec(UNIT)!
    assert.ok(Number(high) >= MEMORY_NEEDED_MB, `${high} of ${MEMORY_NEEDED_MB} MB`)
  })
})
