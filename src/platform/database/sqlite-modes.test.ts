import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from './database.ts'
import { databaseFile } from './sqlite-file.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test(
  'files of the embedded database are readable by their owner only',
  { skip: process.platform === 'win32' },
  async (t) => {
    const place = mkdtempSync(join(tmpdir(), 'modes-'))
    const umask = process.umask(0)
    t.after(() => {
      process.umask(umask)
      rmSync(place, { recursive: true, force: true })
    })

    /** Returns the modes of the files while the database is open and written to. */
    const modesOf = async (dataDir: string) => {
      const database = openDatabase({ dataDir, databaseUrl: null })
      await database.write((tx) => sql`create table if not exists t (a integer)`.execute(tx))
      const modes = Object.fromEntries(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name))]))
      await database.close()
      return modes
    }

    await t.test('the directory, the file, its log and its index', async () => {
      const dataDir = join(place, 'above', 'data')
      const modes = await modesOf(dataDir)
      assert.deepEqual(modes, { 'knowledge.db': '600', 'knowledge.db-shm': '600', 'knowledge.db-wal': '600' })
      assert.deepEqual([modeOf(dataDir), modeOf(join(place, 'above'))], ['700', '700'])
    })

    await t.test('existing files keep their modes', async () => {
      const dataDir = join(place, 'existing')
      mkdirSync(dataDir)
      chmodSync(dataDir, 0o750)
      writeFileSync(databaseFile(dataDir), '', { mode: 0o640 })
      assert.equal((await modesOf(dataDir))['knowledge.db'], '640')
      assert.equal(modeOf(dataDir), '750')
    })
  },
)
