import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { ReplicaHost } from '../../src/search/pgvector/replica-host.ts'
import { tableNames } from '../../src/platform/database/contents.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { type PgvectorServer, startPgvector, whyNoPgvector } from '../support/pgvector.ts'
import { ChangingSource } from '../support/search/changing-source.ts'
import { DEFINITION } from '../support/search/documents.ts'
import { TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const SETTINGS = '/api/knowledge/tenant-settings'

describe('a tenant that moves to pgvector and back', { skip: whyNoPgvector() }, () => {
  let server: PgvectorServer
  let service: TestService
  let category: string

  before(async () => {
    server = await startPgvector()
    const create: DatabaseKind['create'] = async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-test-'))
      return {
        options: { dataDir, databaseUrl: server.url },
        remove: async () => rmSync(dataDir, { recursive: true, force: true }),
      }
    }
    service = await TestService.start({ name: 'PostgreSQL', create, createMigrated: create })
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
  const choose = (engine: string) => service.call('PATCH', SETTINGS, { body: { search_engine: engine } })
  const readyReplicas = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from search_replicas.replicas where is_ready`.execute(service.database.queries)
    return rows[0].count
  }
  /** Searches until the condition holds; none of the searches may fail or miss. */
  const searchedUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
    for (;;) {
      assert.deepEqual((await titlesFor('lighthouse keeper', 'hybrid'))[0], 'Lighthouse keeper')
      if (await isDone()) return
      await pause(50)
    }
  }

  test('is searched all the while, and sees each write with the next search', async () => {
    for (const title of ['Lighthouse keeper', 'Harbour master', 'Ferry captain']) await write(title)
    assert.equal((await choose('pgvector')).status, 200)
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
    assert.equal((await choose('memory')).status, 200)
    await searchedUntil(async () => (await readyReplicas()) === 0)
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
    assert.equal(await readyReplicas(), 1)
    while ((await readyReplicas()) > 0) await pause(100)
  })
})
