import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { changeTenant } from '../../identity/tenants/rules.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { ReplicaHost } from '../../search/pgvector/replica-host.ts'
import { ReplicaUse } from '../../search/engines/replica-use.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { createTenant } from '../new-tenant.ts'
import { ReplicaKeeper } from './replica-keeper.ts'

const ENTRIES: typeof DEFINITION = { ...DEFINITION, name: 'entries' }
const PRODUCTS: typeof DEFINITION = { ...DEFINITION, name: 'products' }

describe('the keeper of replicas', { skip: whyNoPgvector() }, () => {
  let database: Database

  withPgvector(async (opened) => {
    database = opened
    await migrate(database)
  })

  const entries = new ChangingSource(ENTRIES)
  const products = new ChangingSource(PRODUCTS)
  const build = (source: ChangingSource, tenantId: string, model?: string | null): Promise<void> =>
    new ReplicaHost(database, [entries, products]).warm(source.versionOf(tenantId, model))
  const choose = (tenantId: string, searchEngine: 'memory' | 'pgvector') =>
    changeTenant(database, tenantId, { settings: { searchEngine } })
  const tenant = async (id: string, searchEngine: 'memory' | 'pgvector' = 'pgvector'): Promise<void> => {
    await createTenant(database, { id, name: id, host: null })
    await choose(id, searchEngine)
  }
  const indexesOf = async (tenantId: string): Promise<string[]> => {
    const { rows } = await sql<{ index: string }>`
      select index_name as index from search_replicas.replicas where tenant_id = ${tenantId} order by 1
      `.execute(database.queries)
    return rows.map(({ index }) => index)
  }
  const letMinutesPass = () =>
    sql`update search_replicas.replicas set searched_at = searched_at - interval '6 minutes'`.execute(database.queries)
  /** Makes the parts that each process has beside the database. */
  const processOf = () => {
    const use = new ReplicaUse()
    const relieved: string[] = []
    const followed: string[] = []
    const memory = { drop: async (tenantId: string) => void relieved.push(tenantId) }
    const keeper = new ReplicaKeeper(database, memory, use, (tenantId) => void followed.push(tenantId))
    return { use, relieved, followed, keeper }
  }

  test('finds nothing to do where no tenant was ever searched by pgvector', async () => {
    const { keeper, use } = processOf()
    await keeper.look()
    assert.equal(use.hasAny(), false)
  })

  test('gives back memory once all replicas of a tenant are whole, once, and again after another was built', async () => {
    const { keeper, relieved, use } = processOf()
    await tenant('moving')
    await build(entries, 'moving')
    await sql`
      insert into search_replicas.replicas (tenant_id, index_name, model, format) values ('moving', 'products', '', 1)
      `.execute(database.queries)
    await keeper.look()
    assert.deepEqual(relieved, [])
    assert.equal(use.hasReplica({ tenantId: 'moving', index: 'entries' }), true)
    assert.equal(use.hasReplica({ tenantId: 'moving', index: 'products' }), false)
    await sql`delete from search_replicas.replicas where index_name = 'products'`.execute(database.queries)
    await keeper.look()
    await keeper.look()
    assert.deepEqual(relieved, ['moving'])
    await build(products, 'moving')
    await keeper.look()
    await keeper.look()
    assert.deepEqual(relieved, ['moving', 'moving'])
  })

  test('has whole replicas that are behind follow what another process wrote', async () => {
    const { keeper, followed } = processOf()
    const isFollowed = async (): Promise<boolean> => {
      await keeper.look()
      return followed.splice(0).includes('written')
    }
    await tenant('written')
    entries.put('written', {
      id: 'one',
      language: 'en',
      changedAt: 1,
      group: 'one',
      text: {},
      keys: {},
      numbers: {},
      passages: [],
    })
    // The keeper follows replicas of the tenant's own model alone, and this tenant has none yet.
    await build(entries, 'written', null)
    const write = () =>
      sql`update tenants set watermark = watermark + 1_000 where tenant_id = 'written'`.execute(database.queries)
    assert.equal(await isFollowed(), false)
    await write()
    assert.equal(await isFollowed(), true)
    await choose('written', 'memory')
    assert.equal(await isFollowed(), false)
  })

  test('drops a replica only after memory has answered for its index, and not for another one', async () => {
    const { keeper, use } = processOf()
    await tenant('leaving')
    await build(entries, 'leaving')
    await build(products, 'leaving')
    await choose('leaving', 'memory')
    for (let i = 0; i < 3; i++) await keeper.look()
    assert.deepEqual(await indexesOf('leaving'), ['entries', 'products'])
    use.noteMemory({ tenantId: 'leaving', index: 'entries' })
    await keeper.look()
    assert.deepEqual(await indexesOf('leaving'), ['products'])
    assert.equal(use.hasReplica({ tenantId: 'leaving', index: 'products' }), true)
  })

  test('leaves a replica that another process still searches', async () => {
    const large = processOf()
    const small = processOf()
    const place = { tenantId: 'shared', index: 'entries' }
    await tenant('shared')
    await build(entries, 'shared')
    await choose('shared', 'memory')
    small.use.noteReplica(place)
    await small.keeper.look()
    await large.keeper.look()
    large.use.noteMemory(place)
    await large.keeper.look()
    assert.deepEqual(await indexesOf('shared'), ['entries'])
    await letMinutesPass()
    small.use.noteReplica(place)
    await small.keeper.look()
    await large.keeper.look()
    assert.deepEqual(await indexesOf('shared'), ['entries'])
    await letMinutesPass()
    await large.keeper.look()
    assert.deepEqual(await indexesOf('shared'), [])
    await small.keeper.look()
    assert.equal(small.use.hasReplica(place), false)
  })

  test('drops at once replicas that no request could search: those of a tenant that is gone, and one left unfinished', async () => {
    const { keeper } = processOf()
    await build(entries, 'gone')
    await tenant('changed', 'memory')
    await build(entries, 'changed')
    await sql`update search_replicas.replicas set is_ready = false where tenant_id = 'changed'`.execute(
      database.queries,
    )
    await keeper.look()
    assert.deepEqual([await indexesOf('gone'), await indexesOf('changed')], [[], []])
  })

  test('drops of a former model what is unfinished, and what is there for the model of the tenant', async () => {
    const { keeper, relieved } = processOf()
    const buildFor = (source: ChangingSource, model: string | null): Promise<void> => build(source, 'former', model)
    const replicasOf = async (): Promise<string[]> => {
      const { rows } = await sql<{ replica: string }>`
        select index_name || ' ' || model as replica from search_replicas.replicas where tenant_id = 'former' order by 1
        `.execute(database.queries)
      return rows.map(({ replica }) => replica)
    }
    await tenant('former')
    await buildFor(entries, 'one')
    await buildFor(products, 'one')
    await sql`
      update search_replicas.replicas set is_ready = false where tenant_id = 'former' and index_name = 'products'
      `.execute(database.queries)
    await keeper.look()
    // The replica of the former model answers by words until that of the new model is complete. Then it is dropped.
    assert.deepEqual(await replicasOf(), ['entries one'])
    await buildFor(entries, null)
    await sql`
      insert into search_replicas.replicas select tenant_id, index_name, 'one', format, reached, is_ready
      from search_replicas.replicas where tenant_id = 'former'`.execute(database.queries)
    await keeper.look()
    assert.deepEqual(await replicasOf(), ['entries '])
    assert.deepEqual(
      relieved.filter((tenantId) => tenantId === 'former'),
      ['former', 'former'],
    )
  })

  test('does not wait for a replica that another process changes, and drops it later', async () => {
    const { keeper } = processOf()
    await tenant('locked')
    await build(entries, 'locked')
    await sql`update search_replicas.replicas set is_ready = false where tenant_id = 'locked'`.execute(database.queries)
    await choose('locked', 'memory')
    await database.queries.transaction().execute(async (tx) => {
      // The state while its indexes are made.
      await sql`select 1 from search_replicas.replicas where tenant_id = 'locked' for update`.execute(tx)
      await keeper.look()
    })
    assert.deepEqual(await indexesOf('locked'), ['entries'])
    await keeper.look()
    assert.deepEqual(await indexesOf('locked'), [])
  })

  test('knows what an earlier version of the program has built', async () => {
    const { keeper, use } = processOf()
    await tenant('early')
    await build(entries, 'early')
    await sql`alter table search_replicas.replicas drop column searched_at`.execute(database.queries)
    await keeper.look()
    assert.equal(use.hasReplica({ tenantId: 'early', index: 'entries' }), true)
    await build(entries, 'early')
    use.noteReplica({ tenantId: 'early', index: 'entries' })
    await keeper.look()
    const { rows } = await sql<{ isNoted: boolean }>`
      select searched_at is not null as "isNoted" from search_replicas.replicas where tenant_id = 'early'
      `.execute(database.queries)
    assert.deepEqual(rows, [{ isNoted: true }])
  })
})
