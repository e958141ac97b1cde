import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { connectionsGone } from './connections-gone.ts'
import { assertConsistent } from './consistency.ts'
import { Ledger } from './ledger.ts'
import { assertFound } from './found.ts'
import { ServiceProcess } from './service-process.ts'
import { WriteStream } from './write-stream.ts'

/** Number of kills per database. SQLite recovers its log within the process; PostgreSQL is not affected. */
const KILLS = { SQLite: 50, PostgreSQL: 10 }
/** Most writes that a process answers before it is killed, while other writes run. */
const LIFE_WRITES_MAX = 24

onEachDatabase('kill -9 during a stream of writes', (kind) => {
  let place: TestDatabase
  let database: Database
  let service: ServiceProcess

  before(async () => {
    place = await kind.createMigrated()
    database = openDatabase(place.options)
    service = await ServiceProcess.start(place)
    await service.stop()
    service = await ServiceProcess.start(place)
  })
  after(async () => {
    await service.kill()
    await database.close()
    await place.remove()
  })

  test(`loses nothing acknowledged and leaves nothing half done, ${KILLS[kind.name]} times`, async () => {
    const ledger = new Ledger()
    const category = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
    for (let kill = 1; kill <= KILLS[kind.name]; kill++) {
      const stream = new WriteStream(service, ledger, category, `life-${kill}`)
      await stream.answered(1 + Math.random() * LIFE_WRITES_MAX)
      await service.kill()
      await stream.end()
      await connectionsGone(database)
      service = await ServiceProcess.start(place)
      const titles = await ledger.settle(database)
      await assertConsistent(database)
      await assertFound(service, database, titles, [stream.tag])
    }
    const titles = await ledger.settle(database)
    const lives = Array.from({ length: KILLS[kind.name] }, (_, i) => `life-${i + 1}`)
    await assertFound(service, database, titles, lives)
    assert.ok(ledger.acknowledgedWrites > KILLS[kind.name] * 4, `${ledger.acknowledgedWrites} writes are too few`)
    assert.equal((await service.stop()).code, 0)
  })
})
