import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordAudit } from '../../src/platform/audit/audit.ts'
import { onEachDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { type Answer, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { Browser } from '../sessions/browser.ts'

const BASE = '/api/knowledge/audit-records'

onEachDatabase('the audit trail', (kind) => {
  let service: TestService
  let ann: { userId: string; key: string }

  before(async () => {
    service = await joinService(kind)
    ann = await service.user({ email: 'ann@example.com' })
  })
  after(() => service.stop())

  const list = (query = '', key = service.adminKey): Promise<Answer> => service.call('GET', BASE + query, { key })
  /** Writes records that no request of a test makes by itself. */
  const record = (tenant: string, ids: readonly string[], userId: string | null = null) =>
    service.database.write(async (tx) => {
      const audit = { source: 'api', clientId: null, claimed: { source: '=cmd()', clientId: null } }
      const actor = { userId, credentialId: null, audit }
      for (const resourceId of ids) {
        await recordAudit(tx, tenant, actor, [{ action: 'update', resourceType: 'thing', resourceId }])
      }
    }, tenant)
  const page = async (query: string): Promise<{ ids: string[]; next: string | null }> => {
    const { body, headers } = await list(query)
    const link = headers.get('link')
    return {
      ids: body.map((each: { resource_id: string }) => each.resource_id),
      next: link === null ? null : /<[^?]*(\?[^>]*)>/.exec(link)![1],
    }
  }

  test('names who did what to which thing, newest first', async () => {
    const creation = await service.call('POST', '/api/knowledge/projects', {
      key: ann.key,
      body: { name: 'A project' },
    })
    const changed = await service.call('PATCH', `/api/knowledge/projects/${creation.body.id}`, {
      key: ann.key,
      body: { name: 'Renamed' },
    })
    assert.equal(changed.status, 200)
    const { body } = await list(`?resource_id=${creation.body.id}`)
    const told = body.map((each: { action: string; outcome: string; resource_type: string }) => [
      each.action,
      each.outcome,
      each.resource_type,
    ])
    assert.deepEqual(told, [
      ['update', 'done', 'project'],
      ['create', 'done', 'project'],
    ])
    assert.deepEqual(body[0].user, { id: ann.userId, email: 'ann@example.com', name: 'ann@example.com' })
    assert.equal(body[0].source, 'api')
    assert.ok(!JSON.stringify(body).includes('Renamed'), 'content is not in the trail')
  })

  test('is filtered by person, action, kind, thing, channel, outcome and time', async () => {
    const count = async (query: string): Promise<number> => (await list(query)).body.length
    await record(service.tenantId, ['one'], ann.userId)
    const byAnn = (await list(`?user_id=${ann.userId}`)).body
    assert.ok(byAnn.length > 0 && byAnn.every((each: { user_id: string }) => each.user_id === ann.userId))
    assert.equal(await count('?resource_type=thing&resource_id=one'), 1)
    assert.equal(await count('?resource_type=thing&action=delete'), 0)
    assert.ok((await count('?source=cli')) > 0)
    const browser = { origin: service.service.url }
    const wrong = { email: 'ann@example.com', password: 'not the password' }
    const refused = await service.call('POST', '/api/session', { key: null, body: wrong, headers: browser })
    assert.equal(refused.status, 401)
    let attempts: { action: string; resource_id: string }[] = []
    while (attempts.length === 0) attempts = (await list('?outcome=refused')).body
    assert.deepEqual(
      attempts.map(({ action, resource_id: id }) => [action, id]),
      [['sign_in_refused', ann.userId]],
    )
    assert.ok((await count('?outcome=done')) > 0)
    assert.equal(await count('?from=2100-01-01T00:00:00Z'), 0)
    assert.equal(await count('?to=2000-01-01T00:00:00Z'), 0)
    const backwards = await list('?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z')
    assert.deepEqual([backwards.status, backwards.body.detail[0].loc], [422, ['query', 'from']])
  })

  test('has pages that join without a gap, also behind many records that a filter leaves out', async () => {
    await record(service.tenantId, ['first', 'second', 'third'], ann.userId)
    await record(
      service.tenantId,
      Array.from({ length: 2_100 }, (_, i) => `filler ${i}`),
    )
    const query = `?resource_type=thing&user_id=${ann.userId}`
    const one = await page(`${query}&limit=2`)
    assert.deepEqual(one.ids, ['third', 'second'])
    // A record is written between two pages; the next page still begins where the last one ended.
    await record(service.tenantId, ['later'], ann.userId)
    const two = await page(one.next!)
    assert.deepEqual([two.ids[0], two.next === one.next], ['first', false])
  })

  test('is exported whole as JSON lines and as a table that runs no formula, and says who exported it', async () => {
    await record(service.tenantId, ['=HYPERLINK("http://evil")'])
    const query = '?resource_type=thing&format='
    const lines = await service.call('GET', `${BASE}/export${query}jsonl`, { key: ann.key })
    assert.equal(lines.headers.get('content-type'), 'application/x-ndjson')
    const records = String(lines.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { resource_type: string })
    assert.ok(records.length > 2_100 && records.every((each) => each.resource_type === 'thing'))
    const table = await service.call('GET', `${BASE}/export${query}csv`, { key: ann.key })
    assert.match(table.headers.get('content-disposition')!, /audit-records\.csv/)
    const rows = String(table.body).trimEnd().split('\r\n')
    assert.equal(rows.length, records.length + 1)
    assert.match(rows[0], /^id,created_at,action,/)
    assert.ok(rows[1].includes(`"'=HYPERLINK(""http://evil"")"`), rows[1])
    assert.ok(rows[1].includes(`"'=cmd()"`), rows[1])
    const [exported] = (await list('?action=export')).body
    assert.deepEqual([exported.user_id, exported.details.filters], [ann.userId, { resource_type: 'thing' }])
  })

  test('is not exported by an address in a picture, a frame or a script, as an entry could have it', async () => {
    await givePassword(service.database, service.tenantId, ann.userId, 'correct horse battery')
    const browser = new Browser(service)
    assert.equal((await browser.signIn('ann@example.com', 'correct horse battery')).status, 200)
    const exports = async () => (await list('?action=export')).body.length
    const before = await exports()
    const ask = (destination: string) =>
      browser.call('GET', `${BASE}/export?format=csv`, undefined, {
        'sec-fetch-dest': destination,
        'sec-fetch-site': 'same-origin',
      })
    for (const destination of ['image', 'audio', 'iframe', 'script', 'style']) {
      const { status, body } = await ask(destination)
      assert.deepEqual([status, body.detail[0].loc], [403, ['header', 'sec-fetch-dest']], destination)
    }
    assert.equal(await exports(), before)
    for (const destination of ['document', 'empty']) assert.equal((await ask(destination)).status, 200, destination)
    assert.equal(await exports(), before + 2)
  })

  test('is exported as fast as it is read, and ends once the key is revoked', async () => {
    const many = 10_000
    const busy = await service.tenant('busy')
    const { key } = await service.user({ tenant: busy, email: 'admin@busy' })
    const actor = { userId: null, credentialId: null, audit: { source: 'api', clientId: null } }
    const events = Array.from({ length: many }, (_, i) => {
      return { action: 'update', resourceType: 'thing', resourceId: `${i} ${'x'.repeat(2_500)}` } as const
    })
    await service.database.write((tx) => recordAudit(tx, busy, actor, events), busy)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${service.service.url}${BASE}/export`, { headers })
    const reader = answer.body!.getReader()
    const { value } = await reader.read()
    assert.ok(value !== undefined && value.length > 0)
    const [{ id }] = (await service.call('GET', '/api/knowledge/api-keys', { key })).body
    assert.equal((await service.call('DELETE', `/api/knowledge/api-keys/${id}`, { key })).status, 204)
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await assert.rejects(rest(), /terminated/)
  })

  test('is closed to all but administrators of the tenant, and shows no other tenant', async () => {
    const { key: editor } = await service.user({ email: 'editor@example.com', role: 'editor' })
    for (const path of [BASE, `${BASE}/export`])
      assert.equal((await service.call('GET', path, { key: editor })).status, 403)
    const other = await service.tenant('other')
    const { key: theirs } = await service.user({ tenant: other, email: 'admin@other' })
    await record(other, ['secret of theirs'])
    assert.equal((await list('?resource_id=secret of theirs')).body.length, 0)
    const seen = (await list('', theirs)).body as { resource_id: string }[]
    assert.ok(seen.some((each) => each.resource_id === 'secret of theirs'))
    const exported = await service.call('GET', `${BASE}/export`, { key: theirs })
    assert.ok(!String(exported.body).includes('ann@example.com'))
  })
})
