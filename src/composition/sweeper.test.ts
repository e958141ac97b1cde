import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { startSweeper } from './sweeper.ts'
import { HANG_MS } from '../../test/support/patience.ts'

test('closing the sweeper waits for a running sweep, which writes nothing more', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-sweeper-'))
  const opened = openDatabase({ dataDir, databaseUrl: null })
  await migrate(opened)
  const begun = Promise.withResolvers<void>()
  let running = 0
  let writes = 0
  const slow: Database = new Proxy(opened, {
    get(target, name) {
      if (name !== 'write') return Reflect.get(target, name, target) as unknown
      return async (...args: Parameters<Database['write']>) => {
        running++
        writes++
        begun.resolve()
        await new Promise((resolve) => setTimeout(resolve, 50))
        await target.write(...args)
        running--
      }
    },
  })
  const failures: unknown[] = []
  const sweeper = startSweeper(slow, (error) => failures.push(error), 5)
  // The sweeper's own timer does not keep the process alive.
  const alive = setTimeout(assert.fail, HANG_MS)
  await begun.promise
  await sweeper.close()
  assert.equal(running, 0)
  await opened.close()
  await new Promise((resolve) => setTimeout(resolve, 30))
  clearTimeout(alive)
  assert.deepEqual([writes, failures], [1, []])
  rmSync(dataDir, { recursive: true, force: true })
})
