import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { ReplicaHost } from '../../src/search/pgvector/replica-host.ts'
import { tableNames } from '../../src/platform/database/contents.ts'
import type { DatabaseKind } from '../support/databases.ts'
import type { Service } from '../../src/server.ts'
import { type PgvectorServer, startPgvector, whyNoPgvector } from '../support/pgvector.ts'
import { ChangingSource } from '../support/search/changing-source.ts'
import { DEFINITION } from '../support/search/documents.ts'
import { TestService } from '../support/service.ts'
import { until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

function databaseOn(server: PgvectorServer): DatabaseKind {
  const create: DatabaseKind['create'] = async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-test-'))
    return {
      options: { dataDir, databaseUrl: server.url },
      remove: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  }
  return { name: 'PostgreSQL', create, createMigrated: create }
}

async function countReady({ database }: TestService): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from search_replicas.replicas where is_ready`.execute(database.queries)
  return rows[0].count
}

/** Tells whether a replica has a document with this title. */
async function hasRow({ database }: TestService, title: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'search_replicas' and tablename like 'documents_%'
    `.execute(database.queries)
  for (const { name } of rows) {
    const table = sql.id('search_replicas', name)
    const found = await sql`select 1 from ${table} where sort_text = ${title.toLowerCase()}`.execute(database.queries)
    if (found.rows.length > 0) return true
  }
  return false
}

/** Makes the last search seem older, since the keeper leaves a replica that was searched within the last minutes. */
const letMinutesPass = ({ database }: TestService) =>
  sql`update search_replicas.replicas set searched_at = searched_at - interval '6 minutes'`.execute(database.queries)

describe('a tenant that moves to pgvector and back', { skip: whyNoPgvector() }, () => {
  let server: PgvectorServer
  let service: TestService
  let category: string

  before(async () => {
    server = await startPgvector()
    service = await TestService.start(databaseOn(server))
    category = await service.category()
  })
  after(async () => {
    await service?.stop()
    await server?.stop()
  })

  const write = (title: string, more: object = {}) =>
    service.call('POST', ENTRIES, { body: { title, content: `About ${title}.`, category_id: category, ...more } })
  const titlesFor = async (query: string, mode: string): Promise<string[]> => {
    const { status, body } = await service.call('POST', `${ENTRIES}/search`, { body: { query, mode, limit: 5 } })
    assert.equal(status, 200)
    return body.map(({ entry }: { entry: { title: string } }) => entry.title)
  }
  const choose = (searchEngine: string) => changeTenant(service.database, 'default', { settings: { searchEngine } })
  const readyReplicas = () => countReady(service)
  /** Searches until the condition holds. Fails if one of the searches fails or misses. */
  const searchedUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
    await until(async () => {
      assert.deepEqual((await titlesFor('lighthouse keeper', 'hybrid'))[0], 'Lighthouse keeper')
      return isDone()
    }, 'the engine is changed')
  }

  test('is searched all the while, and sees each write with the next search', async () => {
    for (const title of ['Lighthouse keeper', 'Harbour master', 'Ferry captain']) await write(title)
    await choose('pgvector')
    await searchedUntil(async () => (await readyReplicas()) === 1)
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      assert.deepEqual((await titlesFor('harbour master', mode))[0], 'Harbour master')
    }
    for (let n = 0; n < 5; n++) {
      const { body } = await write(`Buoy number zw${'abcde'[n]}k`)
      assert.deepEqual(await titlesFor(`zw${'abcde'[n]}k`, 'keyword'), [body.title])
      await service.call('DELETE', `${ENTRIES}/${body.id}`)
      assert.deepEqual(await titlesFor(`zw${'abcde'[n]}k`, 'keyword'), [])
    }
  })

  test('has its replica follow each write without a search', async () => {
    const isThere = (title: string): Promise<boolean> => hasRow(service, title)
    await write('Tugboat pilot')
    await until(() => isThere('Tugboat pilot'), 'the replica has what was written')
    const { body } = await service.call('GET', '/metrics')
    assert.match(body, /^search_index_behind 0$/m)
  })

  test('learns when a search ranked only a part of what it could find', async () => {
    const lines = Array.from({ length: 2_100 }, (_, n) =>
      JSON.stringify({
        title: `Ship ${n}`,
        content: n === 7 ? 'The only albatross.' : 'A ship.',
        category_id: category,
      }),
    )
    const { status } = await service.call('POST', `${ENTRIES}/bulk`, {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(status, 200)
    const exactness = async (query: string, mode: string): Promise<string | null> => {
      const { headers } = await service.call('POST', `${ENTRIES}/search`, { body: { query, mode, limit: 5 } })
      return headers.get('x-search-exact')
    }
    assert.equal(await exactness('albatross', 'keyword'), null)
    assert.equal(await exactness('albatross', 'hybrid'), 'false')
    assert.deepEqual((await titlesFor('albatross', 'hybrid'))[0], 'Ship 7')
    assert.deepEqual((await titlesFor('the only albatross', 'semantic'))[0], 'Ship 7')
  })

  test('is counted in its status, and its replica is none of the tables that are backed up', async () => {
    const { body } = await service.call('GET', '/api/knowledge/status')
    assert.ok(body.search.indexes >= 1)
    const names = await tableNames(service.database.queries)
    assert.deepEqual(
      names.filter((name) => name.includes('.')),
      [],
    )
  })

  test('goes back to memory, and its replica is dropped', async () => {
    await choose('memory')
    await searchedUntil(async () => {
      await letMinutesPass(service)
      return (await readyReplicas()) === 0
    })
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_tables where schemaname = 'search_replicas'`.execute(service.database.queries)
    assert.equal(rows[0].count, 1)
  })

  test('leaves nothing behind once it is gone', async () => {
    const source = new ChangingSource(DEFINITION)
    source.put('gone', {
      id: 'one',
      language: 'en',
      changedAt: 1,
      group: 'one',
      text: { title: ['lamp'] },
      keys: {},
      numbers: {},
      passages: [],
    })
    await new ReplicaHost(service.database, [source]).warm(source.versionOf('gone'))
    await until(async () => (await readyReplicas()) === 0, 'the replica is dropped')
  })
})

describe('a tenant that goes back to memory and does not fit into it', { skip: whyNoPgvector() }, () => {
  let server: PgvectorServer
  let service: TestService
  let category: string
  let roomy: Service | null = null

  before(async () => {
    server = await startPgvector()
    const tight = { SEARCH_MEMORY_PER_TENANT_MB: '1', SEARCH_SNAPSHOT_MB: '0' }
    service = await TestService.start(databaseOn(server), tight)
    category = await service.category()
    // More different words than 1 MB of index has room for.
    const text = (n: number): string => Array.from({ length: 100 }, (_, at) => wordOf(n * 100 + at)).join(' ')
    const lines = Array.from({ length: 1_000 }, (_, n) =>
      JSON.stringify({ title: `Logbook ${n}`, content: text(n), category_id: category }),
    )
    const { status } = await service.call('POST', `${ENTRIES}/bulk`, {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(status, 200)
    await choose('pgvector')
    await find('logbook')
    await until(async () => (await countReady(service)) === 1, 'the replica is built')
    await service.call('POST', ENTRIES, {
      body: { title: 'Lighthouse keeper', content: 'About lights.', category_id: category },
    })
  })
  after(async () => {
    await roomy?.stop()
    await service?.stop()
    await server?.stop()
  })

  const wordOf = (n: number): string => `zw${n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)])}k`
  const choose = (searchEngine: string) => changeTenant(service.database, 'default', { settings: { searchEngine } })
  const find = (query: string, base?: string) =>
    service.call('POST', `${ENTRIES}/search`, { body: { query, mode: 'keyword', limit: 3 } }, base)
  const assertFound = async (title: string, base?: string): Promise<void> => {
    const { status, body } = await find(title, base)
    assert.equal(status, 200)
    assert.equal(body[0].entry.title, title)
  }
  const leftOut = async (): Promise<number> => {
    const { body } = await service.call('GET', '/metrics')
    return Number(/^search_index_left_out (\d+)$/m.exec(body)![1])
  }

  test('is searched by pgvector all the while, also what it writes, and its replica stays', async () => {
    await choose('memory')
    // The keeper looks every ten seconds.
    for (const began = Date.now(); Date.now() - began < 22_000; await pause(250)) {
      await assertFound('Lighthouse keeper')
      await letMinutesPass(service)
    }
    assert.ok((await leftOut()) > 0, 'memory leaves documents out')
    await service.call('POST', ENTRIES, { body: { title: 'Foghorn', content: 'It is loud.', category_id: category } })
    await assertFound('Foghorn')
    assert.equal(await countReady(service), 1)
    assert.equal((await service.call('GET', '/api/knowledge/status')).body.search.refused, 0)
  })

  test('is searched by pgvector also after a restart of the service', async () => {
    await service.restart(async () => undefined)
    for (let i = 0; i < 3; i++) await assertFound('Foghorn')
  })

  test('is taken over by memory once there is room, and its replica goes', async () => {
    roomy = await service.sibling({ SEARCH_SNAPSHOT_MB: '0' })
    await until(async () => {
      await assertFound('Foghorn', roomy!.url)
      await letMinutesPass(service)
      return (await countReady(service)) === 0
    }, 'the replica goes')
    await assertFound('Foghorn', roomy.url)
  })
})
