import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { onEachDatabase, type TestDatabase } from '../../test/support/databases.ts'
import type { Caller } from '../access/caller.ts'
import { maySee, ORDERED_VISIBILITIES, VISIBILITIES, type Visibility } from '../access/visibility.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import type { EntryRow } from '../database/tables.ts'
import type { Filter } from '../search/engine.ts'
import { visibleFilter } from '../search/visible-filter.ts'
import { DEFAULT_SETTINGS } from '../tenants/settings.ts'
import { guardOf } from './entry.ts'
import { insertEntry, listEntries, type ListPosition } from './store.ts'

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

const callers = fc.record({
  ceiling: fc.constantFrom(...ORDERED_VISIBILITIES),
  userId: fc.constantFrom(null, ...USERS),
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
      for (const row of ROWS) await insertEntry(tx, row)
    })
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  test('lists, reads and the index filter agree for every caller and every entry', async () => {
    await fc.assert(
      fc.asyncProperty(callers, async (facts) => {
        const caller = callerWith(facts)
        const byRule = ROWS.filter((row) => maySee(caller, guardOf(row))).map((row) => row.id)
        const byIndex = ROWS.filter((row) => matches(visibleFilter(caller), row)).map((row) => row.id)
        const page = await listEntries(database, caller, { notExpiredAt: null }, { limit: 1_000, after: null })
        const bySql = page.rows.map((row) => row.id)
        assert.deepEqual(byIndex.sort(), byRule.sort())
        assert.deepEqual(bySql.sort(), byRule.sort())
      }),
      { numRuns: 60 },
    )
  })

  test('a page of long entries ends early, and a walk along the pages meets each once', async () => {
    const megabyte = 'ä'.repeat(500_000)
    await database.write(async (tx) => {
      for (let i = 0; i < 12; i++) {
        const row = entryRow(`long-${i}`, i === 5 ? 'restricted' : 'public', null, null)
        await insertEntry(tx, { ...row, layer: 'long', content: megabyte, created_at: i % 3 })
      }
    })
    const caller = callerWith({ ceiling: 'internal', userId: null, workspaces: false, workspaceIds: [] })
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

  test('nobody but its owner sees a personal entry, administrators included', () => {
    const seen = ROWS.filter((row) => row.visibility === 'personal' && row.created_by_user_id !== 'ada').filter((row) =>
      maySee(
        callerWith({ ceiling: 'restricted', userId: 'ada', workspaces: true, workspaceIds: [...WORKSPACES] }),
        guardOf(row),
      ),
    )
    assert.deepEqual(seen, [])
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
  workspaces: boolean
  workspaceIds: readonly string[]
}): Caller {
  return {
    tenant: {
      id: 't',
      settings: { ...DEFAULT_SETTINGS, workspaces: facts.workspaces },
      embeddingModel: null,
      watermark: 0,
    },
    userId: facts.userId,
    credentialId: 'k',
    scopes: new Set(),
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
    created_by_user_id: owner,
    version: 1,
    embedding_model: null,
    expires_at: null,
    created_at: 0,
    updated_at: 0,
    seq: 1,
  }
}
