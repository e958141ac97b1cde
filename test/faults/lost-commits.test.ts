import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { withCertainCommits } from '../../src/platform/database/certain-commits.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { faultOf } from '../../src/platform/storage-faults.ts'
import { CuttingProxy } from '../support/cutting-proxy.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { TestService } from '../support/service.ts'
import { until } from '../support/patience.ts'

const UNKNOWN = 'Storage was lost while it stored this, which may be done: read before you try again'
const kind = DATABASES.find(({ name }) => name === 'PostgreSQL')
const skip = kind === undefined && 'PostgreSQL is left out of this run'

const insert = (database: Database, word: string): Promise<string> =>
  database.write(async (tx) => {
    await sql`insert into words values (${word})`.execute(tx)
    return word
  })

const words = async ({ queries }: Database): Promise<string[]> => {
  const { rows } = await sql<{ word: string }>`select word from words order by word`.execute(queries)
  return rows.map(({ word }) => word)
}

describe('a connection that is lost during COMMIT', { skip }, () => {
  let place: TestDatabase
  let proxy: CuttingProxy
  let direct: Database

  before(async () => {
    place = await kind!.create()
    direct = openDatabase(place.options)
    await sql`create table words (word text not null)`.execute(direct.queries)
  })
  beforeEach(async () => {
    await sql`truncate words`.execute(direct.queries)
    proxy = await CuttingProxy.start(place.options.databaseUrl!)
  })
  afterEach(() => proxy.stop())
  after(async () => {
    await direct.close()
    await place.remove()
  })

  for (const pooling of ['session', 'transaction']) {
    describe(`with pooling=${pooling}`, () => {
      let database: Database
      beforeEach(() => {
        database = openDatabase({ dataDir: '', databaseUrl: `${proxy.url}?pooling=${pooling}`, poolMax: 3 })
      })
      afterEach(() => database.close())

      test('after the server has committed is no failure, and the pool goes on without it', async () => {
        proxy.next = 'after'
        assert.equal(await insert(database, 'kept'), 'kept')
        assert.deepEqual(await words(direct), ['kept'])
        assert.equal(await insert(database, 'next'), 'next')
        assert.deepEqual(await words(database), ['kept', 'next'])
      })

      test('before the server has read it is a failure that changed nothing', async () => {
        proxy.next = 'before'
        await assert.rejects(insert(database, 'lost'), (error) => {
          const fault = faultOf(error)
          assert.deepEqual([fault?.kind, fault?.details[0].msg], ['unavailable', 'Storage is not available, try again'])
          return true
        })
        assert.deepEqual(await words(direct), [])
        assert.equal(await insert(database, 'next'), 'next')
      })
    })
  }

  test('while the server goes on waiting for the COMMIT changes nothing, because the server soon ends the transaction', async () => {
    const database = openDatabase({ dataDir: '', databaseUrl: proxy.url, poolMax: 3 })
    proxy.next = 'held'
    await assert.rejects(insert(database, 'held'), (error) => {
      assert.equal(faultOf(error)?.details[0].msg, 'Storage is not available, try again')
      return true
    })
    assert.deepEqual(await words(direct), [])
    await database.close()
  })

  test('whose outcome no other connection can tell is a failure that says so', async () => {
    const database = openDatabase({ dataDir: '', databaseUrl: proxy.url, poolMax: 3 })
    const isUnknown = (error: unknown): boolean => {
      const fault = faultOf(error)
      assert.deepEqual(fault?.details, [{ loc: [], msg: UNKNOWN, type: 'outcome_unknown' }])
      assert.deepEqual([fault.kind, fault.retryAfterSeconds], ['unavailable', 1])
      return true
    }
    proxy.next = 'after'
    proxy.closesWithCut = true
    await assert.rejects(insert(database, 'kept'), isUnknown)
    assert.deepEqual(await words(direct), ['kept'])
    await database.close()
  })

  test('between pooler and server, which the pooler reports, is closed here too, and the pool opens another one', async () => {
    const pool = new pg.Pool({ connectionString: proxy.url, max: 1 })
    pool.on('connect', (client) => withCertainCommits(client, () => Promise.resolve('aborted')))
    proxy.next = 'told'
    const first = await pool.connect()
    await first.query('begin')
    await first.query("insert into words values ('lost')")
    await assert.rejects(first.query('commit'), /server connection lost/)
    await assert.rejects(first.query('rollback'), /server connection lost/)
    first.release()
    const second = await pool.connect()
    await second.query('begin')
    await assert.rejects(second.query('insert into words values (null)'), /null value in column "word"/)
    await second.query('rollback')
    second.release()
    await pool.end()
    assert.deepEqual(await words(direct), [])
  })

  test('answers a request as if nothing had happened, and the entry is there once', async (t) => {
    const service = await TestService.start({
      ...kind!,
      createMigrated: async () => {
        const own = await kind!.createMigrated()
        const between = await CuttingProxy.start(own.options.databaseUrl!)
        t.after(() => between.stop())
        cuts.push(between)
        return { ...own, options: { ...own.options, databaseUrl: between.url } }
      },
    })
    t.after(() => service.stop())
    const category_id = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
    cuts[0].next = 'after'
    const path = '/api/knowledge/knowledge-entries'
    const creation = await service.call('POST', path, { body: { title: 'Kept', content: 'once', category_id } })
    assert.equal(creation.status, 201)
    const { body } = await service.call('GET', path)
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      [creation.body.id],
    )
  })
  const cuts: CuttingProxy[] = []
})

describe('a PostgreSQL that crashes before it has committed', { skip }, () => {
  let server: PostgresServer
  let proxy: CuttingProxy
  let direct: Database

  before(async () => {
    server = await startPostgres()
    proxy = await CuttingProxy.start(server.url)
    direct = openDatabase({ dataDir: '', databaseUrl: server.url })
    await sql`create table words (word text not null)`.execute(direct.queries)
    // What is written must not reach the disk by itself, or the server would remember the number.
    await sql`alter system set wal_writer_delay = '10s'`.execute(direct.queries)
    await sql`select pg_reload_conf()`.execute(direct.queries)
    await sql`checkpoint`.execute(direct.queries)
  })
  after(async () => {
    await direct.close()
    await proxy.stop()
    await server.stop()
  })

  test('and then gives the number of the lost transaction to another one does not make the first one look stored', async () => {
    const database = openDatabase({ dataDir: '', databaseUrl: proxy.url, poolMax: 3 })
    const lostNumber = Promise.withResolvers<bigint>()
    const numbered = (to: Database, word: string, then?: (number: bigint) => void): Promise<bigint> =>
      to.write(async (tx) => {
        await sql`insert into words values (${word})`.execute(tx)
        const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)
        const number = BigInt(rows[0].id)
        then?.(number)
        return number
      })
    const failing = assert.rejects(
      numbered(database, 'lost', (number) => {
        proxy.next = 'held'
        // No process may ask before the number is given again.
        proxy.closesWithCut = true
        lostNumber.resolve(number)
      }),
      (error) => faultOf(error)?.details[0].type === 'outcome_unknown',
    )
    const lost = await lostNumber.promise
    await until(() => proxy.next === null, 'the commit is held')
    server.crash()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await server.resume()
    const again = openDatabase({ dataDir: '', databaseUrl: server.url })
    let number = 0n
    while (number < lost) number = await numbered(again, 'another')
    assert.equal(number, lost)
    proxy.isClosed = false
    await failing
    assert.ok((await words(again)).every((word) => word === 'another'))
    await again.close()
    await database.close()
  })
})
