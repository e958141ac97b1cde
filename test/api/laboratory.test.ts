import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { type Answer, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const SEARCH = '/api/knowledge/laboratory/search'
const MISSING = '/api/knowledge/laboratory/missing'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

interface Hit {
  readonly id: string
  readonly title: string
  readonly score: number
  readonly meaning: number
  readonly words: number
  readonly other: number
  readonly passage: string | null
}

onAnyDatabase('the search laboratory', (kind) => {
  let service: TestService
  let category: string
  let site: string
  const ids: Record<string, string> = {}

  const put = async (name: string, fields: object, path = ENTRIES, key?: string) => {
    const body = { title: name, language: 'en', content: 'How to return a lamp.', ...fields }
    const answer = await service.call('POST', path, { body, key })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    ids[name] = answer.body.id
  }
  const entry = (name: string, fields: object = {}) => put(name, { category_id: category, ...fields })
  const compare = async (body: object, key?: string) => {
    const answer = await service.call('POST', SEARCH, { body: { section: 'knowledge', ...body }, key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as { ceiling: string; answers: { mode: string; total: number; hits: Hit[] }[] }
  }
  const titles = async (body: object, key?: string) => {
    const { answers } = await compare(body, key)
    return answers[0].hits.map(({ title }) => title).sort()
  }
  const ask = (body: object, key?: string): Promise<Answer> =>
    service.call('POST', MISSING, { body: { section: 'knowledge', query: 'return a lamp', ...body }, key })
  const why = async (name: string, body: object = {}) => {
    const answer = await ask({ id: ids[name], ...body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  before(async () => {
    service = await joinService(kind)
    category = await service.category('Handbook')
    site = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })).body.id
    await entry('Returns', { content: 'How to return a lamp. Send it back within two weeks.', visibility: 'public' })
    await entry('Lamps', { content: 'A lamp gives light.', tags: ['light'] })
    await entry('Secret returns', { visibility: 'restricted' })
    await entry('Opening hours', { content: 'We open at nine.' })
    await entry('Old note', { type: 'memory', metadata: { expires_at: '2020-01-01T00:00:00Z' } })
    await put('Own note', { category_id: category }, `${ENTRIES}/personal`)
    for (const [name, brand] of Object.entries({ 'Red lamp': 'Sol', 'Blue lamp': 'Luna', Chair: 'Sol' })) {
      const path = '/api/knowledge/products?site_id=shop'
      await put(name, { external_id: name, brand, description: name }, path)
    }
  })
  after(() => service.stop())

  test('one query is answered in three modes, and the parts of each hit add up to its score', async () => {
    const { answers } = await compare({ query: 'return a lamp' })
    assert.deepEqual(
      answers.map(({ mode }) => mode),
      ['hybrid', 'semantic', 'keyword'],
    )
    for (const { mode, hits } of answers) {
      assert.equal(hits[0].title === 'Opening hours', false, mode)
      for (const hit of hits) assert.ok(Math.abs(hit.meaning + hit.words + hit.other - hit.score) < 1e-9, mode)
    }
    const [hybrid, semantic, keyword] = answers.map(({ hits }) => hits.find(({ title }) => title === 'Returns')!)
    assert.ok(hybrid.meaning > 0 && hybrid.words > 0)
    assert.deepEqual([semantic.words, keyword.meaning], [0, 0])
    assert.match(semantic.passage!, /return a lamp/)
  })

  test('products are compared in the same way', async () => {
    const { answers } = await compare({ section: 'products', query: 'red lamp' })
    assert.deepEqual(
      answers.map(({ hits }) => hits[0].title),
      ['Red lamp', 'Red lamp', 'Red lamp'],
    )
    assert.ok(answers[0].hits[0].other > 0, 'it has all words')
  })

  test('an administrator searches as a role or ceiling would, and sees no private note', async () => {
    const all = await titles({ query: 'return a lamp', limit: 20 })
    assert.ok(all.includes('Secret returns') && all.includes('Own note'))
    const reader = await titles({ query: 'return a lamp', role: 'reader', limit: 20 })
    assert.deepEqual(
      reader,
      all.filter((title) => title !== 'Secret returns' && title !== 'Own note'),
    )
    assert.deepEqual(await titles({ query: 'return a lamp', ceiling: 'public' }), ['Returns'])
    const both = await compare({ query: 'return a lamp', role: 'reader', ceiling: 'restricted' })
    assert.equal(both.ceiling, 'internal')
  })

  test('an administrator cannot search with a ceiling above their own', async () => {
    const key = await service.key([
      ...ROLE_SCOPES.admin.filter((s) => !s.startsWith('visibility:')),
      'visibility:internal',
    ])
    const body = { section: 'knowledge', query: 'return a lamp' }
    const above = await service.call('POST', SEARCH, { body: { ...body, ceiling: 'restricted' }, key })
    assert.equal(above.status, 422)
    assert.deepEqual(above.body.detail[0].loc, ['body', 'ceiling'])
    assert.equal((await titles({ ...body, role: 'admin' }, key)).includes('Secret returns'), false)
  })

  test('only administrators use the laboratory', async () => {
    for (const role of ['reader', 'editor'] as const) {
      const key = await service.key(ROLE_SCOPES[role])
      const body = { section: 'knowledge', query: 'lamp', id: ids.Returns }
      for (const path of [SEARCH, MISSING]) assert.equal((await service.call('POST', path, { body, key })).status, 403)
    }
  })

  test('a search as another role or ceiling is audited, one as the administrator is not', async () => {
    const looks = async () => {
      const rows = await service.database.queries
        .selectFrom('audit_log')
        .selectAll()
        .where('tenant_id', '=', service.tenantId)
        .where('action', '=', 'look')
        .execute()
      return new Map(rows.map(({ id, resource_id }) => [id, resource_id]))
    }
    const before = await looks()
    await compare({ query: 'lamp' })
    assert.deepEqual(await looks(), before)
    await compare({ query: 'lamp', role: 'editor', ceiling: 'internal' })
    await why('Returns', { role: 'reader' })
    const since = [...(await looks())].filter(([id]) => !before.has(id)).map(([, look]) => look)
    assert.deepEqual(since.toSorted(), ['editor/internal', 'reader/*'])
  })

  test('searches of the laboratory are not in the search log', async () => {
    await compare({ query: 'a query that nobody else types' })
    const range = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'
    await service.call('POST', `${ENTRIES}/search`, { body: { query: 'a query for the log' } })
    await until(async () => {
      const { body } = await service.call('GET', `/api/knowledge/analytics/search?${range}`)
      const queries = new Set(body.top_queries.map(({ query }: { query: string }) => query))
      if (!queries.has('a query for the log')) return false
      assert.equal(queries.has('a query that nobody else types'), false)
      return true
    }, 'the search is in the log')
  })

  test('an entry that is found is reported with its rank', async () => {
    const { answers } = await compare({ query: 'return a lamp', limit: 20 })
    const rank = answers[0].hits.findIndex(({ title }) => title === 'Lamps') + 1
    const { reason, rank: said } = await why('Lamps')
    assert.deepEqual([reason, said], ['found', rank])
  })

  test('an entry above the chosen ceiling is reported as not visible', async () => {
    const { reason, visibility } = await why('Secret returns', { role: 'reader' })
    assert.deepEqual([reason, visibility], ['not_visible', 'restricted'])
    assert.equal((await why('Own note', { role: 'admin' })).reason, 'not_visible')
  })

  test('an entry above the administrator’s ceiling, and another user’s note, are answered like ones that do not exist', async () => {
    const scopes = ROLE_SCOPES.admin.filter((scope) => !scope.startsWith('visibility:'))
    const { key } = await service.user({ email: 'low@example', scopes: [...scopes, 'visibility:internal'] })
    const unknown = await ask({ id: UNKNOWN }, key)
    assert.equal(unknown.status, 422)
    for (const name of ['Secret returns', 'Own note']) {
      const answer = await ask({ id: ids[name] }, key)
      assert.deepEqual([answer.status, answer.body], [422, unknown.body], name)
    }
  })

  test('an expired entry is reported as expired', async () => {
    const { reason, expired_at } = await why('Old note')
    assert.deepEqual([reason, expired_at], ['expired', '2020-01-01T00:00:00.000Z'])
  })

  test('each condition that leaves an entry out is named, and no other', async () => {
    const fits = { field: 'language', any_of: ['en'] }
    const fails = { field: 'tags', any_of: ['light'] }
    const filter = { all: [fits, fails, { field: 'type', any_of: ['process'] }] }
    const answer = await why('Returns', { filter, site_id: site })
    assert.equal(answer.reason, 'filtered')
    assert.deepEqual(answer.conditions, [fails, { field: 'type', any_of: ['process'] }, { site_id: site }])
    assert.equal((await why('Lamps', { filter: fails })).reason, 'found')
  })

  test('the conditions of a long filter are tried in at most twenty searches, and each of them counts', async () => {
    const fits = { field: 'language', any_of: ['en'] }
    const fails = { field: 'tags', any_of: ['light'] }
    const all = [...Array.from({ length: 30 }, () => fits), fails]
    const { conditions } = await why('Returns', { filter: { all } })
    assert.deepEqual(conditions, [{ all: all.slice(19) }])
    const bounded = await service.sibling({ RATE_LIMIT_PER_MINUTE: '15' })
    try {
      const body = { section: 'knowledge', query: 'return a lamp', id: ids.Returns, filter: { all } }
      const key = await service.key(ROLE_SCOPES.admin)
      const statuses = []
      for (const ask of [
        () => service.call('POST', MISSING, { body, key }, bounded.url),
        () => service.call('GET', '/api/session', { key }, bounded.url),
      ])
        statuses.push((await ask()).status)
      assert.equal(statuses[1], 429, String(statuses))
    } finally {
      await bounded.stop()
    }
  })

  test('an entry that is not relevant enough says how relevant it is', async () => {
    const { reason, relevance } = await why('Opening hours', { min_relevance: 0.9 })
    assert.equal(reason, 'below_relevance')
    assert.ok(relevance < 0.9)
  })

  test('an entry without the words is missing from search by keyword alone', async () => {
    assert.equal((await why('Opening hours', { mode: 'keyword' })).reason, 'no_words')
    assert.equal((await why('Opening hours', { mode: 'semantic' })).reason, 'found')
  })

  test('an entry without vectors is not embedded yet', async () => {
    await entry('Not embedded', { content: 'Quite another subject.' })
    await service.database.write(async (tx) => {
      await tx.deleteFrom('entry_vectors').where('entry_id', '=', ids['Not embedded']).execute()
      const { watermark } = await tx
        .updateTable('tenants')
        .set((eb) => ({ watermark: eb('watermark', '+', 1) }))
        .where('tenant_id', '=', service.tenantId)
        .returning('watermark')
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('entries')
        .set({ seq: watermark, text_seq: watermark })
        .where('id', '=', ids['Not embedded'])
        .execute()
    }, service.tenantId)
    assert.equal((await why('Not embedded', { mode: 'semantic' })).reason, 'not_embedded')
  })

  test('a product that a rule hides names the rule, and no rule that hides others', async () => {
    const path = `/api/knowledge/sites/${site}/merchandising`
    const rule = async (name: string, brand: string) =>
      (await service.call('POST', path, { body: { name, action: 'hide', brands: [brand] } })).body.id
    const id = await rule('No Luna', 'Luna')
    await rule('No Stella', 'Stella')
    const about = { section: 'products', query: 'lamp', site_id: site }
    const hidden = await why('Blue lamp', about)
    assert.deepEqual([hidden.reason, hidden.rules], ['hidden_by_rule', [{ rule_id: id, name: 'No Luna' }]])
    assert.equal((await why('Red lamp', about)).reason, 'found')
    assert.equal((await why('Blue lamp', { ...about, site_id: null })).reason, 'found')
  })

  test('one rule among many that hide products is found', async () => {
    const { id: shop } = (
      await service.call('POST', '/api/knowledge/sites', { body: { slug: 'crowded', name: 'Crowded' } })
    ).body
    await put('Green lamp', { brand: 'Verde', content: undefined }, `/api/knowledge/products?site_id=${shop}`)
    const path = `/api/knowledge/sites/${shop}/merchandising`
    const ruleIds: string[] = []
    for (let i = 0; i < 40; i++) {
      const body = { name: `Rule ${i}`, action: 'hide', brands: [i === 37 ? 'Verde' : `Brand ${i}`] }
      ruleIds.push((await service.call('POST', path, { body })).body.id)
    }
    const { reason, rules } = await why('Green lamp', { section: 'products', query: 'lamp', site_id: shop })
    assert.deepEqual([reason, rules], ['hidden_by_rule', [{ rule_id: ruleIds[37], name: 'Rule 37' }]])
  })

  test('a product of another site, or of another brand, is filtered', async () => {
    const other = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'other', name: 'Other' } })).body
      .id
    const about = { section: 'products', query: 'lamp', filter: { field: 'brand', any_of: ['Luna'] }, site_id: other }
    const { reason, conditions } = await why('Red lamp', about)
    assert.deepEqual([reason, conditions], ['filtered', [about.filter, { site_id: other }]])
  })

  test('a product that does not match is beaten by others', async () => {
    assert.equal((await why('Chair', { section: 'products', query: 'red lamp' })).reason, 'others_match_better')
  })
})
