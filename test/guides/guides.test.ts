import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { type Answer, TestService } from '../support/service.ts'
import { blocksOf, type CurlCall, curlCalls } from './blocks.ts'
import { freePort } from '../support/free-port.ts'
import { found, until } from '../support/patience.ts'

const APP = 'docs/guides/search-from-an-app.md'
const SHOP = 'docs/guides/run-a-shop.md'
const LEARNING = 'docs/how-it-works/learning.md'
const PEOPLE = 'docs/guides/manage-people.md'
const OPERATORS = 'docs/guides/run-many-tenants.md'
const TENANT = 'docs/guides/administer-a-tenant.md'
/** Address of the service, as the guides let their readers set it. */
const SERVICE = 'http://localhost:8080'
const MCP = 'docs/reference/mcp-tools.md'
const PRODUCT = {
  external_id: 'd-18',
  title: 'Akku-Bohrschrauber 18 V',
  brand: 'Bohrfix',
  language: 'de',
  price_current: 129.9,
}

/** Sends what a guide tells its reader to type. @param jar cookies that the calls of the page have kept */
async function typed(
  service: TestService,
  { method, path, headers, body, cookies }: CurlCall,
  jar: string[],
): Promise<Answer> {
  const sent = body?.startsWith('@') ? `${JSON.stringify(PRODUCT)}\n` : body
  const answer = await service.call(method, path, {
    key: null,
    headers: {
      ...headers,
      // The service of the test has another port than that of the reader.
      ...(headers.origin === SERVICE ? { origin: service.service.url } : {}),
      ...(cookies === 'sent' ? { cookie: jar.join('; ') } : {}),
    },
    body: sent,
  })
  if (cookies === 'kept') jar.push(...answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]))
  return answer
}

/** Sends all calls of curl on a page in order. */
async function typeAll(service: TestService, page: string, variables: Readonly<Record<string, string>>) {
  const answers: { readonly call: CurlCall; readonly answer: Answer }[] = []
  const jar: string[] = []
  for (const block of blocksOf(page, 'sh').filter((text) => text.includes('curl'))) {
    for (const call of curlCalls(block, variables)) answers.push({ call, answer: await typed(service, call, jar) })
  }
  const refused = answers.filter(({ answer }) => answer.status >= 300)
  assert.deepEqual(refused, [])
  return answers
}

onAnyDatabase('the guides', (kind) => {
  let service: TestService
  let searchKey: string
  before(async () => {
    service = await TestService.start(kind)
    const [, scopes] = /--scopes "([^"]+)"/.exec(readFileSync(APP, 'utf8'))!
    searchKey = await service.key(scopes.split(' '))
    const entry = { title: 'Send a parcel back', content: 'The refund comes within 14 days.', tags: ['returns'] }
    const body = { ...entry, language: 'en', visibility: 'public', category_id: await service.category() }
    assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body })).status, 201)
  })
  after(() => service.stop())

  test('the calls of the guide for apps find the entry with the key that the guide issues', async () => {
    const answers = await typeAll(service, APP, { APP_KEY: searchKey, KNOWLEDGE_API_KEY: service.adminKey })
    const [plain, suggested, filtered, rich, figures] = answers.map(({ answer }) => answer.body)
    assert.deepEqual([suggested.completions, suggested.entries[0].title], [['parcel'], 'Send a parcel back'])
    assert.deepEqual([plain[0].entry.title, filtered[0].entry.title], ['Send a parcel back', 'Send a parcel back'])
    assert.equal(plain[0].excerpt.text, 'The refund comes within 14 days.')
    assert.deepEqual(rich.sections[0].facets[0].values, [{ value: 'returns', count: 1 }])
    assert.ok('total' in figures)
  })

  test('the calls of the guide for shops lead from a site to a click', async () => {
    const { body } = await service.call('GET', '/api/knowledge/sites')
    const pinned = { ...PRODUCT, external_id: 'pinned' }
    const product = await service.call('POST', '/api/knowledge/products?site_id=default', { body: pinned })
    const named = { SITE_ID: body[0].id, LOG_ID: 'none', PRODUCT_ID: product.body.id, VISITOR: 'ann' }
    const answers = await typeAll(service, SHOP, { KNOWLEDGE_API_KEY: service.adminKey, ...named })
    const answerOf = (path: string): Answer => answers.find(({ call }) => call.path.includes(path))!.answer
    assert.match(answerOf('products/bulk').body, /"status":"created".*\n.*"status":"finished"/)
    assert.equal(answerOf('products/search').body.hits[0].product.external_id, 'd-18')
    assert.equal(answerOf('suggest').body.products[0].title, PRODUCT.title)
    assert.equal(answerOf('/search/clicks').status, 202)
    assert.equal(answerOf('/merchandising').body.name, 'Winter sale')
    const actions = answers
      .filter(({ call }) => call.path.includes('/merchandising'))
      .map(({ answer }) => answer.body.action)
    assert.deepEqual(actions, ['boost', 'pin', 'hide', 'redirect'])
    assert.equal(answerOf('/search-vocabulary').body.synonyms.length, 2)
  })

  test('the calls of the page on MCP get the answers that it shows', async () => {
    const [search, discovery] = (await typeAll(service, MCP, { KNOWLEDGE_API_KEY: service.adminKey })).map(
      ({ answer }) => answer,
    )
    assert.match(
      search.body,
      /^event: message\ndata: \{"result":\{"content":\[\{"type":"text".*"structuredContent":\{"hits"/,
    )
    const { supportedVersions, capabilities } = discovery.body.result
    assert.deepEqual(
      [supportedVersions, Object.keys(capabilities)],
      [['2026-07-28'], ['tools', 'resources', 'prompts']],
    )
  })

  test('the calls of the page on learning report a click and switch a site on', async () => {
    const { body } = await service.call('GET', '/api/knowledge/sites')
    const variables = { SITE_ID: body[0].id, LOG_ID: 'none', PRODUCT_ID: 'none', KNOWLEDGE_API_KEY: service.adminKey }
    const answers = await typeAll(service, LEARNING, variables)
    assert.deepEqual(answers[answers.length - 1].answer.body.config, { click_learning: true })
  })

  test('the calls of the guide on people lead from an invitation to an erased user', async () => {
    const PASSWORD = 'bob likes long passwords'
    const { userId: id } = await service.user({ email: 'ann.smith@example.com', role: 'admin' })
    const { userId: bob } = await service.user({ email: 'bob@example.com' })
    const { userId: other } = await service.user({ email: 'other@example.com' })
    for (const each of [id, bob]) await givePassword(service.database, service.tenantId, each, PASSWORD)
    const origin = service.service.url
    const session = { email: 'ann.smith@example.com', password: PASSWORD }
    const signedIn = await service.call('POST', '/api/session', { key: null, body: session, headers: { origin } })
    const cookie = signedIn.headers.getSetCookie()[0].split(';')[0]
    const key = { name: 'Feed', scopes: ['knowledge:read'] }
    const headers = { origin, cookie }
    const issued = await service.call('POST', '/api/knowledge/api-keys', { key: null, body: key, headers })
    const named = { USER_ID: id, KEY_ID: issued.body.id, OTHER_ID: other, EMAIL: 'bob@example.com', PASSWORD }
    const answers = await typeAll(service, PEOPLE, { SERVICE, KNOWLEDGE_API_KEY: service.adminKey, ...named })
    const bodies = answers.map(({ answer }) => answer.body)
    const [invited, users, link, changed, , access, foreseen, left, disabled, enabled, , , administering, given] =
      bodies
    assert.match(invited.link, /\/console\/invitation#/)
    for (const each of [link, given]) assert.match(each.link, /\/console\/new-password#/)
    assert.deepEqual([users[0].id, changed.role, disabled.disabled, enabled.disabled], [id, 'reader', true, false])
    const idsOf = (body: { issued_api_keys: { id: string }[] }) => body.issued_api_keys.map((each) => each.id)
    assert.deepEqual([access, foreseen, left].map(idsOf), [[issued.body.id], [], []])
    assert.deepEqual(administering.scopes, ['tenant:admin'])
    assert.equal((await service.call('GET', `/api/knowledge/users/${id}`)).status, 404)
  })

  test('the calls of the guide for operators make a tenant, suspend it, plan its removal, cancel that, count and bound it', async () => {
    const { key } = await issueOperator(service.database, { name: 'guide', expiresAt: null })
    const answers = await typeAll(service, OPERATORS, { SERVICE, KNOWLEDGE_OPERATOR_KEY: key })
    const [setup, ...others] = answers.map(({ answer }) => answer.body)
    const answerTo = (path: string) => answers.find(({ call }) => call.path.includes(path))!.answer.body
    assert.deepEqual([setup.tenant.state, setup.administrator.email], ['active', 'ann@acme.example'])
    const states = others.map(({ state }) => state).filter((state) => state !== undefined)
    assert.deepEqual(states, ['active', 'suspended', 'active', 'suspended', 'removal_planned', 'suspended'])
    const example = JSON.parse(blocksOf(OPERATORS, 'json')[0])
    assert.deepEqual(Object.keys(answerTo('/usage')[0]), Object.keys(example[0]), 'the answer that the guide shows')
    assert.equal(answerTo('/quotas').entries, 10_000)
  })

  test('the calls of the guide for administrators change a setting and read the audit trail', async () => {
    const [read, changed, models, chosen, records, table] = await typeAll(service, TENANT, {
      SERVICE,
      KNOWLEDGE_API_KEY: service.adminKey,
    })
    assert.equal(read.answer.headers.get('etag'), changed.call.headers['if-match'])
    assert.deepEqual([changed.answer.body.language, changed.answer.body.bin_days], ['en', 90])
    assert.equal(models.answer.headers.get('etag'), chosen.call.headers['if-match'])
    assert.deepEqual([chosen.answer.status, chosen.answer.body.choice], [200, 'both'])
    assert.equal(records.answer.body[0].resource_type, 'tenant')
    assert.match(table.answer.body, /^id,/)
  })

  describe('the search box of the guide for apps', () => {
    let folder: string
    let app: ChildProcess
    let address: string
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'knowledge-guide-'))
      for (const block of blocksOf(APP, 'ts')) writeFileSync(join(folder, /^\/\/ (\S+)/.exec(block)![1]), block)
      const port = await freePort()
      address = `http://127.0.0.1:${port}`
      app = spawn(process.execPath, [join(folder, 'server.ts')], {
        env: { PORT: String(port), KNOWLEDGE_URL: service.service.url, APP_KEY: searchKey },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await listening(app, address)
    })
    after(async () => {
      app.kill()
      if (app.exitCode === null && app.signalCode === null) await once(app, 'exit')
      rmSync(folder, { recursive: true, force: true })
    })

    test('it shows results, and a click on one counts in the figures', async () => {
      const page = await fetch(address)
      assert.match(await page.text(), /<input name="q"/)
      const response = await fetch(`${address}/search?q=refund`)
      const { searchId, isLast, results } = (await response.json()) as SearchAnswer
      assert.equal(isLast, true)
      assert.deepEqual(
        [results[0].title, results[0].excerpt],
        ['Send a parcel back', 'The refund comes within 14 days.'],
      )
      const cookie = response.headers.get('set-cookie')!.split(';')[0]
      const query = new URLSearchParams({ searchId, id: results[0].id })
      const click = await fetch(`${address}/click?${query.toString()}`, { method: 'POST', headers: { cookie } })
      assert.equal(click.status, 204)
      assert.equal(await clicksOf(service, searchId), 1)
    })

    test('it says that nothing was found, what was meant, and that there is no such page', async () => {
      const ask = async (query: string) => {
        const answer = await fetch(`${address}/search?${query}`)
        const body = (await answer.json()) as Partial<SearchAnswer> & { didYouMean?: string | null; error?: string }
        return { status: answer.status, ...body }
      }
      const { results, didYouMean } = await ask('q=gliblfrunz')
      assert.deepEqual([results, didYouMean], [[], null])
      assert.equal((await ask('q=refnud')).results?.length, 1, 'misspelt words are forgiven')
      assert.deepEqual((await ask('q=refund&page=100')).results, [])
      for (const page of ['101', '200', '-1', 'x'])
        assert.deepEqual(await ask(`q=refund&page=${page}`), { status: 422, error: 'There is no such page' })
    })

    test('it refuses an empty query, and its page does not hold the key', async () => {
      const refused = await fetch(`${address}/search?q=`)
      const text = await refused.text()
      assert.equal(refused.status, 422)
      assert.deepEqual(JSON.parse(text), { error: 'Please enter something else' })
      assert.ok(!(await (await fetch(address)).text()).includes(searchKey))
    })
  })
})

interface SearchAnswer {
  readonly searchId: string
  readonly isLast: boolean
  readonly results: readonly { readonly id: string; readonly title: string; readonly excerpt: string }[]
}

/** Returns the number of stored clicks of a search. They are written up to a second later. */
async function clicksOf(service: TestService, searchId: string): Promise<number> {
  const query = service.database.queries.selectFrom('search_clicks').select('search_known')
  return found(
    async () => (await query.where('search_log_id', '=', searchId).execute()).length || null,
    'the click is stored',
  )
}

async function listening(app: ChildProcess, address: string): Promise<void> {
  let said = ''
  app.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  await until(
    () => {
      assert.equal(app.exitCode, null, `The server of the guide ended: ${said}`)
      return fetch(address).then(
        () => true,
        () => false,
      )
    },
    () => `the server of the guide answers: ${said}`,
  )
}
