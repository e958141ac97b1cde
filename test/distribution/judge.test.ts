import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { judgeRecorded } from './judge-recorded.ts'
import { faultsOf } from './judge.ts'
import { tenantPlaces } from './tenant-places.ts'

describe('the rules of distribution', () => {
  const KEPT: Readonly<Record<string, string>> = {
    'a row by its key': 'select "title" from "entries" where "tenant_id" = $1 and "id" = $2',
    'a join on the tenant':
      'select 1 from entries e left join entry_tags t on t.tenant_id = e.tenant_id and t.entry_id = e.id where e.tenant_id = $1',
    'a join that names the tenant twice, where both are the same':
      'select 1 from entries e join entry_tags t on t.entry_id = e.id and t.tenant_id = $1 where e.tenant_id = $2',
    'a subquery for each row, of the row’s tenant':
      'select (select count(*) from entry_tags t where t.tenant_id = e.tenant_id) from entries e where e.tenant_id = $1',
    'a missing row of the same tenant':
      'select 1 from entries e where e.tenant_id = $1 and not exists (select 1 from entry_tags t where t.tenant_id = e.tenant_id)',
    'a row that another of the same tenant exists for':
      'select 1 from entries e where exists (select 1 from entry_tags t where t.tenant_id = e.tenant_id and t.tenant_id = $1)',
    'a join of a missing row to another':
      'select 1 from entries e left join (entry_tags t join categories c on c.tenant_id = t.tenant_id) on t.tenant_id = e.tenant_id where e.tenant_id = $1',
    'keys that a subquery finds':
      'delete from entries where (tenant_id, id) in (select tenant_id, entry_id from entry_tags where tenant_id = $1)',
    'a subquery in the place of a table':
      'select k.id from (select tenant_id, id from entries where tenant_id = $1) as k join entry_tags t on t.tenant_id = k.tenant_id',
    'a queue of one tenant':
      'with due as (select item_id from embedding_jobs where tenant_id = $1 limit 3 for update skip locked) update embedding_jobs set attempts = 1 from due where tenant_id = $2 and embedding_jobs.item_id = due.item_id',
    'a tree':
      'with recursive up as (select tenant_id, parent_id from categories where tenant_id = $1 union all select c.tenant_id, c.parent_id from categories c join up on up.tenant_id = c.tenant_id and up.parent_id = c.id) select * from up',
    'rows with their tenant':
      'insert into "entries" ("id", "tenant_id") values ($3, $1), ($4, $2) on conflict ("tenant_id", "id") do update set "id" = excluded."id" where entries.id <> $5',
    'rows of a JSON parameter for one tenant':
      'insert into entries (tenant_id, id) select $1, id from json_to_recordset($2::json) as fields(id text) on conflict do nothing',
    'rows of another table':
      'insert into binned_entries (tenant_id, id) select tenant_id, id from entries where tenant_id = $1',
    'what belongs to no tenant': "select * from operators where tenant_id = '*'",
    'tables that stay on one node': 'select name from kysely_migration',
    'a statement without tables': 'select 1',
    'the catalogue, which every node has': 'select relname from pg_catalog.pg_class',
    'a transaction': 'begin; set local lock_timeout = 1',
  }
  for (const [what, sql] of Object.entries(KEPT)) {
    test(`${what} stays within a tenant`, () => assert.deepEqual(faultsOf(sql, [0, 0, 2, 3, 4]), []))
  }

  const BROKEN: Readonly<Record<string, readonly [sql: string, fault: string]>> = {
    'no tenant': ['select title from entries where id = $1', 'entries without the tenant'],
    'a tenant in one of two cases': [
      'delete from entries where tenant_id = $1 or id = $2',
      'entries without the tenant',
    ],
    'several tenants': ['select 1 from entries where tenant_id = any($1)', 'entries without the tenant'],
    'every tenant but one': ['select 1 from entries where tenant_id <> $1', 'entries without the tenant'],
    'a join on the id alone': [
      'select 1 from entries e join entry_tags t on t.entry_id = e.id where e.tenant_id = $1',
      'entry_tags without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'a join of two tenants': [
      'select 1 from entries e join entry_tags t on t.tenant_id = $2 where e.tenant_id = $1',
      'entries beside entry_tags of tenants that may differ',
    ],
    'a subquery for each row, by the id alone': [
      'select (select count(*) from entry_tags t where t.entry_id = e.id) from entries e where e.tenant_id = $1',
      'entry_tags without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'a tenant that only a subquery for each row names': [
      'select (select count(*) from entry_tags t where t.tenant_id = e.tenant_id and t.tenant_id = $1) from entries e',
      'entries without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'a tenant that only a missing row would have': [
      'select 1 from entries e where not exists (select 1 from entry_tags t where t.tenant_id = e.tenant_id and t.tenant_id = $1)',
      'entries without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'a tenant that only one of two cases names': [
      'delete from entries e where e.id = $2 or exists (select 1 from entry_tags t where t.tenant_id = e.tenant_id and t.tenant_id = $1)',
      'entries without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'a tenant that only the condition of an outer join names': [
      'select 1 from entries e left join entry_tags t on t.tenant_id = e.tenant_id and t.tenant_id = $1',
      'entries without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'a tenant that only a subquery in the place of a missing row names': [
      'select 1 from entries e left join lateral (select 1 from entry_tags t where t.tenant_id = e.tenant_id and t.tenant_id = $1) as x on true',
      'entries without the tenant; entries beside entry_tags of tenants that may differ',
    ],
    'tenants that a subquery excludes': [
      'select 1 from entries where tenant_id not in (select tenant_id from tenants where suspended_at is null)',
      'entries, tenants without the tenant; entries beside tenants of tenants that may differ',
    ],
    'a union of two tenants': [
      'select id from entries where tenant_id = $1 union all select id from products where tenant_id = $2',
      'entries beside products of tenants that may differ',
    ],
    'rows of two tenants': [
      'insert into entries (tenant_id, id) values ($1, $3), ($2, $4)',
      'rows of tenants that may differ',
    ],
    'rows without a tenant': ['insert into entries (id) values ($1)', 'entries without the tenant'],
    'rows whose tenant only their JSON knows': [
      'insert into entries (tenant_id, id) select tenant_id, id from json_to_recordset($1::json) as fields(tenant_id text, id text)',
      'entries without the tenant',
    ],
    'a conflict without the tenant': [
      'insert into entries (tenant_id, id) values ($1, $2) on conflict (id) do nothing',
      'looks for conflicts without the tenant',
    ],
    'another tenant for a row': [
      'update entries set tenant_id = $2 where tenant_id = $1',
      'gives a row another tenant',
    ],
    'the time of the server in an upsert': [
      'insert into entries (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set id = now()',
      'now in a write, whose answer changes',
    ],
    'chance in a write': [
      'update entries set id = gen_random_uuid() where tenant_id = $1',
      'gen_random_uuid in a write, whose answer changes',
    ],
    'a subquery among values': [
      'insert into entries (tenant_id, id) values ($1, (select max(id) from entries where tenant_id = $1))',
      'inserts the answer of a subquery',
    ],
    'an advisory lock': ['select pg_advisory_xact_lock($1)', 'pg_advisory_xact_lock, which acts on one node'],
    'a number of a sequence': ["select nextval('numbers')", 'nextval, which acts on one node'],
    'a table of one node beside others': [
      'select 1 from entries, kysely_migration where tenant_id = $1',
      'kysely_migration is local, entries not',
    ],
    'a table emptied': ['truncate entries', 'TruncateStmt is no statement of a request'],
  }
  for (const [what, [sql, fault]] of Object.entries(BROKEN)) {
    test(`${what} breaks a rule`, () =>
      assert.equal(
        faultsOf(sql)
          .map(({ text }) => text)
          .join('; '),
        fault,
      ))
  }
})

describe('the parameters that are tenants', () => {
  test('are those compared with the column, and those inserted into it', () => {
    assert.deepEqual(tenantPlaces('select 1 from "a" where "a"."tenant_id" = $2 and "id" = $1'), [1])
    assert.deepEqual(tenantPlaces('insert into "a" ("id", "tenant_id") values ($1, $2), ($3, $4)'), [1, 3])
    assert.deepEqual(tenantPlaces('insert into "a" ("id") values ($1)'), [])
  })
})

describe('what a run of the tests has noted', () => {
  test('names the function and the test of each statement that breaks a rule, once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-notes-'))
    try {
      const by = (origin: string, sql: string, same: readonly number[] | null = [0]) =>
        JSON.stringify({ kind: 'statement', origin, sql, same, test: 'a story' })
      const lines = [
        by('src/a-store.ts find', 'select 1 from entries where id in ($1)'),
        by('src/a-store.ts find', 'select 1 from entries where id in ($1, $2)', [0, 1]),
        by(
          'src/a-store.ts twice',
          'select 1 from entries e, products p where e.tenant_id = $1 and p.tenant_id = $2',
          [0, 0],
        ),
        by('src/composition/opening/prepare-database.ts prepareDatabase', 'truncate entries'),
        JSON.stringify({
          kind: 'tenants',
          origins: ['src/b-store.ts one', 'src/b-store.ts two'],
          sql: ['1', '2'],
          test: '',
        }),
      ]
      writeFileSync(join(folder, '1-0.jsonl'), `${lines.join('\n')}\n`)
      const { statements, offences } = judgeRecorded(folder)
      assert.equal(statements, 3)
      assert.deepEqual(offences, [
        'entries without the tenant: src/a-store.ts find\n    select 1 from entries where id in ($1)\n    in the test "a story"',
        'a transaction names two tenants: src/b-store.ts one, then src/b-store.ts two\n    1\n    2',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
