import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { inTier } from '../../../test/support/tier.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import { maySee, ORDERED_VISIBILITIES, VISIBILITIES, type Visibility } from '../../platform/access/visibility.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { EntryRow, EntryVersionRow } from '../../platform/database/tables.ts'
import type { ListPosition } from '../../platform/database/walk.ts'
import type { Filter } from '../../search/engine.ts'
import { visibleFilter } from '../../search/request/visible-filter.ts'
import { DEFAULT_SETTINGS } from '../../identity/tenants/settings.ts'
import { copyToBin, findBinned, listBinned } from './bin/bin-store.ts'
import { guardOf } from './entry.ts'
import { listEntries } from './lists/list-store.ts'
import { insertEntry, insertVersion } from './store.ts'
import {
  filterVisible,
  findHeadBySourceReference,
  findSnapshot,
  findVisibleEntry,
  findVisibleHead,
  listVersions,
} from './visibility/visible-store.ts'

type Page = Awaited<ReturnType<typeof listEntries>>

const USERS = ['ada', 'bob'] as const
const WORKSPACES = ['north', 'south'] as const

/** One entry for every combination of level, owner and workspace. */
const ROWS: EntryRow[] = VISIBILITIES.flatMap((visibility) =>
  [null, ...USERS].flatMap((owner) =>
    [null, ...WORKSPACES].map((workspace) =>
      entryRow(`${visibility}-${owner}-${workspace}`, visibility, owner, workspace),
    ),
  ),
)

/** Earlier versions of the first entry, one for every level and workspace. */
const VERSIONS: EntryVersionRow[] = VISIBILITIES.flatMap((visibility) =>
  [null, ...WORKSPACES].map((workspace) => ({ visibility, workspace_id: workspace })),
).map((guard, i) => ({
  ...guard,
  tenant_id: 't',
  entry_id: ROWS[0].id,
  version: i + 1,
  title: `${i}`,
  snapshot: `{"title":"${i}"}`,
  updated_at: 0,
}))

const callers = fc.record({
  ceiling: fc.constantFrom(...ORDERED_VISIBILITIES),
  userId: fc.constantFrom(null, ...USERS),
  personal: fc.boolean(),
  workspaces: fc.boolean(),
  workspaceIds: fc.subarray([...WORKSPACES]),
})

onEachDatabase('what a caller sees', (kind) => {
  let place: TestDatabase
  let database: Database

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
    await database.write(async (tx) => {
      await tx
        .insertInto('tenants')
        .values({
          tenant_id: 't',
          name: 't',
          host: null,
          settings: '{}',
          embedding_model: null,
          watermark: 0,
          created_at: 0,
        })
        .execute()
      const named = { tenant_id: 't', description: null, created_at: 0, updated_at: 0 }
      await tx
        .insertInto('categories')
        .values({ ...named, id: 'c', name: 'c', parent_id: null, sort_order: 0 })
        .execute()
      for (const id of WORKSPACES)
        await tx
          .insertInto('workspaces')
          .values({ ...named, id, name: id })
          .execute()
      for (const id of USERS) {
        await tx
          .insertInto('users')
          .values({ tenant_id: 't', id, email: id, name: id, role: 'reader', disabled_at: null, created_at: 0 })
          .execute()
      }
      for (const row of ROWS) await insertEntry(tx, database.portable, row)
      for (const row of VERSIONS) await insertVersion(tx, row)
    })
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  test('lists, reads and the index filter agree for every caller and every entry', async () => {
    await fc.assert(
      fc.asyncProperty(callers, fc.constantFrom(...ROWS), async (facts, one) => {
        const caller = callerWith(facts)
        const byRule = ROWS.filter((row) => maySee(caller, guardOf(row))).map((row) => row.id)
        const byIndex = ROWS.filter((row) => matches(visibleFilter(caller), row)).map((row) => row.id)
        const page = await listEntries(database, caller, { notExpiredAt: null }, { limit: 1_000, after: null })
        const bySql = page.rows.map((row) => row.id)
        const ids = ROWS.map((row) => row.id)
        const byGuard = await filterVisible(database.queries, caller, ids)
        const { id, type, visibility, workspace_id, created_by_user_id } = one
        const head = { id, type, visibility, workspace_id, created_by_user_id }
        assert.deepEqual(await findVisibleHead(database.queries, caller, id), byRule.includes(id) ? head : null)
        assert.deepEqual([...byGuard].sort(), byRule.sort())
        assert.deepEqual(byIndex.sort(), byRule.sort())
        assert.deepEqual(bySql.sort(), byRule.sort())
      }),
      { numRuns: inTier({ gate: 20, all: 60 }) },
    )
  })

  test('the bin shows and finds for every caller exactly what the caller saw before', async () => {
    await database.write((tx) => copyToBin(tx, ROWS, { deletedAt: 1, purgeAt: 2, userId: null }))
    await fc.assert(
      fc.asyncProperty(callers, fc.constantFrom(...ROWS), async (facts, { id }) => {
        const caller = callerWith(facts)
        const byRule = ROWS.filter((row) => maySee(caller, guardOf(row))).map((row) => row.id)
        const { rows } = await listBinned(database, caller, { limit: 1_000, after: null })
        assert.deepEqual(rows.map((row) => row.id).sort(), byRule.sort())
        assert.equal((await findBinned(database.queries, caller, id)) !== null, byRule.includes(id))
      }),
      { numRuns: inTier({ gate: 20, all: 60 }) },
    )
  })

  test('the level an earlier version had decides who sees it, in the list and by its number', async () => {
    await fc.assert(
      fc.asyncProperty(callers, fc.constantFrom(null, ...USERS), async (facts, owner) => {
        const caller = callerWith(facts)
        const entry = { id: ROWS[0].id, created_by_user_id: owner }
        const byRule = VERSIONS.filter((row) => maySee(caller, guardOf({ ...row, created_by_user_id: owner })))
        const all = { limit: 100, before: 100 }
        const byList = await listVersions(database.queries, caller, entry, all)
        assert.deepEqual(
          byList.map((row) => row.version),
          byRule.map((row) => row.version).reverse(),
        )
        for (const { version, snapshot } of VERSIONS) {
          const expected = byRule.some((row) => row.version === version) ? snapshot : null
          assert.equal(await findSnapshot(database.queries, caller, entry, version), expected)
        }
      }),
      { numRuns: inTier({ gate: 8, all: 20 }) },
    )
  })

  test('indexes alone decide who sees an entry, whatever the length of its text', async () => {
    if (kind.name !== 'SQLite') return
    const caller = callerWith({
      ceiling: 'restricted',
      userId: 'ada',
      personal: true,
      workspaces: true,
      workspaceIds: ['north'],
    })
    const watched = database.queries.withPlugin({
      transformQuery({ node, queryId }) {
        const { sql: text, parameters } = database.queries.getExecutor().compileQuery(node, queryId)
        explained.push({ text, parameters })
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const explained: { text: string; parameters: readonly unknown[] }[] = []
    await filterVisible(watched, caller, ['x'])
    await filterVisible(watched, caller, ['x', 'y'])
    await findVisibleEntry(watched, caller, 'x')
    await findVisibleHead(watched, caller, 'x')
    await findHeadBySourceReference(watched, caller, 'x', null)
    await findHeadBySourceReference(watched, caller, 'x', 'skill')
    await listVersions(watched, caller, ROWS[0], { limit: 1, before: 2 })
    await findSnapshot(watched, caller, ROWS[0], 1)
    // The watched statements also include each subquery by itself.
    assert.equal(explained.length, 13)
    for (const query of explained) {
      const plan = await database.queries.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${query.text}`, [...query.parameters]),
      )
      const guards = plan.rows.filter((row) => row.detail.includes('COVERING INDEX'))
      assert.equal(guards.length, 1, `${query.text}\n${plan.rows.map((row) => row.detail).join('\n')}`)
    }
  })

  test('a page of long entries ends early, and the pages together have each entry once', async () => {
    const megabyte = 'ä'.repeat(500_000)
    await database.write(async (tx) => {
      for (let i = 0; i < 12; i++) {
        const row = entryRow(`long-${i}`, i === 5 ? 'restricted' : 'public', null, null)
        await insertEntry(tx, database.portable, { ...row, layer: 'long', content: megabyte, created_at: i % 3 })
      }
    })
    const caller = callerWith({
      ceiling: 'internal',
      userId: null,
      personal: true,
      workspaces: false,
      workspaceIds: [],
    })
    const pages: string[][] = []
    let after: ListPosition | null = null
    do {
      const filters = { layer: 'long', notExpiredAt: null }
      const { rows, next }: Page = await listEntries(database, caller, filters, { limit: 1_000, after })
      pages.push(rows.map((row) => row.id))
      after = next
    } while (after !== null)
    assert.deepEqual(
      pages.map((page) => page.length),
      [8, 3],
    )
    assert.equal(new Set(pages.flat()).size, 11)
    assert.ok(!pages.flat().includes('long-5'))
    await database.write((tx) => tx.deleteFrom('entries').where('layer', '=', 'long').execute())
  })

  test('only its owner sees a personal entry; administrators do not', () => {
    const seen = ROWS.filter((row) => row.visibility === 'personal' && row.created_by_user_id !== 'ada').filter((row) =>
      maySee(
        callerWith({
          ceiling: 'restricted',
          userId: 'ada',
          personal: true,
          workspaces: true,
          workspaceIds: [...WORKSPACES],
        }),
        guardOf(row),
      ),
    )
    assert.deepEqual(seen, [])
  })

  test('a credential in its owner’s name sees no personal entry without the scope for them', () => {
    const seenBy = (personal: boolean) => {
      const facts = { ceiling: 'restricted', userId: 'ada', personal, workspaces: false, workspaceIds: [] } as const
      return ROWS.some((row) => row.visibility === 'personal' && maySee(callerWith(facts), guardOf(row)))
    }
    assert.deepEqual([seenBy(true), seenBy(false)], [true, false])
  })
})

function matches(filter: Filter, row: EntryRow): boolean {
  if ('any' in filter) return filter.any.some((part) => matches(part, row))
  if ('all' in filter) return filter.all.every((part) => matches(part, row))
  if (!('field' in filter)) throw new Error('unexpected filter')
  const value = { visibility: row.visibility, owner: row.created_by_user_id, workspace: row.workspace_id }[filter.field]
  return value !== null && value !== undefined && filter.anyOf.includes(value)
}

function callerWith(facts: {
  ceiling: Caller['ceiling']
  userId: string | null
  personal: boolean
  workspaces: boolean
  workspaceIds: readonly string[]
}): Caller {
  return {
    tenant: {
      id: 't',
      ownHost: false,
      settings: { ...DEFAULT_SETTINGS, workspaces: facts.workspaces },
      embeddingModel: null,
      watermark: 0,
    },
    userId: facts.userId,
    credentialId: 'k',
    credentialKind: 'key',
    scopes: new Set<Scope>(facts.personal ? ['knowledge:personal'] : []),
    ceiling: facts.ceiling,
    workspaceIds: facts.workspaceIds,
    audit: { source: 'test', clientId: null },
  }
}

function entryRow(id: string, visibility: Visibility, owner: string | null, workspace: string | null): EntryRow {
  return {
    tenant_id: 't',
    id,
    type: 'knowledge',
    title: id,
    content: id,
    summary: null,
    category_id: 'c',
    visibility,
    layer: null,
    language: 'en',
    tags: '[]',
    search_keywords: '[]',
    metadata: '{}',
    related_themes: null,
    translation_group_id: id,
    workspace_id: workspace,
    source: 'manual',
    source_reference: null,
    url: null,
    created_by_user_id: owner,
    version: 1,
    embedding_model: null,
    expires_at: null,
    created_at: 0,
    updated_at: 0,
    seq: 1,
    text_seq: 1,
    prompts_others: 1,
    prompt_author_id: null,
  }
}
