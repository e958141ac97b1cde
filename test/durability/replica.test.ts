import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/patience.ts'
import { DATABASES, type DatabaseKind } from '../support/databases.ts'
import { Relay } from '../support/relay.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { type Answer, TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const isLeftOut = !DATABASES.some(({ name }) => name === 'PostgreSQL')

describe('A service with a streaming replica', { skip: isLeftOut && 'PostgreSQL is left out of this run' }, () => {
  let servers: ReplicatedPostgres
  let address: Relay
  let service: TestService
  let categoryId: string
  let written = 0

  const write = async (): Promise<Answer> => {
    const entry = { title: `Kormoran ${written}`, content: 'Ein Vogel', category_id: categoryId }
    const answer = await service.call('POST', ENTRIES, { body: entry })
    if (answer.status === 201) written++
    return answer
  }
  const countHits = async (base = service.service.url): Promise<number> => {
    const body = { query: 'kormoran', mode: 'keyword', limit: 100 }
    const answer = await service.call('POST', `${ENTRIES}/search`, { body }, base)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.length
  }
  /** Returns how many entries a process finds that has to read everything. */
  const foundAnew = async (): Promise<number> => {
    const other = await service.sibling(settings())
    try {
      return await countHits(other.url)
    } finally {
      await other.stop()
    }
  }
  const settings = () => ({
    DATABASE_REPLICA_URL: servers.standby.url,
    SECRET_KEY: 'x'.repeat(40),
    SEARCH_SNAPSHOT_MB: '0',
  })
  /** Returns how often the replica has read the table of entries. */
  const readsOfReplica = async (): Promise<number> => {
    const [{ reads }] = await servers.standby.query<{ reads: number }>(
      `select coalesce(sum(seq_scan + idx_scan), 0)::int as reads from pg_stat_user_tables where relname = 'entries'`,
    )
    return reads
  }

  before(async () => {
    servers = await startReplicatedPostgres()
    address = await Relay.to(servers.primary.url)
    const kind: DatabaseKind = {
      name: 'PostgreSQL',
      create: () => place(address.url),
      createMigrated: () => place(address.url),
    }
    service = await TestService.start(kind, settings())
    categoryId = await service.category()
  })
  after(async () => {
    await service.stop()
    address.close()
    await servers.stop()
  })

  test('indexes are read from the replica where it has everything', async () => {
    for (let i = 0; i < 20; i++) assert.equal((await write()).status, 201)
    await servers.caughtUp()
    const before = await readsOfReplica()
    assert.equal(await foundAnew(), 20)
    await until(async () => (await readsOfReplica()) > before, 'the replica was read')
  })

  test('a search right after a write finds it, while the replica is behind', async () => {
    await servers.standby.query('select pg_wal_replay_pause()')
    for (let i = 0; i < 10; i++) {
      assert.equal((await write()).status, 201)
      assert.equal(await countHits(), written)
    }
    assert.equal(await foundAnew(), written)
    await servers.standby.query('select pg_wal_replay_resume()')
    for (let i = 0; i < 10; i++) {
      assert.equal((await write()).status, 201)
      assert.equal(await countHits(), written)
    }
  })

  test('no request fails when the replica is lost, and the replica is used again once it is back', async () => {
    servers.standby.kill()
    for (let i = 0; i < 5; i++) {
      assert.equal((await write()).status, 201)
      assert.equal(await countHits(), written)
    }
    assert.equal(await foundAnew(), written)
    await servers.standby.start()
    await servers.caughtUp()
    const before = await readsOfReplica()
    assert.equal(await foundAnew(), written)
    await until(async () => (await readsOfReplica()) > before, 'the replica is read again')
  })

  test('a replica that becomes the primary is written and read, with every write that was answered', async () => {
    // Without this an answered write may be on the lost primary alone.
    await servers.primary.query(`alter system set synchronous_standby_names = '*'`)
    await servers.primary.query('select pg_reload_conf()')
    await until(
      async () =>
        (await servers.primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 1,
      'the replica is synchronous',
    )
    for (let i = 0; i < 5; i++) assert.equal((await write()).status, 201)
    servers.primary.kill()
    await servers.standby.query('select pg_promote()')
    address.lead(servers.standby.url)
    await until(async () => (await write()).status === 201, 'the new primary takes writes')
    assert.equal(await countHits(), written)
    for (let i = 0; i < 5; i++) {
      assert.equal((await write()).status, 201)
      assert.equal(await countHits(), written)
    }
    assert.equal(await foundAnew(), written)
  })
})

async function place(databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-replica-'))
  return {
    options: { dataDir, databaseUrl },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
