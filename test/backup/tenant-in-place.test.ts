import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { SecretBox } from '../../src/platform/secrets.ts'
import { readSecretFile } from '../../src/platform/secret-file.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { sealTotp } from '../../src/identity/sessions/factors/sealed-totp.ts'
import { knowledge } from '../cli/program.ts'
import { buildRealm, ENTRIES, type Realm } from '../isolation/world.ts'
import { onEachDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { emptyPlace, everything, refuses, succeeds } from './parts.ts'

const TENANT = 'moving'
const NEIGHBOUR = 'neighbour'

/** Tables whose rows of a tenant a restore leaves alone, or writes itself. */
const KEPT = new Set(['entry_tombstones', 'product_tombstones', 'tenants', 'audit_log', 'user_totp'])
/** Tables that the running service writes to behind its answers. */
const WRITTEN_BEHIND = ['search_log', 'search_clicks', 'visitor_salts', 'usage_days', 'tenant_usage']

/** Returns rows without the numbers of changes, which go on, and without what is written behind answers. */
function unnumbered(rows: Readonly<Record<string, string[]>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([table]) => !WRITTEN_BEHIND.includes(table))
      .map(([table, texts]) => [
        table,
        texts.map((text) => text.replaceAll(/\b(?:seq|text_seq|watermark|last_used_at)=(?:\d+|null)/g, '')).toSorted(),
      ]),
  )
}

onEachDatabase('one tenant of several', (kind) => {
  let stage: TestService
  let realm: Realm
  let secrets: SecretBox

  before(async () => {
    stage = await TestService.start(kind)
    const { dataDir } = stage.place.options
    readSecretFile(dataDir)
    secrets = SecretBox.of({ secretKey: null, dataDir })
    realm = await buildRealm(stage, TENANT, true)
    await buildRealm(stage, NEIGHBOUR, true)
    const { user_id: userId } = await stage.database.queries
      .selectFrom('api_keys')
      .select('user_id')
      .where('tenant_id', '=', TENANT)
      .where('user_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const holder = { tenantId: TENANT, userId: userId! }
    await givePassword(stage.database, TENANT, userId!, 'a long enough password')
    await stage.database.queries
      .insertInto('recovery_codes')
      .values({ tenant_id: TENANT, user_id: userId!, hash: 'of a recovery code' })
      .execute()
    await stage.database.queries
      .insertInto('user_identities')
      .values({
        tenant_id: TENANT,
        issuer: 'https://company.example',
        subject: 'ann',
        user_id: userId!,
        created_at: 0,
        left_at: null,
      })
      .execute()
    await stage.database.queries
      .deleteFrom('user_totp')
      .where('tenant_id', '=', TENANT)
      .where('user_id', '=', userId!)
      .execute()
    await sql`insert into user_totp (tenant_id, user_id, sealed, last_step)
      values (${TENANT}, ${userId}, ${sealTotp(secrets, holder, 'JBSWY3DPEHPK3PXP')}, 0)`.execute(
      stage.database.queries,
    )
  })
  after(() => stage.stop())

  const asOwner = (method: string, path: string, body?: unknown) =>
    stage.call(method, path, { key: null, headers: { authorization: realm.owner.authorization! }, body })
  const found = async (query: string): Promise<string[]> => {
    const { status, body } = await asOwner('POST', `${ENTRIES}/search`, { query, mode: 'keyword', limit: 100 })
    assert.equal(status, 200, JSON.stringify(body))
    return (body as { entry: { id: string } }[]).map(({ entry }) => entry.id).toSorted()
  }

  test('goes back to a backup while the service runs; others and what operators decide stay', async (t) => {
    // A copy in a folder is a data directory, of which a backup needs no program of PostgreSQL.
    const folder = emptyPlace(t)
    const { dataDir } = folder.options
    await succeeds(stage.place, ['copy', '--to', join(dataDir, 'copy')])
    const copied = { options: { dataDir: join(dataDir, 'copy'), databaseUrl: null } }
    const backup = await succeeds(copied, ['backup', join(dataDir, 'backup')])
    const [then, hits] = [await everything(stage.database, TENANT), await found('Leuchtturm')]
    assert.ok(hits.length > 3)

    const [gone, changed] = realm.subjects.filter(({ id }) => hits.includes(id)).map(({ id }) => id)
    assert.equal((await asOwner('DELETE', `${ENTRIES}/${gone}`)).status, 204)
    assert.equal((await asOwner('PATCH', `${ENTRIES}/${changed}`, { title: 'Quokka', content: 'Quokka' })).status, 200)
    const made = await asOwner('POST', ENTRIES, {
      title: 'Wombat',
      content: 'Leuchtturm',
      category_id: realm.ids.category_id,
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    await issueApiKey(stage.database, TENANT, {
      name: 'Later',
      scopes: ['knowledge:read'],
      userId: null,
      expiresAt: null,
    })
    const quota = '{"entries":1000}'
    await stage.database.queries.updateTable('tenants').set({ quotas: quota }).where('tenant_id', '=', TENANT).execute()
    assert.deepEqual(await found('Quokka'), [changed])
    const others = await everything(stage.database, NEIGHBOUR)

    const args = ['restore', backup, '--tenant', TENANT]
    assert.match(
      await refuses(stage.place, args),
      /^There are rows of a tenant moving in the installation already .*: add --replace/,
    )
    const unknown = await refuses(stage.place, ['restore', backup, '--tenant', 'nope', '--replace'])
    assert.match(unknown, /^There is no tenant nope in the backup\. It has: (?=.*\bmoving\b)(?=.*\bdefault\b)[^\n]*\.$/)
    await succeeds(stage.place, [...args, '--replace'])

    const now = await everything(stage.database, TENANT)
    const [expected, restored] = [unnumbered(then), unnumbered(now)]
    for (const table of Object.keys(expected))
      if (!KEPT.has(table)) assert.deepEqual(restored[table], expected[table], table)
    assert.equal(now.user_totp.length, then.user_totp.length)
    assert.deepEqual(
      now.audit_log.filter((row) => !then.audit_log.includes(row)).map((row) => /action="\w+"/.exec(row)?.[0]),
      ['action="restore"'],
    )
    assert.match(now.tenants[0], /quotas="\{\\"entries\\":1000\}"/)
    assert.deepEqual(unnumbered(await everything(stage.database, NEIGHBOUR)), unnumbered(others))

    // The running service follows: indexes, hits and reads.
    assert.deepEqual(await found('Leuchtturm'), hits)
    assert.deepEqual([await found('Quokka'), await found('Wombat')], [[], []])
    assert.equal((await asOwner('GET', `${ENTRIES}/${gone}`)).status, 200)
    assert.notEqual((await asOwner('GET', `${ENTRIES}/${changed}`)).body.title, 'Quokka')
    assert.equal((await asOwner('GET', `${ENTRIES}/${made.body.id}`)).status, 404)
    const next = await asOwner('POST', ENTRIES, {
      title: 'Numbat',
      content: 'Numbat',
      category_id: realm.ids.category_id,
    })
    assert.deepEqual(await found('Numbat'), [next.body.id])
  })

  test('is not taken back while rows of other tenants refer to it, and nothing changes', async (t) => {
    const { queries } = stage.database
    const folder = emptyPlace(t)
    const { dataDir } = folder.options
    await succeeds(stage.place, ['copy', '--to', join(dataDir, 'copy')])
    const backup = await succeeds({ options: { dataDir: join(dataDir, 'copy'), databaseUrl: null } }, [
      'backup',
      join(dataDir, 'backup'),
    ])
    const key = sql.raw(kind.name === 'SQLite' ? 'text' : 'text collate "C"')
    await sql`create table borrowed (tenant_id ${key} not null, owner ${key} not null, entry_id ${key} not null,
      primary key (tenant_id, entry_id), foreign key (owner, entry_id) references entries (tenant_id, id))`.execute(
      queries,
    )
    t.after(() => sql`drop table borrowed`.execute(queries))
    const { id } = await queries
      .selectFrom('entries')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .executeTakeFirstOrThrow()
    await sql`insert into borrowed values (${NEIGHBOUR}, ${TENANT}, ${id})`.execute(queries)
    const unchanged = await everything(stage.database, TENANT)
    const line = await refuses(stage.place, ['restore', backup, '--tenant', TENANT, '--replace'])
    assert.match(line, /^1 rows of other tenants \(borrowed\) refer to entries of moving/)
    assert.deepEqual(unnumbered(await everything(stage.database, TENANT)), unnumbered(unchanged))
  })

  test('is copied under another name beside itself, with all but what opens the original', async () => {
    const args = ['copy', '--tenant', TENANT, '--as', 'twin']
    assert.match(
      await refuses(stage.place, ['copy', '--tenant', TENANT, '--as', NEIGHBOUR]),
      /in the installation already .*: a copy .* another id with --as\.$/,
    )
    assert.equal((await knowledge(stage.place, ['copy', '--tenant', TENANT, '--as', 'No Name'])).code, 2)
    await succeeds(stage.place, args)
    const [from, to] = [await everything(stage.database, TENANT), await everything(stage.database, 'twin')]
    const renamed = (texts: readonly string[]): string[] =>
      texts
        .map((text) => text.replaceAll(`tenant_id="${TENANT}"`, 'tenant_id="twin"'))
        .map((text) => text.replaceAll(String.raw`\"tenant_id\":\"${TENANT}\"`, String.raw`\"tenant_id\":\"twin\"`))
        .toSorted()
    const proofs = ['user_passwords', 'user_totp', 'passkeys', 'recovery_codes', 'user_identities']
    const links = ['sessions', 'sign_in_steps', 'passkey_challenges', 'oauth_records', 'invitations', 'password_resets']
    const left = [...proofs, ...links, 'mail_outbox', 'oauth_clients', 'publishable_origins', 'usage_days']
    for (const table of left) assert.deepEqual(to[table], [], table)
    for (const table of proofs.filter((each) => each !== 'passkeys')) assert.ok(from[table].length > 0, table)
    const others = new Set(['tenants', 'api_keys', ...WRITTEN_BEHIND, ...left])
    for (const table of Object.keys(from)) {
      if (others.has(table) || to[table].length === 0) continue
      assert.deepEqual(to[table], renamed(from[table]), table)
    }
    for (const table of ['entries', 'entry_versions', 'entry_vectors', 'users', 'products', 'audit_log'])
      assert.equal(to[table].length, from[table].length, table)
    assert.equal(to.api_keys.length, from.api_keys.length)
    assert.ok(to.api_keys.every((row) => /revoked_at=\d/.test(row)))
    const hashes = (rows: readonly string[]) => rows.map((row) => /\bhash="(\w+)"/.exec(row)?.[1])
    assert.deepEqual(
      hashes(to.api_keys).filter((hash) => hashes(from.api_keys).includes(hash)),
      [],
    )

    // The original's keys go on to open the original, and a new key opens the copy and lets its people in.
    const originals = await found('Leuchtturm')
    const { key } = await issueApiKey(stage.database, 'twin', {
      name: 'New',
      scopes: ROLE_SCOPES.admin,
      userId: null,
      expiresAt: null,
    })
    const [person] = (await stage.call('GET', '/api/knowledge/users?disabled=false', { key })).body
    const link = await stage.call('POST', `/api/knowledge/users/${person.id}/password-reset`, { key })
    assert.equal(link.status, 200, JSON.stringify(link.body))
    const search = await stage.call('POST', `${ENTRIES}/search`, {
      key,
      body: { query: 'Leuchtturm', mode: 'keyword', limit: 100 },
    })
    assert.equal(search.status, 200, JSON.stringify(search.body))
    assert.ok(search.body.length > 0)
    for (const { entry } of search.body as { entry: { id: string; tenant_id: string } }[]) {
      assert.equal(entry.tenant_id, 'twin')
      assert.ok(originals.includes(entry.id))
    }
  })
})
