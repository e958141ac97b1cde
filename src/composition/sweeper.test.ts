import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { startSweeper } from './sweeper.ts'
import { HANG_MS } from '../../test/support/patience.ts'

test('closing the sweeper waits for a running sweep, which writes nothing more', { timeout: HANG_MS }, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-sweeper-'))
  const opened = openDatabase({ dataDir, databaseUrl: null })
  await migrate(opened)
  const [beginning, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let running = 0
  let writes = 0
  const slow: Database = new Proxy(opened, {
    get(target, name) {
      if (name !== 'write') return Reflect.get(target, name, target) as unknown
      return async (...args: Parameters<Database['write']>) => {
        running++
        writes++
        beginning.resolve()
        await hold.promise
        await target.write(...args)
        running--
      }
    },
  })
  const failures: unknown[] = []
  t.mock.timers.enable({ apis: ['setInterval'] })
  const sweeper = startSweeper(slow, (error) => failures.push(error), 5)
  t.mock.timers.tick(5)
  await beginning.promise
  const closed = sweeper.close()
  hold.resolve()
  await closed
  assert.equal(running, 0)
  await opened.close()
  t.mock.timers.tick(30)
  await new Promise(setImmediate)
  assert.deepEqual([writes, failures], [1, []])
  rmSync(dataDir, { recursive: true, force: true })
})
