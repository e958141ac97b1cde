import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { lockUser } from '../../src/identity/sessions/lock-rules.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { writeWaits } from '../support/waiting-writes.ts'
import { Assistant, REDIRECT, SCOPE } from './assistant.ts'
import { Person } from './person.ts'
import { type Answer, ISSUER, PASSWORD, pkce, type Stage } from './stage.ts'

const CONSENTED = ['knowledge:read']

/** Declares the tests of the questions that a person is asked, and of who can answer them. */
export function consentAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string, more: Record<string, string> = {}, role = 'editor') => {
    const stage = stageOf()
    const user = await stage.user(email, role)
    const person = new Person(stage)
    await person.beSignedIn(user.id)
    const assistant = await Assistant.register(stage)
    const page = (await person.ask(assistant.query(pkce(), more))).page!
    return { stage, user, person, assistant, page }
  }
  const fault = ({ status, json, text }: Answer): string => `${status} ${json?.detail?.[0]?.loc?.join('.') ?? text}`
  const scopesOf = async (person: Person, page: string): Promise<string[]> =>
    (await person.call('GET', `${page}/details`)).json.scopes.map(({ name }: { name: string }) => name)

  test('no page of another origin can continue, consent or deny', async () => {
    const { stage, person, page } = await setUp('csrf@x')
    const next = await person.goOn(page)
    const { page: before } = await person.ask((await Assistant.register(stage)).query(pkce()))
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'https://knowledge.example.evil.example' },
      { origin: 'https://knowledge.example:8443' },
      { origin: 'http://knowledge.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { origin: 'https://evil.example', referer: `${ISSUER}/` },
    ]
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const headers of foreign) {
        for (const [path, json] of [
          [`${before}/continue`, {}],
          [`${next}/consent`, { scopes: CONSENTED }],
          [`${next}/deny`, {}],
        ] as const) {
          assert.equal(fault(await person.call('POST', path, { json, headers })), '403 header.origin', path)
        }
      }
      const cookie = person.cookiesFor(next)
      for (const site of ['', 'cross-site', 'same-site', 'none']) {
        const headers = { cookie, ...(site === '' ? {} : { 'sec-fetch-site': site }) }
        const answer = await stage.send('POST', `${next}/consent`, { json: { scopes: CONSENTED }, headers })
        assert.equal(fault(answer), '403 header.origin', site)
      }
      // The types that a form of another page can send without CORS; none of them is JSON.
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const sent = { form: '{"scopes":["knowledge:read"]}', headers: { 'content-type': type } }
        assert.equal((await person.call('POST', `${next}/consent`, sent)).status, 415, type)
      }
    })
    assert.equal((await person.consent(next, CONSENTED)).status, 200)
  })

  test('no consent is given in another browser, as another user, or for another request', async () => {
    const { stage, person, page } = await setUp('browser@x')
    const next = await person.goOn(page)
    const other = await setUp('somebody@x')
    // Cookies without this service's signature.
    const forged = new Person(stage)
    await forged.signIn('somebody@x')
    forged.keep('/', 'ks_oauth_interaction', next.split('/').at(-1) ?? '')
    forged.keep('/', 'ks_oauth_interaction.sig', 'x'.repeat(27))
    await assertUntouched(stage.database, ['default', '*'], async () => {
      // Another person's browser, with the page's address and without, and a browser without a session.
      for (const browser of [other.person, new Person(stage)]) {
        assert.equal(fault(await browser.consent(next, CONSENTED)), '404 path.uid')
        assert.equal(fault(await browser.call('GET', `${next}/details`)), '404 path.uid')
        assert.equal(fault(await browser.call('POST', `${next}/deny`)), '404 path.uid')
        assert.equal((await browser.call('GET', `/oauth/authorize/${next.split('/').at(-1)}`)).status, 400)
      }
      for (const unknown of ['unknown', 'x'.repeat(100), '%00', '..%2f..%2f']) {
        const answer = await person.consent(`/oauth/interaction/${unknown}`, CONSENTED)
        assert.ok([404, 422].includes(answer.status), `${unknown}: ${answer.text}`)
      }
      assert.equal(fault(await forged.consent(next, CONSENTED)), '404 path.uid')
    })

    // In the same browser, but after another user signed in.
    await person.signIn('somebody@x')
    await assertUntouched(stage.database, ['default', '*'], async () => {
      assert.equal(fault(await person.consent(next, CONSENTED)), '403 header.cookie')
    })
    // In the same browser, but after signing out.
    await person.call('DELETE', '/api/session')
    await assertUntouched(stage.database, ['default', '*'], async () => {
      assert.equal((await person.consent(next, CONSENTED)).status, 401)
    })
  })

  test('a sign-in page cannot be answered with a consent, and each page is answered once', async () => {
    const { stage, person, page } = await setUp('order@x')
    await assertUntouched(stage.database, ['default', '*'], async () => {
      assert.equal(fault(await person.consent(page, CONSENTED)), '404 path.uid')
    })
    const next = await person.goOn(page)
    await assertUntouched(stage.database, ['default', '*'], async () => {
      assert.equal(fault(await person.call('POST', `${next}/continue`)), '404 path.uid')
      assert.equal(fault(await person.consent(page, CONSENTED)), '404 path.uid')
    })
    const { location } = (await person.consent(next, CONSENTED)).json
    const first = await person.follow(location)
    assert.match(first.location!, /[?&]code=/)
    assert.equal(fault(await person.consent(next, ['knowledge:write'])), '404 path.uid')
    const again = await person.follow(location)
    assert.deepEqual([again.status, again.location], [400, null])
  })

  test('a request for a new sign-in is not satisfied by the old session', async () => {
    const { stage, person, assistant } = await setUp('anew@x')
    const ways: Record<string, string>[] = [{ prompt: 'login' }, { scope: 'openid knowledge:read', max_age: '0' }]
    for (const more of ways) {
      const page = (await person.ask(assistant.query(pkce(), more))).page!
      // The interaction knows its start to the second.
      await stage.database.queries
        .updateTable('sessions')
        .set({ created_at: Date.now() - 5_000 })
        .execute()
      assert.equal((await person.call('GET', `${page}/details`)).json.sign_in_again, true)
      await assertUntouched(stage.database, ['default', '*'], async () => {
        assert.equal(fault(await person.call('POST', `${page}/continue`)), '403 header.cookie')
      })
      await person.signIn('anew@x')
      const next = await person.goOn(page)
      assert.equal((await person.call('GET', `${next}/details`)).json.prompt, 'consent')
    }
  })

  test('no person can consent to scopes that were not requested, that they do not have, or to none', async () => {
    const scope = 'openid knowledge:read knowledge:write sites:write tenant:admin visibility:restricted'
    const { stage, user, person, page } = await setUp('scopes@x', { scope })
    const next = await person.goOn(page)
    assert.deepEqual(await scopesOf(person, next), ['knowledge:read', 'knowledge:write', 'visibility:workspace'])
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const [scopes, place] of [
        [['knowledge:read', 'knowledge:delete'], '422 body.scopes.1'],
        [['tenant:admin'], '422 body.scopes.0'],
        [['knowledge:read', 'sites:write'], '422 body.scopes.1'],
        [['visibility:restricted'], '422 body.scopes.0'],
        [['openid'], '422 body.scopes.0'],
        [['root'], '422 body.scopes.0'],
        [[], '422 body.scopes'],
        [['knowledge:read', 'knowledge:read tenant:admin'], '422 body.scopes.1'],
      ] as const) {
        assert.equal(fault(await person.consent(next, scopes)), place, scopes.join())
      }
      assert.equal((await person.call('POST', `${next}/consent`, { json: { scopes: 'knowledge:read' } })).status, 422)
      assert.equal((await person.call('POST', `${next}/consent`, { json: {} })).status, 422)
    })
    // The current role counts, not the role when the page was shown.
    await changeUser(stage.database, 'default', user.id, { role: 'reader' })
    assert.equal(fault(await person.consent(next, ['knowledge:write'])), '422 body.scopes.0')
    assert.equal((await person.consent(next, CONSENTED)).status, 200)
  })

  test('a stolen session lets no application administer the tenant', async () => {
    const scope = 'knowledge:read tenant:admin'
    const { stage, person, assistant, page } = await setUp('stolen@x', { scope }, 'admin')
    const next = await person.goOn(page)
    const scopes = scope.split(' ')
    const decide = (confirmation?: object) => person.call('POST', `${next}/consent`, { json: { scopes, confirmation } })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const nothing of [undefined, {}]) {
        const refused = await decide(nothing)
        assert.equal(fault(refused), '403 body.confirmation')
        assert.equal(refused.json.detail[0].type, 'proof_needed')
      }
      assert.equal(fault(await decide({ password: PASSWORD, code: '000000' })), '422 body.confirmation')
    })
    const wrong = await decide({ password: 'wrong horse battery' })
    assert.equal(fault(wrong), '422 body.confirmation.password')
    assert.equal(wrong.json.detail[0].type, 'proof_wrong')
    const allowed = await decide({ password: PASSWORD })
    assert.equal(allowed.status, 200, allowed.text)
    assert.match((await person.follow(allowed.json.location)).location!, /[?&]code=/)
    // A choice that leaves administration out asks for nothing more.
    const { page: again } = await person.ask(assistant.query(pkce(), { scope, prompt: 'consent' }))
    const last =
      (await person.call('GET', `${again}/details`)).json.prompt === 'login' ? await person.goOn(again!) : again!
    assert.equal((await person.consent(last, CONSENTED)).status, 200)
  })

  test('a consent that waits while its person loses rights grants nothing, and the person decides again', async () => {
    // The role of an editor does not bound the offer of prompts, so a grant would keep it.
    const scopes = ['knowledge:write', 'knowledge:prompts']
    const { stage, user, person, page } = await setUp('outranked@x', { scope: scopes.join(' ') }, 'admin')
    const next = await person.goOn(page)
    let answer!: Promise<Answer>
    await stage.database.write(async (tx) => {
      await lockUser(tx, 'default', user.id)
      answer = person.consent(next, scopes)
      await writeWaits(stage.database)
      await tx.updateTable('users').set({ role: 'editor' }).where('id', '=', user.id).execute()
    }, 'default')
    assert.equal(fault(await answer), '401 header.cookie')
    assert.equal((await person.consent(next, ['knowledge:write'])).status, 200)
    const grants = stage.database.queries.selectFrom('oauth_records').select('payload').where('kind', '=', 'Grant')
    const stored = await grants.where('user_id', '=', user.id).execute()
    assert.deepEqual(
      stored.map(({ payload }) => Object.values(JSON.parse(payload).resources)),
      [['knowledge:write']],
    )
  })

  test('a client gets no scope beyond its registration', async () => {
    const stage = stageOf()
    await stage.user('narrow@x', 'admin')
    const person = new Person(stage)
    await person.signIn('narrow@x')
    const narrow = await Assistant.register(stage, { registration: { scope: 'knowledge:read visibility:public' } })
    const { page } = await person.ask(
      narrow.query(pkce(), { scope: 'knowledge:read tenant:admin visibility:restricted' }),
    )
    const next = await person.goOn(page!)
    assert.deepEqual(await scopesOf(person, next), ['knowledge:read', 'visibility:public'])
    assert.equal(fault(await person.consent(next, ['tenant:admin'])), '422 body.scopes.0')
    const nothing = await person.ask(narrow.query(pkce(), { scope: 'tenant:admin' }))
    const empty = await person.call('GET', `${nothing.page}/details`)
    assert.deepEqual([empty.json.scopes, empty.json.fault], [[], 'nothing_to_grant'])
  })

  test('a person is told where this answer goes, whatever other addresses the client registered', async () => {
    const { stage, person } = await setUp('returning@x')
    const uris = {
      'com.evil.app://claude.ai/cb': { kind: 'app', name: 'com.evil.app' },
      'https://app.example:8443/cb': { kind: 'site', name: 'app.example:8443' },
      'http://127.0.0.1/cb': { kind: 'machine', name: '127.0.0.1' },
    }
    const client = await Assistant.register(stage, { registration: { redirect_uris: Object.keys(uris) } })
    for (const [redirect_uri, to] of Object.entries(uris)) {
      const { page } = await person.ask(client.query(pkce(), { redirect_uri }))
      const { json } = await person.call('GET', `${page}/details`)
      assert.deepEqual(json.client.returns_to, to)
      assert.ok(!JSON.stringify(json).includes('claude.ai'))
    }
    const anyPort = { redirect_uri: 'http://127.0.0.1:49152/cb' }
    const { page } = await person.ask(client.query(pkce(), anyPort))
    const { json } = await person.call('GET', `${page}/details`)
    assert.deepEqual(json.client.returns_to, { kind: 'machine', name: '127.0.0.1:49152' })
  })

  test('a client of another tenant gets nothing, nor does a self-registered client where that is not allowed', async () => {
    const { stage, person } = await setUp('tenant@x')
    await stage.tenant('neighbour')
    const key = await stage.key(['clients:register'], 'neighbour')
    const foreign = await Assistant.register(stage, { key })
    await changeTenant(stage.database, 'neighbour', { settings: { oauthRegistration: 'open' } })
    const client = { client_name: 'Self', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
    const self = (await stage.send('POST', '/oauth/register', { json: client })).json
    for (const [id, name] of [
      [foreign.id, 'other_tenant'],
      [self.client_id, 'registration_closed'],
    ]) {
      const { page } = await person.ask({ ...foreign.query(pkce()), client_id: id })
      assert.equal((await person.call('GET', `${page}/details`)).json.fault, name)
      await assertUntouched(stage.database, ['default', 'neighbour', '*'], async () => {
        assert.equal(fault(await person.call('POST', `${page}/continue`)), '403 path.uid')
      })
    }
    await changeTenant(stage.database, 'neighbour', { settings: { oauthRegistration: 'key' } })
  })

  test('no answer of these pages can be framed or cached, and none redirects to another site', async () => {
    const { stage, person, assistant, page } = await setUp('frame@x')
    const next = await person.goOn(page)
    const answers = [
      await person.call('GET', `${next}/details`),
      await person.call('GET', `${next}/details?return_to=https://evil.example`),
      await person.call('GET', '/oauth/authorize?client_id=unknown'),
      (await person.ask(assistant.query(pkce()))).answer,
      await person.consent(next, ['root']),
      await stage.send('GET', '/oauth/interaction/unknown/details'),
    ]
    for (const { headers, text } of answers) {
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, text)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.ok(!String(headers.location ?? '').includes('evil.example'))
    }
    const evil = { form: new URLSearchParams({ location: 'https://evil.example' }).toString() }
    const denied = await person.call('POST', `${next}/deny`, { headers: { host: 'evil.example' }, ...evil })
    assert.notEqual(denied.status, 200)
    const { location } = (await person.call('POST', `${next}/deny`)).json
    assert.equal(new URL(location, ISSUER).origin, ISSUER)
    const back = await person.follow(location)
    const { searchParams, origin, pathname } = new URL(back.location!)
    assert.equal(origin + pathname, REDIRECT)
    assert.deepEqual(
      ['error', 'iss', 'state', 'code'].map((name) => searchParams.get(name)),
      ['access_denied', ISSUER, 'a state', null],
    )
  })

  test('cookies are only for this service, over TLS, and hidden from scripts', async () => {
    const { person, assistant } = await setUp('cookies@x')
    const { answer } = await person.ask(assistant.query(pkce(), { scope: SCOPE }))
    const lines = [answer.headers['set-cookie'] ?? []].flat()
    assert.ok(lines.length > 0)
    for (const line of lines) {
      assert.match(line, /; path=\/oauth/i)
      assert.match(line, /; secure/i)
      assert.match(line, /; httponly/i)
      assert.match(line, /; samesite=lax/i)
      assert.doesNotMatch(line, /; domain=/i)
    }
  })
}
