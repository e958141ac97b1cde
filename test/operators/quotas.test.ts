import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countDueUsage } from '../../src/composition/tenants/count-usage.ts'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { claimJobs } from '../../src/embedding/job-store.ts'
import { settlePauses } from '../../src/identity/quotas/rules.ts'
import { dayOf } from '../../src/platform/usage/usage-tally.ts'
import { knowledge } from '../cli/program.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import type { Answer } from '../support/service.ts'
import { CATEGORIES, OperatorStage, said, TENANTS } from './stage.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const QUOTAS = '/api/knowledge/quotas'
const NDJSON = { 'content-type': 'application/x-ndjson' }
const MINUTE_MS = 60_000

interface Line {
  readonly status: string
  readonly detail?: readonly { readonly loc: readonly string[]; readonly type: string }[]
}

/** Returns the outcomes of the lines of a bulk. */
const linesOf = ({ body }: Answer): Line[] =>
  String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

onAnyDatabase('the quotas of a tenant', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  const newTenant = async (id: string) => {
    const { key } = await stage.tenant(id)
    const call = (method: string, path: string, body?: unknown, headers = {}) =>
      stage.service.call(method, path, { key, body, headers })
    const category = (await call('POST', CATEGORIES, { name: 'Box' })).body.id as string
    const write = (content = 'Text', base?: string) =>
      stage.service.call('POST', ENTRIES, { key, body: { title: 'T', content, category_id: category } }, base)
    const bound = async (quotas: object): Promise<Answer> => {
      const answer = await stage.call('PATCH', `${TENANTS}/${id}/quotas`, quotas)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer
    }
    return { key, call, category, write, bound }
  }
  const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status)
  const FULL = ['507 quota.entries quota_exceeded']

  test('a tenant without quotas is told so, and only its administrators ask', async () => {
    const { call } = await newTenant('free')
    const { status, body } = await call('GET', QUOTAS)
    assert.deepEqual(
      [status, body.entries, body.bytes, body.requests_per_minute, body.embedding_tokens_per_month],
      [200, null, null, null, null],
    )
    const { key } = await stage.service.user({ tenant: 'free', email: 'reader@free.example', role: 'reader' })
    assert.equal((await stage.service.call('GET', QUOTAS, { key })).status, 403)
    const own = await call('PATCH', '/api/knowledge/tenant-settings', { quotas: { entries: 5 } })
    assert.equal(own.status, 403)
  })

  test('entries beyond the quota are refused by its name, until one is deleted', async () => {
    const { call, write, bound } = await newTenant('small')
    await bound({ entries: 3 })
    const first = await write()
    assert.deepEqual(statuses([first, await write(), await write()]), [201, 201, 201])
    const refused = await write()
    assert.deepEqual([said(refused), refused.headers.get('retry-after')], [FULL, null])
    const changed = await call('PATCH', `${ENTRIES}/${first.body.id}`, { content: 'Another text' })
    assert.equal(changed.status, 200, 'what is there may change')
    const { used } = (await call('GET', QUOTAS)).body
    assert.equal(used.entries, 3)
    await call('DELETE', `${ENTRIES}/${first.body.id}`)
    assert.equal((await write()).status, 201)
    assert.deepEqual(said(await call('POST', `/api/knowledge/bin/${first.body.id}/restore`)), FULL)
    await bound({ entries: null })
    assert.equal((await call('POST', `/api/knowledge/bin/${first.body.id}/restore`)).status, 200)
  })

  test('a bulk stores what fits, and names the quota at each other line; updates of what is there go on', async () => {
    const { call, category, bound } = await newTenant('bulk')
    await bound({ entries: 4 })
    const line = (i: number, content: string) => ({
      title: `T${i}`,
      content,
      category_id: category,
      source_reference: `r/${i}`,
    })
    const send = async (content: string): Promise<string[]> => {
      const body = Array.from({ length: 6 }, (_, i) => JSON.stringify(line(i, content))).join('\n')
      const answer = await call('POST', `${ENTRIES}/bulk`, body, NDJSON)
      return linesOf(answer).map(({ status, detail }) =>
        detail === undefined ? status : `${status} ${detail[0].loc.join('.')} ${detail[0].type}`,
      )
    }
    const failed = 'failed quota.entries quota_exceeded'
    assert.deepEqual(await send('one'), [...Array(4).fill('created'), failed, failed])
    assert.deepEqual(await send('two'), [...Array(4).fill('updated'), failed, failed])
  })

  test('two processes together store no more than the quota', async () => {
    const { call, write, bound } = await newTenant('raced')
    await bound({ entries: 5 })
    const other = await stage.service.sibling()
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => write('x', i % 2 ? other.url : undefined)))
      assert.deepEqual(statuses(answers).sort(), [...Array(5).fill(201), ...Array(7).fill(507)])
      assert.equal((await call('GET', ENTRIES)).body.length, 5)
    } finally {
      await other.stop()
    }
  })

  test('text beyond the bytes is refused, also of products and versions, and purging makes room', async () => {
    const { call, write, bound } = await newTenant('wordy')
    await bound({ bytes: 3_000 })
    const entry = (await write('x'.repeat(1_000))).body
    // From here on the service finds nothing to count: a count of its own beside a write would count that twice.
    await countDueUsage(stage.service.database, { now: Date.now() + MINUTE_MS })
    const change = (content: string) => call('PATCH', `${ENTRIES}/${entry.id}`, { content })
    assert.equal((await change('y'.repeat(1_000))).status, 200)
    const full = ['507 quota.bytes quota_exceeded']
    assert.deepEqual(said(await change('z'.repeat(1_000))), full, 'the former text is a version')
    const products = [400, 2_000, 100].map((length, i) =>
      JSON.stringify({ external_id: `p${i}`, title: 'P', language: 'de', description: 'd'.repeat(length) }),
    )
    const pushed = await call('POST', '/api/knowledge/products/bulk?site_id=default', products.join('\n'), NDJSON)
    assert.deepEqual(
      linesOf(pushed)
        .slice(0, 3)
        .map(({ status, detail }) => [status, detail?.[0].loc.join('.')]),
      [
        ['created', undefined],
        ['failed', 'quota.bytes'],
        ['created', undefined],
      ],
    )
    const patch = (body: object) => call('PATCH', `${PRODUCTS}/by-external-id/p0?site_id=default`, body)
    assert.equal((await patch({ price_current: 5 })).status, 200, 'a price is no text')
    assert.deepEqual(said(await patch({ description: 'e'.repeat(2_000) })), full)
    await call('DELETE', `${ENTRIES}/${entry.id}`)
    await call('DELETE', `/api/knowledge/bin/${entry.id}`)
    await countDueUsage(stage.service.database, { now: Date.now() + 12 * MINUTE_MS })
    const { used } = (await call('GET', QUOTAS)).body
    assert.ok(used.bytes < 1_200, `${used.bytes} bytes`)
    assert.equal((await write('x'.repeat(1_000))).status, 201)
  })

  test('metadata, tags, pictures and texts for vectors count as bytes too', async () => {
    const { call, category, bound } = await newTenant('crafty')
    await bound({ bytes: 3_000 })
    const full = ['507 quota.bytes quota_exceeded']
    const long = 'm'.repeat(4_000)
    const aside = [
      { metadata: { note: long } },
      { tags: Array.from({ length: 40 }, (_, i) => `${i}`.padEnd(100, 't')) },
      { url: `https://a.example/${'u'.repeat(1_900)}`, related_themes: 'r'.repeat(1_500) },
    ]
    for (const more of aside) {
      const body = { title: 'T', content: 'c', category_id: category, ...more }
      assert.deepEqual(said(await call('POST', ENTRIES, body)), full, Object.keys(more).join())
    }
    const lines = [
      { additional_images: Array.from({ length: 30 }, (_, i) => `https://a.example/${i}/${'p'.repeat(100)}`) },
      { embedding_text_description: long },
      { search_keywords: Array.from({ length: 40 }, (_, i) => `${i}`.padEnd(100, 'k')) },
    ].map((more, i) => JSON.stringify({ external_id: `p${i}`, title: 'P', language: 'de', ...more }))
    const pushed = await call('POST', '/api/knowledge/products/bulk?site_id=default', lines.join('\n'), NDJSON)
    assert.deepEqual(
      linesOf(pushed)
        .slice(0, 3)
        .map(({ detail }) => detail?.[0].loc.join('.')),
      Array(3).fill('quota.bytes'),
    )
    // Counting finds what writing took.
    const body = { title: 'T', content: 'c', category_id: category, metadata: { note: 'n'.repeat(1_000) } }
    assert.equal((await call('POST', ENTRIES, body)).status, 201)
    const before = (await call('GET', QUOTAS)).body.used.bytes
    await countDueUsage(stage.service.database, { now: Date.now() + 11 * MINUTE_MS })
    assert.deepEqual([before > 1_000, (await call('GET', QUOTAS)).body.used.bytes], [true, before])
  })

  test('requests are counted over all credentials, also of assistants and their tokens, and no other tenant notices', async () => {
    const { key, call, bound } = await newTenant('busy')
    const { key: free } = await newTenant('calm')
    const { userId, key: second } = await stage.service.user({ tenant: 'busy', email: 'two@busy.example' })
    const origin = stage.service.service.publicUrl
    const { token, client } = await storeOAuthRecords(stage.service.database, { tenantId: 'busy', userId, origin })
    const mcp = () =>
      stage.service.call('POST', '/mcp', {
        key: token,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
        headers: { accept: 'application/json, text/event-stream' },
      })
    const tell = () =>
      stage.service.call('POST', '/oauth/introspect', {
        key: null,
        body: new URLSearchParams({ token, client_id: client, client_secret: 'x' }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    await bound({ requests_per_minute: 5 })
    const answers = [
      await call('GET', CATEGORIES),
      await stage.service.call('GET', CATEGORIES, { key: second }),
      await mcp(),
      await tell(),
      await stage.service.call('GET', CATEGORIES, { key }),
    ]
    assert.deepEqual(statuses(answers), [200, 200, 200, 401, 200])
    const refused = [await call('GET', CATEGORIES), await stage.service.call('GET', CATEGORIES, { key: second })]
    for (const answer of refused) {
      assert.deepEqual(said(answer), ['429 quota.requests_per_minute quota_exceeded'])
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    }
    assert.deepEqual(statuses([await mcp(), await tell()]), [429, 429])
    assert.equal((await stage.service.call('GET', CATEGORIES, { key: free })).status, 200)
    await bound({ requests_per_minute: null })
    assert.equal((await call('GET', CATEGORIES)).status, 200)
  })

  test('pages that use up their nine tenths of the requests keep no person of the tenant out', async () => {
    const { call, bound } = await newTenant('shown')
    const page = { name: 'Page', origins: ['https://shown.example'], sections: ['knowledge'] }
    const key = (await call('POST', '/api/knowledge/api-keys/publishable', page)).body.key as string
    await bound({ requests_per_minute: 20 })
    const ask = (query: string) => stage.service.call('POST', '/api/knowledge/search', { key, body: { query } })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(`lamp ${i}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.ok(refused.length >= 11, `${refused.length} of 30 refused`)
    assert.deepEqual(said(refused[0]), ['429 quota.requests_per_minute quota_exceeded'])
    assert.deepEqual(statuses([await call('GET', CATEGORIES), await call('GET', QUOTAS)]), [200, 200])
  })

  test('searches of one request count one by one', async () => {
    const { call, bound } = await newTenant('searching')
    await bound({ requests_per_minute: 6 })
    const searches = Array.from({ length: 5 }, () => ({ query: 'x', sections: ['knowledge'] }))
    assert.equal((await call('POST', '/api/knowledge/multi-search', { searches })).status, 200)
    assert.equal((await call('GET', CATEGORIES)).status, 200)
    assert.equal((await call('GET', CATEGORIES)).status, 429)
  })

  test('used up tokens pause embedding until the next month: words still find, and writes are stored', async () => {
    const { call, write, bound } = await newTenant('embedded')
    const { database } = stage.service
    await write('Ein Haus am See')
    const search = (mode: string) => call('POST', `${ENTRIES}/search`, { query: 'Haus', mode })
    assert.equal((await search('semantic')).status, 200)
    await bound({ embedding_tokens_per_month: 1_000 })
    const now = Date.now()
    const none = { searches: 0, requests: 0, work_ms: 0, transferred: 0, index_bytes: 0 }
    const day = { tenant_id: 'embedded', tokens: 1_000, ...none }
    await database.queries
      .insertInto('usage_days')
      .values({ ...day, day: dayOf(now) })
      .onConflict((on) => on.columns(['tenant_id', 'day']).doUpdateSet({ tokens: 1_000 }))
      .execute()
    await settlePauses(database, now)
    const refused = await search('semantic')
    assert.deepEqual(said(refused), ['429 quota.embedding_tokens_per_month quota_exceeded'])
    assert.ok(Number(refused.headers.get('retry-after')) <= 31 * 86_400)
    assert.equal((await search('hybrid')).body.length, 1)
    assert.equal((await search('keyword')).body.length, 1)
    const later = await write('Ein Haus am Meer')
    assert.deepEqual([later.status, later.body.embedding_model], [201, null])
    assert.equal((await search('keyword')).body.length, 2)
    const { model } = await database.queries
      .selectFrom('embedding_jobs')
      .select('model')
      .where('tenant_id', '=', 'embedded')
      .executeTakeFirstOrThrow()
    assert.deepEqual(await claimJobs(database, model, 'embeddec', 32), [])
    const { embedding_paused_until: until, used } = (await call('GET', QUOTAS)).body
    assert.match(until, /-01T00:00:00\.000Z$/)
    assert.ok(used.embedding_tokens >= 1_000)
    await bound({ embedding_tokens_per_month: 1_000_000 })
    assert.equal((await search('semantic')).status, 200)
    assert.equal((await call('GET', QUOTAS)).body.embedding_paused_until, null)
    await bound({ embedding_tokens_per_month: 1_000 })
    assert.equal((await search('semantic')).status, 429, 'at once')
    // The service itself looks every ten seconds, and pauses by the clock of today.
    let inNextMonth = refused
    for (let tries = 0; tries < 10 && inNextMonth.status === 429; tries++) {
      await settlePauses(database, Date.parse(until))
      inNextMonth = await search('semantic')
    }
    assert.equal(inNextMonth.status, 200)
  })

  test('operators set and lift quotas over HTTP and on the command line, which is recorded', async () => {
    const { call } = await newTenant('metered')
    const run = (...args: string[]) =>
      knowledge(stage.service.place, ['tenant', 'quota', '--tenant', 'metered', ...args])
    const set = await run('entries=10', 'requests_per_minute=600')
    assert.equal(set.code, 0, set.stderr)
    assert.match(set.stdout, /^entries +10, has 0\nbytes +none, has \d+\nrequests_per_minute +600\n/)
    const { body } = await stage.call('GET', `${TENANTS}/metered/quotas`)
    assert.deepEqual([body.entries, body.requests_per_minute, body.bytes], [10, 600, null])
    await stage.call('PATCH', `${TENANTS}/metered/quotas`, { entries: null, bytes: 5 })
    const [record] = (await call('GET', '/api/knowledge/audit-records?resource_type=tenant&limit=1')).body
    assert.deepEqual(record.details.changes, {
      quota_entries: { before: 10, after: null },
      quota_bytes: { before: null, after: 5 },
    })
    const log = (await stage.call('GET', '/api/operator/log?limit=2')).body
    assert.deepEqual(
      log.map(({ action, resource_id: id }: Record<string, unknown>) => [action, id]),
      [
        ['update', 'metered'],
        ['update', 'metered'],
      ],
    )
    for (const word of ['entries', 'entries=-1', 'requests_per_minute=0', 'users=5'])
      assert.equal((await run(word)).code, 2, word)
    assert.match((await run('bytes=none', 'requests_per_minute=none')).stdout, /^bytes +none/m)
    const { quotas } = await stage.service.database.queries
      .selectFrom('tenants')
      .select('quotas')
      .where('tenant_id', '=', 'metered')
      .executeTakeFirstOrThrow()
    assert.equal(quotas, null, 'a tenant without quotas pays nothing for them')
    assert.equal((await stage.call('GET', `${TENANTS}/nobody/quotas`)).status, 404)
  })

  test('one tenant that floods does not keep another from being answered', async () => {
    const flooding = await newTenant('flooding')
    const quiet = await newTenant('quiet')
    let answered = 0
    const flood = Array.from({ length: 120 }, async () => {
      const { status } = await flooding.write('Flut')
      answered++
      return status
    })
    await Promise.race(flood)
    for (let i = 0; i < 3; i++) {
      const before = answered
      assert.equal((await quiet.write('Ruhe')).status, 201)
      assert.ok(answered - before <= 20, `${answered - before} of the flood went before one other`)
    }
    assert.ok(answered < 120, 'the flood was not over')
    // The flooding tenant may be told to come again.
    assert.ok((await Promise.all(flood)).every((status) => status === 201 || status === 503))
  })

  test('what a sweep purges is seen by the next count', async () => {
    const { call, write, bound } = await newTenant('purging')
    await bound({ bytes: 1_100 })
    const { id } = (await write('x'.repeat(1_000))).body
    await call('DELETE', `${ENTRIES}/${id}`)
    assert.equal((await write('x'.repeat(1_000))).status, 507)
    const sweeper = startSweeper(stage.service.database, (error) => assert.fail(error as Error))
    await sweeper.sweep(Date.now() + 31 * 86_400_000)
    await sweeper.close()
    await countDueUsage(stage.service.database, { now: Date.now() + MINUTE_MS })
    assert.equal((await write('x'.repeat(1_000))).status, 201)
  })
})
