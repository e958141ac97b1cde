import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eraseUser, finishErasures } from '../../src/composition/erase-user.ts'
import { createSources } from '../../src/composition/search-sources.ts'
import { startErasedReplicas } from '../../src/composition/tenants/erased-replicas.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import type { PgvectorEngine } from '../../src/search/pgvector/engine.ts'
import { ReplicaHost } from '../../src/search/pgvector/replica-host.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { type PgvectorServer, startPgvector, whyNoPgvector } from '../support/pgvector.ts'
import { TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const NEVER = (error: unknown) => assert.fail(error as Error)

describe('a person who is erased from a tenant that pgvector searches', { skip: whyNoPgvector() }, () => {
  let server: PgvectorServer
  let service: TestService | null = null
  let database: Database
  let sources: Awaited<ReturnType<typeof createSources>>
  let userId: string

  /** Returns the number of documents of replicas that have a word. */
  const countOf = async (word: string): Promise<number> => {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'search_replicas' and tablename like 'documents_%'
      `.execute(database.queries)
    let sum = 0
    for (const { name } of tables) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from search_replicas.${sql.id(name)}
        where sort_text ilike ${`%${word}%`} or terms::text ilike ${`%${word}%`}`.execute(database.queries)
      sum += rows[0].count
    }
    return sum
  }
  const keptBy = async (
    engine: Pick<PgvectorEngine, 'warm'>,
    onError: (error: unknown) => void = NEVER,
  ): Promise<void> => {
    const replicas = startErasedReplicas(database, engine, onError)
    await replicas.keep()
    await replicas.close()
  }
  const numbersOfRows = async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'search_replicas' and tablename like 'documents_%'
      `.execute(database.queries)
    const read = rows.map(({ name }) =>
      sql<{ id: string; number: number }>`select id, number from search_replicas.${sql.id(name)}`.execute(
        database.queries,
      ),
    )
    return new Map((await Promise.all(read)).flatMap((each) => each.rows.map(({ id, number }) => [id, number])))
  }

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
    const category = await service.category()
    const ann = await service.user({ email: 'ann@example.com', role: 'editor' })
    userId = ann.userId
    const note = { title: 'Zanzibar diary', content: 'Only mine.', category_id: category }
    const written = await service.call('POST', `${ENTRIES}/personal`, { body: note, key: ann.key })
    assert.equal(written.status, 201)
    const entry = { title: 'Lighthouse keeper', content: 'For all.', category_id: category }
    assert.equal((await service.call('POST', ENTRIES, { body: entry })).status, 201)
    await changeTenant(service.database, 'default', { settings: { searchEngine: 'pgvector' } })
    await service.stop()
    service = null
    database = openDatabase({ dataDir: '', databaseUrl: server.url })
    sources = await createSources({ dataDir: '', databaseUrl: server.url })
    const { rows } = await sql<{ tenantId: string; model: string | null; watermark: number }>`
      select tenant_id as "tenantId", embedding_model as model, watermark from tenants where tenant_id = 'default'
      `.execute(database.queries)
    await new ReplicaHost(database, sources.sources).warm({ ...rows[0], index: sources.sources[0].definition.name })
  })
  after(async () => {
    await service?.stop()
    await sources?.close()
    await database?.close()
    await server?.stop()
  })

  test('leaves no words in a replica, even when no search runs and the first process that cleans it ends', async () => {
    assert.equal(await countOf('zanzibar'), 1)
    await keptBy({ warm: () => assert.fail('nobody was erased yet') })
    await eraseUser(database, 'default', userId)
    assert.equal(await countOf('zanzibar'), 1)
    const failures: unknown[] = []
    await keptBy({ warm: () => Promise.reject(new Error('the process ends')) }, (error) => void failures.push(error))
    assert.equal(failures.length, 1)
    const rows = await numbersOfRows()
    await keptBy(new ReplicaHost(database, sources.sources))
    assert.equal(await countOf('zanzibar'), 0)
    const left = await numbersOfRows()
    assert.ok(left.size > 0)
    // The replica was brought up to date, not built anew.
    for (const [id, number] of left) assert.equal(rows.get(id), number)
  })

  test('has the replica checked once more when the erasure is complete, and then never again', async () => {
    let warmed = 0
    const host = new ReplicaHost(database, sources.sources)
    const counting: Pick<PgvectorEngine, 'warm'> = {
      warm: (version) => {
        warmed++
        return host.warm(version)
      },
    }
    await keptBy(counting)
    assert.equal(warmed, 0)
    await finishErasures(database, Date.now() + 3_600_000)
    await keptBy(counting)
    await keptBy(counting)
    assert.equal(warmed, 1)
  })
})
