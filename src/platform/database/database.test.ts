import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { type Database, openDatabase } from './database.ts'
import { MigrationError, migrate } from './migrate.ts'
import { threadSlices } from '../threads/slices.ts'
import { keepPrepared } from './prepared.ts'
import { workFor } from '../hidden-parameters.ts'

onEachDatabase('the database', (kind) => {
  let place: TestDatabase
  let one: Database
  let other: Database

  before(async () => {
    place = await kind.create()
    one = openDatabase(place.options)
    other = openDatabase(place.options)
  })
  after(async () => {
    await one.close()
    await other.close()
    await place.remove()
  })

  test('two processes that migrate at once apply each step once', async () => {
    const applied = (await Promise.all([migrate(one), migrate(other)])).flat()
    const files = readdirSync(new URL('migrations', import.meta.url)).flatMap(
      (file) => /^(\d{4}-[a-z-]+)\.ts$/.exec(file)?.[1] ?? [],
    )
    assert.deepEqual(applied, files.sort())
    assert.deepEqual(await migrate(one), [])
  })

  test('a pausing transaction does not wait for all other work of its tenant', async () => {
    const over = new AbortController()
    let slices = 0
    const beside = Array.from({ length: 50 }, async () => {
      while (!over.signal.aborted) {
        await threadSlices.pause('tenant')
        slices++
        for (const since = performance.now(); performance.now() - since < 4;);
      }
    })
    const before: number[] = []
    await one.write(async (tx) => {
      for (let pauses = 0; pauses < 6; pauses++) {
        const start = slices
        await threadSlices.pauseHolding()
        before.push(slices - start)
        // Others go on while the database works, however long it takes.
        await sql`select 1`.execute(tx)
        for (const since = performance.now(); performance.now() - since < 4;);
      }
    }, 'tenant')
    over.abort()
    await Promise.all(beside)
    assert.ok(
      before.every((count) => count <= 2),
      `${before.join(', ')} slices went to other work before each of the transaction`,
    )
  })

  test('a tenant that wants every connection leaves some to others', async () => {
    const slow = kind.name === 'SQLite' ? sql`select 1` : sql`select pg_sleep(0.1)`
    let done = 0
    const much = Array.from({ length: 40 }, () =>
      workFor('much', async () => {
        await slow.execute(one.queries)
        done++
      }),
    )
    const before = await workFor('little', async () => {
      await sql`select 1`.execute(one.queries)
      return done
    })
    await Promise.all(much)
    // A new connection takes as long as a statement or two.
    assert.ok(kind.name === 'SQLite' || before <= 15, `${before} of 40 statements of another tenant came first`)
  })

  if (kind.name === 'PostgreSQL') {
    test('a statement uses only the processor of its connection', async () => {
      const { rows } = await sql<{ workers: string }>`
        select current_setting('max_parallel_workers_per_gather') as workers`.execute(one.queries)
      assert.deepEqual(rows, [{ workers: '0' }])
    })
  }

  test('every primary key and unique constraint begins with the tenant', async () => {
    const rows =
      kind.name === 'SQLite'
        ? await sql<{ name: string; column: string }>`
            select m.name || '.' || i.name as name, c.name as "column" from sqlite_master m
            join pragma_index_list(m.name) i on i."unique" = 1 join pragma_index_info(i.name) c on c.seqno = 0
            where m.type = 'table' and m.name not like 'kysely%'`.execute(one.queries)
        : await sql<{ name: string; column: string }>`
            select k.conname as name, a.attname as "column" from pg_constraint k
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
            where k.contype in ('p', 'u') and k.connamespace = 'public'::regnamespace and k.conname not like 'kysely%'`.execute(
            one.queries,
          )
    assert.ok(rows.rows.length >= 14, `${rows.rows.length} constraints`)
    assert.deepEqual(
      rows.rows.filter((row) => row.column !== 'tenant_id'),
      [],
    )
  })

  test('concurrent increments through two connections lose nothing', async () => {
    await one.write((tx) =>
      tx
        .insertInto('tenants')
        .values({
          tenant_id: 't',
          name: 'T',
          host: null,
          settings: '{}',
          embedding_model: null,
          watermark: 0,
          created_at: 0,
        })
        .execute(),
    )
    const bump = (database: Database) =>
      database.write(async (tx) => {
        const { watermark } = await tx
          .selectFrom('tenants')
          .select('watermark')
          .where('tenant_id', '=', 't')
          .$if(kind.name === 'PostgreSQL', (q) => q.forUpdate())
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('tenants')
          .set({ watermark: watermark + 1 })
          .where('tenant_id', '=', 't')
          .execute()
      })
    await Promise.all(Array.from({ length: 100 }, (_, i) => bump(i % 2 ? one : other)))
    const row = await other.queries
      .selectFrom('tenants')
      .select('watermark')
      .where('tenant_id', '=', 't')
      .executeTakeFirstOrThrow()
    assert.equal(row.watermark, 100)
  })

  test('a transaction that fails leaves nothing, and the next one runs', async () => {
    await assert.rejects(
      one.write(async (tx) => {
        await tx.updateTable('tenants').set({ name: 'half done' }).execute()
        throw new Error('stop')
      }),
      /stop/,
    )
    const row = await one.queries.selectFrom('tenants').select('name').executeTakeFirstOrThrow()
    assert.equal(row.name, 'T')
    await one.write((tx) => tx.updateTable('tenants').set({ name: 'done' }).execute())
  })

  test('where writers queue, a write waits for only one write of another tenant', async () => {
    if (kind.name !== 'SQLite') return
    const order: string[] = []
    const write = (tenantId: string) => one.write(async () => void order.push(tenantId), tenantId)
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const first = one.write(() => {
      begun.resolve()
      return gate.promise
    })
    await begun.promise
    const rest = ['a', 'a', 'a', 'a', 'b'].map(write)
    // Until all of them wait.
    await new Promise((resolve) => setImmediate(resolve))
    gate.resolve()
    await Promise.all([first, ...rest])
    assert.deepEqual(order, ['a', 'b', 'a', 'a', 'a'])
  })

  test('writes of one tenant that wait for each other leave connections to other tenants', async () => {
    if (kind.name !== 'PostgreSQL') return
    const rename = (database: Database, then: () => Promise<void>) =>
      database.write(async (tx) => {
        await tx.updateTable('tenants').set({ name: 'T' }).where('tenant_id', '=', 't').execute()
        await then()
      }, 't')
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const first = rename(other, () => {
      begun.resolve()
      return gate.promise
    })
    await begun.promise
    let ended = 0
    const rest = Array.from({ length: 30 }, () => rename(one, async () => void ended++))
    // As many concurrent reads as there are connections, and a write of another tenant.
    const read = () => one.queries.selectFrom('tenants').select('name').execute()
    try {
      await Promise.all(Array.from({ length: 10 }, read))
      assert.equal(await one.write(async () => 'written', 'u'), 'written')
      assert.equal(ended, 0)
    } finally {
      gate.resolve()
      await Promise.allSettled([first, ...rest])
    }
    assert.equal(ended, 30)
  })

  test('the change number changes with every commit of either connection, or is null', async () => {
    const name = (database: Database, value: string) =>
      database.write((tx) => tx.updateTable('tenants').set({ name: value }).execute())
    const seen = [one.changeNumber()]
    await one.queries.selectFrom('tenants').selectAll().execute()
    assert.equal(one.changeNumber(), seen[0])
    if (kind.name === 'PostgreSQL') return assert.equal(seen[0], null)
    for (const writer of [one, other, one]) {
      await name(writer, `after ${seen.length}`)
      seen.push(one.changeNumber())
    }
    assert.equal(new Set(seen).size, 4)
    assert.ok(!seen.includes(null))
  })

  test('a kept statement is prepared once per connection, and survives a change of its table', async () => {
    const single = openDatabase({ ...place.options, poolMax: 1 })
    const compiled = single.queries.selectFrom('tenants').select('name').where('tenant_id', '=', '').compile()
    keepPrepared(compiled)
    const nameOf = async (id: string): Promise<string | undefined> =>
      (await single.queries.executeQuery<{ name: string }>({ ...compiled, parameters: [id] })).rows[0]?.name
    const stored = await one.queries.selectFrom('tenants').select(['tenant_id', 'name']).executeTakeFirstOrThrow()
    assert.deepEqual([await nameOf(stored.tenant_id), await nameOf('nobody')], [stored.name, undefined])
    if (kind.name === 'PostgreSQL') {
      const { rows } = await sql`select statement from pg_prepared_statements`.execute(single.queries)
      assert.deepEqual(rows, [{ statement: compiled.sql }])
    }
    await sql`alter table tenants add column later text`.execute(one.queries)
    assert.equal(await nameOf(stored.tenant_id), stored.name)
    await sql`alter table tenants drop column later`.execute(one.queries)
    assert.equal(await nameOf(stored.tenant_id), stored.name)
    await single.close()
  })

  test('a database newer than the program is refused by name', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2099-01-01')`.execute(
      one.queries,
    )
    await assert.rejects(migrate(one), (error: unknown) => {
      assert.ok(error instanceof MigrationError)
      assert.match(error.message, /newer than this program.*9999-from-the-future/)
      return true
    })
  })
})
