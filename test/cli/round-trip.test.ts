import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Caller } from '../../src/platform/access/caller.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { CategoryRules } from '../../src/knowledge/categories/rules.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { EntryRules } from '../../src/knowledge/entries/rules.ts'
import { newId } from '../../src/platform/ids.ts'
import { ProjectRules } from '../../src/knowledge/projects/rules.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { eraseUser } from '../../src/composition/erase-user.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { parseSettings } from '../../src/identity/tenants/settings.ts'
import { WorkspaceRules } from '../../src/knowledge/workspaces/rules.ts'
import { DATABASES, onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { entriesOf, knowledge } from './program.ts'

const BUILTIN = { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null } as const

/** Fills a tenant with one of everything. */
async function furnish(database: Database): Promise<void> {
  await migrate(database)
  await createTenant(database, { id: 'first', name: 'First & foremost', host: 'first.example' })
  const settings = { language: 'en', workspaces: 'true', vectorWeight: '0.7' }
  await changeTenant(database, 'first', { settings })
  const ada = await createUser(database, 'first', { email: 'ada@example.com', name: 'Ada', role: 'admin' })
  const bob = await createUser(database, 'first', { email: 'bob@example.com', name: 'Bob "B"', role: 'reader' })
  await changeUser(database, 'first', bob.id, { disabled: true, ceiling: 'community' })
  await createUser(database, 'first', { email: 'carl@example.com', name: 'Carl', role: 'reader' })
  await eraseUser(database, 'first', 'carl@example.com')
  const caller: Caller = {
    tenant: {
      id: 'first',
      ownHost: false,
      settings: parseSettings('{"workspaces":true}'),
      embeddingModel: null,
      watermark: 0,
    },
    userId: ada.id,
    credentialId: null,
    credentialKind: null,
    scopes: new Set(ROLE_SCOPES.admin),
    ceiling: 'restricted',
    workspaceIds: [],
    audit: { source: 'test', clientId: null },
  }
  const categories = new CategoryRules(database)
  const above = await categories.create(caller, { name: 'Above', description: 'top', sort_order: 3 })
  const below = await categories.create(caller, { name: 'Below', parent_id: above.id })
  const workspaces = new WorkspaceRules(database)
  const workspace = await workspaces.create(caller, { name: 'Room' })
  await workspaces.addMembers(caller, workspace.id, [ada.id, bob.id])
  const projects = new ProjectRules(database)
  const project = await projects.create(caller, { name: 'Plan', description: 'of action' })
  const entries = new EntryRules({ database, embedders: new EmbedderPool(BUILTIN), onQueued: () => undefined })
  const member = { ...caller, workspaceIds: [workspace.id] }
  const plain = await entries.create(member, {
    title: 'Grüße \u{1F600}',
    content: 'One.\r\n\u2028Two\u0001',
    category_id: below.id,
    tags: ['b', 'a'],
    metadata: { z: 1, a: [null, { deep: true }], '10': 0.1 },
    related_themes: 'greetings',
    source_reference: 'files/greet.md',
    url: 'https://example.com/greet',
  })
  await entries.update(member, plain.id, { title: 'Second', visibility: 'restricted' }, null)
  await entries.update(member, plain.id, { content: 'Third' }, null)
  await entries.create(member, {
    title: 'German',
    content: 'Drittes',
    category_id: above.id,
    language: 'de',
    translation_group_id: plain.translation_group_id,
    visibility: 'workspace',
    workspace_id: workspace.id,
  })
  await entries.create(member, {
    type: 'memory',
    title: 'Soon over',
    content: 'Remember',
    category_id: above.id,
    metadata: { expires_at: '2031-01-01T00:00:00+01:00' },
  })
  await entries.create(member, { title: 'Long', content: 'many words '.repeat(3_000), category_id: above.id })
  await entries.createPersonal(member, { title: 'Mine', content: 'private', category_id: above.id })
  await projects.addEntries(member, project.id, [plain.id])
}

const body = (text: string): string => text.slice(text.indexOf('\n') + 1)

onAnyDatabase('knowledge export', (kind) => {
  let place: TestDatabase
  let database: Database
  let exported: string

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await furnish(database)
    const done = await knowledge(place, ['export', '--tenant', 'first'])
    assert.equal(done.code, 0, done.stderr)
    exported = done.stdout
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  for (const target of DATABASES) {
    describe(`restored into ${target.name}`, () => {
      let elsewhere: TestDatabase
      let restored: Database
      before(async () => {
        elsewhere = await target.create()
        restored = openDatabase(elsewhere.options)
      })
      after(async () => {
        await restored.close()
        await elsewhere.remove()
      })

      test('is the same byte for byte, under another tenant name, even after an interruption', async () => {
        const lines = exported.split('\n')
        const half = `${lines.slice(0, lines.length - 4).join('\n')}\n`
        const begun = await knowledge(elsewhere, ['import', '-', '--tenant', 'second'], { input: half })
        assert.equal(begun.code, 0, begun.stderr)
        assert.match(begun.stderr, /Tenant second was created/)
        const done = await knowledge(elsewhere, ['import', '-', '--tenant', 'second'], { input: exported })
        assert.equal(done.code, 0, done.stderr)
        const again = await knowledge(elsewhere, ['export', '--tenant', 'second'])
        assert.equal(body(again.stdout), body(exported))
        const [header, restoredHeader] = [exported, again.stdout].map((text) => JSON.parse(text.split('\n')[0]))
        assert.deepEqual(restoredHeader, { ...header, tenant: { ...header.tenant, id: 'second' } })
        const rows = await entriesOf(restored, 'second')
        assert.ok(rows.every((row) => row.embedding_model !== null))
        assert.deepEqual(rows.map((row) => row.expires_at).filter(Boolean), [Date.UTC(2030, 11, 31, 23)])
        const snapshots = await restored.queries.selectFrom('entry_versions').select('snapshot').execute()
        assert.ok(snapshots.every(({ snapshot }) => JSON.parse(snapshot).tenant_id === 'second'))
      })
    })
  }

  test('entries that exist in another state stay, and are reported', async () => {
    const lines = exported.split('\n')
    const at = lines.findIndex((line) => line.includes('"title":"Long"'))
    const other = lines.with(at, lines[at].replace('"title":"Long"', '"title":"Other"')).join('\n')
    const done = await knowledge(place, ['import', '-', '--tenant', 'first'], { input: other })
    assert.deepEqual([done.code, /^0 created, 0 updated, \d+ unchanged, 1 not imported/.test(done.stdout)], [1, true])
    assert.match(done.stderr, new RegExp(`line ${at + 1}: id: This entry exists here in another state`))
    assert.equal((await knowledge(place, ['export', '--tenant', 'first'])).stdout, exported)
  })

  test('a user who exists under another id keeps that id, and owns the restored entries', async () => {
    await createTenant(database, { id: 'third', name: 'Third', host: null })
    const ada = await createUser(database, 'third', { email: 'ada@example.com', name: 'Ada', role: 'reader' })
    const done = await knowledge(place, ['import', '-', '--tenant', 'third'], { input: exported })
    assert.equal(done.code, 0, done.stderr)
    const owners = new Set((await entriesOf(database, 'third')).map((row) => row.created_by_user_id))
    assert.deepEqual(owners, new Set([ada.id]))
    const versions = await database.queries
      .selectFrom('entry_versions')
      .select('snapshot')
      .where('tenant_id', '=', 'third')
      .execute()
    assert.ok(versions.every(({ snapshot }) => JSON.parse(snapshot).created_by_user_id === ada.id))
  })

  test('a faulty line is reported and affects only itself', async () => {
    const [header, ...rest] = exported.split('\n')
    const entry = JSON.parse(rest.find((line) => line.startsWith('{"kind":"entry"'))!)
    const lost = { ...entry, id: newId(), category_id: newId(), created_by_user_id: newId(), projects: [newId()] }
    const stray = { kind: 'version', entry_id: newId(), version: 1, visibility: 'public', workspace_id: null }
    const input = [
      header,
      '{"kind":"entry"}',
      '{"kind":"nonsense"}',
      'not JSON',
      JSON.stringify({ ...stray, updated_at: '2026-01-01T00:00:00.000Z', snapshot: {} }),
      JSON.stringify({ ...lost, sites: [newId(), newId()] }),
      ...rest,
    ].join('\n')
    const done = await knowledge(place, ['import', '-', '--tenant', 'fourth'], { input })
    assert.equal(done.code, 1)
    assert.match(done.stderr, /line 2: id: Field required/)
    assert.match(done.stderr, /line 3: it is not a line of an export/)
    assert.match(done.stderr, /line 4: Invalid JSON/)
    assert.match(done.stderr, /line 5: entry_id: Entry does not exist/)
    assert.match(
      done.stderr,
      /line 6: category_id: .*; created_by_user_id: .*; projects: .*; sites: Site does not exist$/m,
    )
    assert.equal((await entriesOf(database, 'fourth')).length, 5)
  })

  test('an export of a later format, or without its header, is refused whole', async () => {
    const later = exported.replace('"format":1', '"format":2')
    const refused = await knowledge(place, ['import', '-', '--tenant', 'fifth'], { input: later })
    assert.deepEqual([refused.code, /newer version of this program/.test(refused.stderr)], [1, true])
    const headless = await knowledge(place, ['import', '-', '--tenant', 'fifth'], { input: body(exported) })
    assert.deepEqual([headless.code, /without its first line/.test(headless.stderr)], [2, true])
    const tenants = await database.queries.selectFrom('tenants').select('tenant_id').execute()
    assert.ok(!tenants.some((row) => row.tenant_id === 'fifth'))
  })
})
