import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { inTier } from '../support/tier.ts'
import { byChance } from '../support/seed.ts'
import { connectionsGone } from './connections-gone.ts'
import { assertConsistent } from './consistency.ts'
import { Ledger } from './ledger.ts'
import { assertFound } from './found.ts'
import { ServiceProcess } from './service-process.ts'
import { WriteStream } from './write-stream.ts'

/**
 * Databases one after the other, and kills of a service over each. SQLite recovers its log within the process; PostgreSQL
 * is not affected. After each kill, everything that the database has is checked, so fifty kills over one would mostly
 * check again what earlier lives wrote.
 */
const TURNS = inTier({
  gate: { SQLite: { databases: 1, kills: 7 }, PostgreSQL: { databases: 1, kills: 3 } },
  all: { SQLite: { databases: 5, kills: 10 }, PostgreSQL: { databases: 1, kills: 10 } },
})
/** Most writes that a process answers before it is killed, while other writes run. */
const LIFE_WRITES_MAX = 24

onEachDatabase('kill -9 during a stream of writes', (kind) => {
  const { databases, kills } = TURNS[kind.name]
  let place: TestDatabase
  let database: Database
  let service: ServiceProcess

  beforeEach(async () => {
    place = await kind.createMigrated({ onDisk: true })
    database = openDatabase(place.options)
    service = await ServiceProcess.start(place)
  })
  afterEach(async () => {
    await service.kill()
    await database.close()
    await place.remove()
  })

  for (let turn = 1; turn <= databases; turn++) {
    test(`loses nothing acknowledged and leaves nothing half done, ${kills} times, database ${turn} of ${databases}`, async () => {
      await byChance(async (random) => {
        const ledger = new Ledger(random)
        const category = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
        for (let kill = 1; kill <= kills; kill++) {
          const stream = new WriteStream(service, ledger, category, `life-${kill}`)
          await stream.answered(1 + random() * LIFE_WRITES_MAX)
          await service.kill()
          await stream.end()
          await connectionsGone(database)
          service = await ServiceProcess.start(place)
          const titles = await ledger.settle(database)
          await assertConsistent(database)
          await assertFound(service, database, titles, [stream.tag])
        }
        const titles = await ledger.settle(database)
        const lives = Array.from({ length: kills }, (_, i) => `life-${i + 1}`)
        await assertFound(service, database, titles, lives)
        assert.ok(ledger.acknowledgedWrites > kills * 4, `${ledger.acknowledgedWrites} writes are too few`)
        assert.equal((await service.stop()).code, 0)
      }, turn)
    })
  }
})
