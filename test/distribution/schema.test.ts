import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { LOCAL_TABLES } from './placement.ts'

const GUIDE = 'docs/guides/citus.md'
const STATEMENTS = /```sql\n(select create_distributed_table[\s\S]*?)```/

for (const kind of DATABASES.filter(({ name }) => name === 'PostgreSQL')) {
  describe('the schema as Citus would distribute it', () => {
    let place: TestDatabase
    let database: Database

    before(async () => {
      place = await kind.createMigrated()
      database = openDatabase(place.options)
    })
    after(async () => {
      await database.close()
      await place.remove()
    })

    test('the guide distributes every table that is not local, referenced ones first', async () => {
      const statements = distributions(await tablesInOrder(database))
      const [, block] = STATEMENTS.exec(readFileSync(GUIDE, 'utf8')) ?? []
      assert.equal(block?.trim(), statements.join('\n'))
    })

    test('local tables exist', async () => {
      const { rows } = await sql<{ name: string }>`
        select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
        database.queries,
      )
      const missing = Object.keys(LOCAL_TABLES).filter((table) => !rows.some(({ name }) => name === table))
      assert.deepEqual(missing, [])
    })

    test('every table that is not local has the tenant, and every unique index begins with it', async () => {
      const { rows } = await sql<{ name: string; hasTenant: boolean; wrong: string[] }>`
        select t.relname as name, a.attnum is not null as "hasTenant",
          coalesce(array_agg(i.indexrelid::regclass::text) filter (where i.indkey[0] <> a.attnum), '{}') as wrong
        from pg_class t
          left join pg_attribute a on a.attrelid = t.oid and a.attname = 'tenant_id'
          left join pg_index i on i.indrelid = t.oid and i.indisunique
        where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' group by t.relname, a.attnum`.execute(
        database.queries,
      )
      const distributed = rows.filter(({ name }) => !(name in LOCAL_TABLES))
      assert.ok(distributed.length > 20, `${distributed.length} tables are too few`)
      assert.deepEqual(
        distributed.filter(({ hasTenant, wrong }) => !hasTenant || wrong.length > 0),
        [],
      )
    })

    test('the tenant has one type and one collation everywhere', async () => {
      const { rows } = await sql<{ kind: string }>`
        select distinct format_type(a.atttypid, a.atttypmod) || ' ' || coalesce(c.collname, '') || ' ' || a.attnotnull as kind
        from pg_attribute a join pg_class t on t.oid = a.attrelid left join pg_collation c on c.oid = a.attcollation
        where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and a.attname = 'tenant_id'`.execute(
        database.queries,
      )
      assert.equal(rows.length, 1, rows.map(({ kind }) => kind).join(', '))
    })

    test('a foreign key carries the tenant at the same place and never changes it', async () => {
      const { rows } = await sql<{ name: string; own: string; their: string; deletes: string; updates: string }>`
        select k.conname as name, o.attname as own, r.attname as their, k.confdeltype as deletes, k.confupdtype as updates
        from pg_constraint k
        join pg_attribute o on o.attrelid = k.conrelid and o.attnum = k.conkey[1]
        join pg_attribute r on r.attrelid = k.confrelid and r.attnum = k.confkey[1]
        where k.contype = 'f' and k.connamespace = 'public'::regnamespace`.execute(database.queries)
      assert.ok(rows.length > 5, `${rows.length} foreign keys are too few`)
      // `a` does nothing, `r` refuses, `c` deletes too; `n` and `d` would write into the tenant's column.
      const wrong = rows.filter(
        ({ own, their, deletes, updates }) =>
          own !== 'tenant_id' || their !== 'tenant_id' || !'arc'.includes(deletes) || !'ar'.includes(updates),
      )
      assert.deepEqual(wrong, [])
    })

    test('no column counts by itself, and nothing runs by a trigger, a rule or a view', async () => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i') and relname not like 'kysely%'
        union all select tgname from pg_trigger where not tgisinternal
        union all select proname from pg_proc where pronamespace = 'public'::regnamespace`.execute(database.queries)
      assert.deepEqual(rows, [])
    })
  })
}

/** Tables that are distributed, each after those that its foreign keys need, else by name. */
async function tablesInOrder({ queries }: Database): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(
    queries,
  )
  const { rows: keys } = await sql<{ own: string; needs: string }>`
    select o.relname as own, r.relname as needs from pg_constraint k
    join pg_class o on o.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conrelid <> k.confrelid order by 1, 2`.execute(
    queries,
  )
  const ordered = new Set<string>()
  const add = (name: string): void => {
    if (ordered.has(name)) return
    for (const { own, needs } of keys) if (own === name) add(needs)
    ordered.add(name)
  }
  add('tenants')
  for (const { name } of tables) if (!(name in LOCAL_TABLES)) add(name)
  return [...ordered]
}

function distributions([first, ...rest]: readonly string[]): string[] {
  return [
    `select create_distributed_table('${first}', 'tenant_id');`,
    ...rest.map((name) => `select create_distributed_table('${name}', 'tenant_id', colocate_with => '${first}');`),
  ]
}
