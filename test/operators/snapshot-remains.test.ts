import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { removeTenantNow } from '../../src/composition/tenants/removal.ts'
import { OPERATOR } from '../../src/platform/audit/audit.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { SnapshotFiles, snapshotFolder } from '../../src/search/memory/index/snapshots/snapshot-files.ts'
import { startService } from '../../src/server.ts'
import { knowledge } from '../cli/program.ts'
import { bytesIn } from '../support/bytes-in.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'

const INDEX = 'knowledge'
/** Words that no other file has. */
const WORDS = { acme: 'vrongelpad', other: 'plombertux' } as const

onAnyDatabase('the search snapshots of a tenant that is removed while no service runs', (kind) => {
  let place: TestDatabase
  let database: Database
  let folder: string

  before(async () => {
    place = await kind.createMigrated()
    folder = snapshotFolder(place.options.dataDir)
    database = openDatabase(place.options)
    await migrate(database)
    for (const id of ['other', 'acme', 'globex']) await createTenant(database, { id, name: id, host: null })
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  /** Writes a snapshot that this program cannot read, so that only its name says whose it is. */
  const leave = (tenantId: string, word: string): Promise<number> =>
    new SnapshotFiles(folder, 1_000).write(tenantId, INDEX, (append) => append(Buffer.from(word)))
  const bytes = (): string => bytesIn(folder)

  test('are deleted by the command that removes it, and those of others stay', async () => {
    await leave('acme', WORDS.acme)
    await leave('other', WORDS.other)
    const { code, stderr } = await knowledge(place, ['tenant', 'delete', 'acme', '--yes'])
    assert.equal(code, 0, stderr)
    assert.equal(bytes(), WORDS.other)
  })

  test('are deleted at the next start where a crash left them, half written ones too', async () => {
    await removeTenantNow(database, 'globex', OPERATOR, {})
    await leave('globex', WORDS.acme)
    // As its writer left it when it was killed.
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(folder, `${name}.1-0.draft`))
    const service = await startService(testConfig(place))
    try {
      assert.deepEqual(new Set(bytes().split(' ')), new Set([WORDS.other]))
    } finally {
      await service.stop()
    }
  })
})
