import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../../test/support/databases.ts'
import { assertPlans, watched } from '../../../../test/support/plans.ts'
import { inTier } from '../../../../test/support/tier.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { maySee, type OrderedVisibility } from '../../../platform/access/visibility.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import type { ListPosition } from '../../../platform/database/walk.ts'
import { DEFAULT_SETTINGS } from '../../../identity/tenants/settings.ts'
import { brokenReferences } from '../writes/consistency-store.ts'
import { guardOf } from '../entry.ts'
import { countEntries, type EntryFilters, listEntries } from './list-store.ts'
import { insertEntry, removeEntries, replaceEntry } from '../store.ts'

/** More than two steps of a walk, on both databases. */
const COUNT = 12_000
const NOW = 1_000_000
const TAGS = ['rare', 'some', 'many', 'all']
const LEVELS = ['public', 'internal', 'restricted', 'personal']

/** Many entries share a time, ids have another order than times, and rare ones are far from the beginning. */
const ROWS: EntryRow[] = Array.from({ length: COUNT }, (_, i) => ({
  tenant_id: 't',
  id: `e-${String((i * 7_919) % COUNT).padStart(6, '0')}`,
  type: i % 7 === 0 ? 'memory' : 'knowledge',
  title: 'T',
  content: 'C',
  summary: null,
  category_id: i % 50 === 0 ? 'small' : 'large',
  visibility: i < 20 ? 'public' : LEVELS[1 + (i % 3)],
  layer: i % 4_000 === 1 ? 'deep' : null,
  language: i % 2 === 0 ? 'de' : 'en',
  tags: JSON.stringify(TAGS.filter((_tag, place) => i % [3_000, 100, 3, 1][place] === 0)),
  search_keywords: '[]',
  metadata: '{}',
  related_themes: null,
  translation_group_id: `g-${i % 2_000}`,
  workspace_id: null,
  source: 'manual',
  source_reference: null,
  url: null,
  created_by_user_id: i % 2 === 0 ? 'ada' : null,
  version: 1,
  embedding_model: null,
  expires_at: i % 14 === 0 ? NOW - 1 : null,
  created_at: Math.floor(i / 40),
  updated_at: 0,
  seq: i,
  text_seq: i,
  prompts_others: 1,
  prompt_author_id: null,
}))
const IN_PROJECT = { few: (i: number) => i % 60 === 0, most: (i: number) => i % 3 !== 0 }

type ProjectId = keyof typeof IN_PROJECT

function callerWith(ceiling: OrderedVisibility, userId: string | null): Caller {
  return {
    tenant: { id: 't', settings: DEFAULT_SETTINGS },
    userId,
    scopes: new Set(['knowledge:personal']),
    ceiling,
    workspaceIds: [],
  } as unknown as Caller
}

/** The expected list, found by checking every entry. */
function expected(caller: Caller, filters: EntryFilters): string[] {
  const { tags = [], notExpiredAt } = filters
  return ROWS.filter(
    (row, i) =>
      maySee(caller, guardOf(row)) &&
      (filters.categoryId ?? row.category_id) === row.category_id &&
      (filters.translationGroupId ?? row.translation_group_id) === row.translation_group_id &&
      (filters.type ?? row.type) === row.type &&
      (filters.layer ?? row.layer) === row.layer &&
      (filters.language ?? row.language) === row.language &&
      (filters.visibility ?? row.visibility) === row.visibility &&
      (tags.length === 0 || tags.some((tag) => (JSON.parse(row.tags) as string[]).includes(tag))) &&
      (filters.projectId === undefined || (IN_PROJECT[filters.projectId as ProjectId]?.(i) ?? false)) &&
      (notExpiredAt === null || row.expires_at === null || row.expires_at > notExpiredAt),
  )
    .sort((one, other) => other.created_at - one.created_at || (one.id < other.id ? 1 : -1))
    .map((row) => row.id)
}

onEachDatabase('lists of entries', (kind) => {
  let place: TestDatabase
  let database: Database

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
    const named = { tenant_id: 't', description: null, created_at: 0, updated_at: 0 }
    await database.write(async (tx) => {
      const tenant = { tenant_id: 't', name: 'T', host: null, settings: '{}', embedding_model: null }
      await tx
        .insertInto('tenants')
        .values({ ...tenant, watermark: COUNT, created_at: 0 })
        .execute()
      const user = { tenant_id: 't', id: 'ada', email: 'ada', name: 'Ada', role: 'reader' }
      await tx
        .insertInto('users')
        .values({ ...user, disabled_at: null, created_at: 0 })
        .execute()
      for (const id of ['small', 'large']) {
        const category = { ...named, id, name: id, parent_id: null, sort_order: 0 }
        await tx.insertInto('categories').values(category).execute()
      }
      for (const id of Object.keys(IN_PROJECT)) {
        await tx
          .insertInto('projects')
          .values({ ...named, id, name: id })
          .execute()
      }
    })
    for (let at = 0; at < COUNT; at += 1_000) {
      await database.write(async (tx) => {
        for (const row of ROWS.slice(at, at + 1_000)) await insertEntry(tx, database.portable, row)
      })
    }
    for (const [id, isIn] of Object.entries(IN_PROJECT)) {
      const members = ROWS.filter((_row, i) => isIn(i)).map((row) => ({
        tenant_id: 't',
        project_id: id,
        entry_id: row.id,
      }))
      for (let at = 0; at < members.length; at += 1_000) {
        await database.queries
          .insertInto('project_entries')
          .values(members.slice(at, at + 1_000))
          .execute()
      }
    }
    if (kind.name === 'PostgreSQL') await sql`analyze`.execute(database.queries)
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  const filters = fc.record(
    {
      categoryId: fc.constantFrom('small', 'large', 'none'),
      type: fc.constantFrom('memory', 'knowledge'),
      layer: fc.constantFrom('deep', 'none'),
      language: fc.constantFrom('de', 'en'),
      visibility: fc.constantFrom('public', 'personal'),
      projectId: fc.constantFrom('few', 'most', 'none'),
      tags: fc.subarray([...TAGS, 'nobody’s', 'quote"']),
      notExpiredAt: fc.constantFrom(null, NOW),
    },
    { requiredKeys: ['notExpiredAt'] },
  )
  const callers = fc.record({
    ceiling: fc.constantFrom<OrderedVisibility>('public', 'internal', 'restricted'),
    userId: fc.constantFrom(null, 'ada'),
  })

  test('the pages have every entry that passes the filters and the caller may see, once and in order; the total agrees', async () => {
    await fc.assert(
      fc.asyncProperty(callers, filters, async ({ ceiling, userId }, named) => {
        const caller = callerWith(ceiling, userId)
        const expectedIds = expected(caller, named)
        const walked: string[] = []
        let position: ListPosition | null = null
        const limit = Math.max(1, Math.ceil(expectedIds.length / 3))
        do {
          const page: Awaited<ReturnType<typeof listEntries>> = await listEntries(database, caller, named, {
            limit,
            after: position,
          })
          walked.push(...page.rows.map((row) => row.id))
          position = page.next
        } while (position !== null)
        assert.deepEqual(walked, expectedIds)
        assert.equal(await countEntries(database, caller, named), expectedIds.length)
      }),
      { numRuns: inTier({ gate: 12, all: 40 }) },
    )
  })

  test('the pages of translations are complete and in order, too', async () => {
    const caller = callerWith('restricted', 'ada')
    const named = { translationGroupId: 'g-5', notExpiredAt: null }
    const page = await listEntries(database, caller, named, { limit: 1_000, after: null })
    assert.deepEqual(
      page.rows.map((row) => row.id),
      expected(caller, named),
    )
  })

  const middle = { createdAt: 200, id: 'e-005000' }
  const none = { layer: 'none', notExpiredAt: NOW }
  /** Filters, and the index that lists and totals with them use. */
  const PLANS: readonly (readonly [string, EntryFilters, string])[] = [
    ['everything', none, 'entries_newest'],
    ['a type', { ...none, type: 'memory' }, 'entries_newest'],
    ['a source', { ...none, source: 'import' }, 'entries_newest'],
    // For a category that has most entries, PostgreSQL walks along all entries, which is no more work.
    ['a category', { ...none, categoryId: 'small' }, 'entries_by_category'],
    ['a translation group', { ...none, translationGroupId: 'g-5' }, 'entries_by_group'],
    ['a tag', { ...none, tags: ['all'] }, 'entry_tags_pk'],
    ['several tags', { ...none, tags: [...TAGS] }, 'entry_tags_pk'],
    ['a large project', { ...none, projectId: 'most' }, 'entries_newest'],
  ]

  for (const [what, named, index] of PLANS) {
    test(`lists and totals by ${what} walk along an index in list order, from the place they have reached`, async () => {
      const watch = watched(database)
      await listEntries(watch.database, callerWith('internal', null), named, { limit: 10, after: middle })
      const listed = watch.statements.splice(0)
      await countEntries(watch.database, callerWith('internal', null), named)
      // Leave out the statement that finds out whether a project has few entries.
      const walks = listed.filter(
        ({ text }) => !/"entry_id" from "project_entries"|in \(\s*select g\.entry_id/.test(text),
      )
      // The first step of a total has no place to start from. The later ones do.
      const totals = watch.statements.filter(({ text }) => text.includes('count(*)')).slice(1)
      const key =
        index === 'entry_tags_pk'
          ? '\\(?(?:k\\.)?created_at,\\s*(?:k\\.)?entry_id\\)?'
          : '\\(?(?:e\\.)?created_at,\\s*(?:e\\.)?id\\)?'
      const sqliteIndex = index === 'entry_tags_pk' ? 'PRIMARY KEY' : `INDEX ${index}`
      await assertPlans(database, [...walks, ...totals], {
        sqlite: new RegExp(`SEARCH \\w+ USING (?:COVERING )?${sqliteIndex} \\(tenant_id=\\?.* AND ${key}[<>]`),
        postgres: new RegExp(`(?:using|on) ${index}\\b[^\\n]*\\n\\s*Index Cond: [^\\n]*ROW\\(created_at`),
      })
    })
  }

  test('no statement of a list or a total reads more rows than a step has', async () => {
    for (const [what, named] of PLANS) {
      const watch = watched(database)
      await listEntries(watch.database, callerWith('restricted', 'ada'), named, { limit: 1_000, after: null })
      await countEntries(watch.database, callerWith('restricted', 'ada'), named)
      const isSmall = named.translationGroupId !== undefined || named.categoryId !== undefined
      const steps = isSmall ? 1 : COUNT / 5_000
      const offsets = watch.statements.filter(({ text }) => /offset/.test(text))
      assert.ok(offsets.length >= steps, `${what}: ${offsets.length}`)
      for (const { parameters } of offsets) {
        const offset = parameters.findLast((value) => typeof value === 'number') as number
        assert.ok(offset < 5_000, `${what}: ${offset}`)
      }
    }
  })

  test("the tag table follows every change of an entry's tags, and the doctor finds tags that do not match", async () => {
    const { portable, queries } = database
    const tagged = async (): Promise<string[]> => {
      const rows = await queries
        .selectFrom('entry_tags')
        .select('tag')
        .where('entry_id', '=', 'x')
        .orderBy('tag')
        .execute()
      return rows.map((row) => row.tag)
    }
    const row = { ...ROWS[0], id: 'x', seq: 0, tags: '["one","two"]' }
    await database.write((tx) => insertEntry(tx, portable, row))
    assert.deepEqual(await tagged(), ['one', 'two'])
    const changed = { ...row, tags: '["three \\"quoted\\"","two"]' }
    await database.write((tx) => replaceEntry(tx, portable, row, changed))
    assert.deepEqual(await tagged(), ['three "quoted"', 'two'])
    assert.deepEqual(await brokenReferences(database), [])
    await queries.updateTable('entries').set({ tags: '["four","two"]' }).where('id', '=', 'x').execute()
    assert.deepEqual(
      (await brokenReferences(database)).map(({ what, count }) => [what, count]),
      [
        ['tags of entries that lists do not find', 1],
        ['tags that lists find although their entry does not have them', 1],
      ],
    )
    await queries.updateTable('entries').set({ tags: changed.tags }).where('id', '=', 'x').execute()
    await database.write((tx) => removeEntries(tx, portable, 't', ['x'], 0))
    assert.deepEqual(await tagged(), [])
    assert.deepEqual(await brokenReferences(database), [])
  })
})
