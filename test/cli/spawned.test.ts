import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../../src/channels/cli/commands.ts'
import { DATABASES } from '../support/databases.ts'
import { inTier } from '../support/tier.ts'
import { folderOf, spawned } from './program.ts'

interface Call {
  readonly args: readonly string[]
  readonly input?: string
  readonly code?: number
  readonly stdout?: RegExp
  readonly stderr?: RegExp
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Returns one call of each command, in an order in which each finds what it needs. `serve` has no end of its own: every
 * test of `test/durability` runs it.
 */
function callsIn(folder: string, isEmbedded: boolean): readonly Call[] {
  const input = '{"title":"One","content":"first","category":"A"}\n'
  const backup = join(folder, 'backup')
  return [
    { args: ['migrate'], stderr: /^Applied 0001-/ },
    { args: ['user', 'create', 'ann@example.com'], stdout: /^User ann@example\.com / },
    { args: ['tenant', 'create', 'acme'], stdout: /^Tenant acme was created/ },
    { args: ['key', 'issue', '-q', '--name', 'ci', '--role', 'reader'], stdout: /^ks_\w{40}\n$/ },
    { args: ['operator', 'issue', '-q', '--name', 'night shift'], stdout: /^\w+\n$/ },
    { args: ['import', '-'], input, stdout: /^1 created/ },
    { args: ['import-products', '-', '--format', 'jsonl'], input: '{"id":"1","title":"T"}\n', stdout: /^1 created/ },
    { args: ['export'], stdout: /"title":"One"/ },
    { args: ['audit', 'list'], stdout: /^TIME / },
    { args: ['learn'], stdout: /^default: 0 queries have boosts\n$/ },
    { args: ['reindex'], stdout: /^default: everything has vectors/ },
    { args: ['secret', 'status'], stdout: /^/ },
    { args: ['doctor'], env: { PORT: '0' }, stdout: /^ok +settings +understood\n/ },
    { args: ['copy', '--to', join(folder, 'copy')], stderr: / copied and counted$/m },
    // Those of PostgreSQL need its programs: `test/backup/postgres.test.ts` runs them.
    ...(isEmbedded
      ? [
          { args: ['backup', backup], stdout: /\/backup\n$/ },
          { args: ['restore', backup], env: { DATA_DIR: join(folder, 'restored') }, stderr: / restored to / },
        ]
      : []),
  ]
}

for (const { name, create } of inTier({ gate: DATABASES.slice(0, 1), all: DATABASES })) {
  test(`each command ends as a program on ${name}, with its exit code and nothing left that keeps it`, async (t) => {
    const place = await create()
    t.after(place.remove)
    const isEmbedded = place.options.databaseUrl === null
    const calls = callsIn(folderOf(t, {}), isEmbedded)
    if (isEmbedded) {
      const called = new Set([...calls.map(({ args }) => args[0]), 'serve'])
      assert.deepEqual(called, new Set(Object.keys(COMMANDS)))
    }
    for (const { args, code = 0, stdout = /^/, stderr = /^/, ...surroundings } of calls) {
      const done = await spawned(place, args, surroundings)
      assert.equal(done.code, code, `${args.join(' ')}: ${done.stderr}`)
      assert.match(done.stdout, stdout)
      assert.match(done.stderr, stderr)
    }
  })
}
