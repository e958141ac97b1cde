import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { inTier } from '../support/tier.ts'
import { assertConsistent } from './consistency.ts'
import { assertFound } from './found.ts'
import { Ledger } from './ledger.ts'
import { ServiceProcess } from './service-process.ts'
import { ENTRIES, WriteStream } from './write-stream.ts'
import { until } from '../support/patience.ts'

const KILLS = inTier({ gate: 1, all: 3 })
const skip = DATABASES.every(({ name }) => name !== 'PostgreSQL')

let dataDir: string
let server: PostgresServer
let place: Pick<TestDatabase, 'options'>
let database: Database
let service: ServiceProcess

before(async () => {
  if (skip) return
  dataDir = mkdtempSync(join(tmpdir(), 'knowledge-postmaster-'))
  server = await startPostgres({ isDurable: true })
  place = { options: { dataDir, databaseUrl: server.url } }
  service = await ServiceProcess.start(place)
  database = openDatabase({ ...place.options, onError: () => undefined })
})
after(async () => {
  if (skip) return
  await service.kill()
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('kill -9 of PostgreSQL loses no acknowledged write, and the service survives', { skip }, async () => {
  const ledger = new Ledger()
  const { body } = await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
  for (let kill = 1; kill <= KILLS; kill++) {
    const stream = new WriteStream(service, ledger, body.id, `life-${kill}`)
    await stream.answered(30)
    server.crash()
    await stream.end()
    // Child processes answer until they notice the kill.
    await until(async () => {
      const { status, headers } = await service.call('GET', `${ENTRIES}?limit=1`)
      if (status === 503) assert.ok(Number(headers.get('retry-after')) >= 1)
      return status === 503
    }, 'the service says that its database is away')
    await startAgain()
    await until(async () => (await service.call('GET', `${ENTRIES}?limit=1`)).status === 200, 'the service reads again')
    const titles = await ledger.settle(database)
    await assertConsistent(database)
    await assertFound(service, database, titles, [stream.tag])
  }
  assert.ok(ledger.acknowledgedWrites >= KILLS * 30, `${ledger.acknowledgedWrites} writes are too few`)
  assert.equal((await service.stop()).code, 0, service.output)
})

/** Starts PostgreSQL again. It starts only once the children of the killed process have noticed. */
async function startAgain(): Promise<void> {
  await until(
    () =>
      server.resume().then(
        () => true,
        () => false,
      ),
    'PostgreSQL starts again',
  )
}
