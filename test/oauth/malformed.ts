import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { redirectUriFault } from '../../src/identity/oauth/clients/redirect-uri.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, REDIRECT, statusOf } from './assistant.ts'
import { all, mutationsOf, type Pairs, queryOf, RUNS, smallMutationsOf, text } from './mutations.ts'
import { Person } from './person.ts'
import { type Answer, pkce, type Stage } from './stage.ts'

const refusedClearly = ({ status, json, text: said }: Answer): void => {
  assert.ok(status >= 400 && status < 500, `${status} ${said}`)
  assert.ok(json?.error !== undefined || json?.detail?.length > 0, said)
  for (const name of ['access_token', 'refresh_token', 'id_token', 'client_secret']) assert.equal(json[name], undefined)
}

/** Sends the small mutations of a request and the given number of others. */
const every = (form: Readonly<Record<string, string>>, check: (pairs: Pairs) => Promise<void>): Promise<void> =>
  all(mutationsOf(form), check, smallMutationsOf(form))

/** Declares the tests of requests that are malformed in every way. */
export function malformedRequests(stageOf: () => Stage): void {
  const setUp = async (email: string) => {
    const stage = stageOf()
    const user = await stage.user(email)
    const person = new Person(stage)
    await person.beSignedIn(user.id)
    return { stage, person, assistant: await Assistant.register(stage) }
  }

  test('a form that is too large, has repeated fields, or is not a form is refused and read no further', async () => {
    const { stage, person, assistant } = await setUp('form@x')
    const { access_token: token } = await assistant.connect(person)
    const good = new URLSearchParams({ token, client_id: assistant.id }).toString()
    const send = (form: string, headers: Record<string, string> = {}, path = '/oauth/revoke') =>
      stage.send('POST', path, { form, headers })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      const large = await send(`${good}&x=${'x'.repeat(65_536)}`)
      assert.deepEqual([large.status, large.json.detail[0].type], [413, 'body_too_large'])
      assert.equal((await send(`${good}&client_id=${assistant.id}`)).status, 422)
      assert.equal((await send(`token=a&${good}`)).status, 422)
      assert.equal((await send(good.replace('token=', 'token%00='))).status, 422)
      for (const type of [
        'application/json',
        'text/plain',
        'multipart/form-data',
        'application/x-www-form-urlencodedx',
      ]) {
        for (const path of ['/oauth/revoke', '/oauth/token', '/oauth/introspect']) {
          assert.equal((await send(good, { 'content-type': type }, path)).status, 415, type)
        }
      }
      assert.equal(
        (await stage.send('POST', '/oauth/revoke', { json: { token, client_id: assistant.id } })).status,
        415,
      )
      for (const empty of ['', '&&&', '=', 'x', '%', '%zz=%zz', 'token', 'token=&client_id='])
        refusedClearly(await send(empty))
      // Parameters in the address do not count.
      refusedClearly(await stage.send('POST', `/oauth/revoke?${good}`, { form: '' }))
      assert.equal((await stage.send('GET', `/oauth/revoke?${good}`)).status, 405)
      assert.equal((await stage.send('GET', '/oauth/token?grant_type=client_credentials')).status, 405)
    })
    assert.equal(await statusOf(stage, token), 200)
    // A token counts only as a bearer credential.
    for (const path of [`/api/session?access_token=${token}`, '/api/session']) {
      const headers: Record<string, string> = path.includes('?') ? {} : { authorization: `Basic ${token}` }
      assert.equal((await stage.send('GET', path, { headers })).status, 401)
    }
  })

  test(`none of more than ${RUNS} mutated token requests gets a token or uses up the code`, async () => {
    const { stage, person, assistant } = await setUp('mutated-token@x')
    const proof = pkce()
    const form = assistant.form(await assistant.code(person, proof), proof)
    await assertUntouched(stage.database, ['default', '*'], () =>
      every(form, async (pairs) => refusedClearly(await stage.send('POST', '/oauth/token', { form: queryOf(pairs) }))),
    )
    assert.equal((await assistant.token(form)).status, 200)
  })

  test(`none of more than ${RUNS} mutated refresh requests gets a token or uses up the refresh token`, async () => {
    const { stage, person, assistant } = await setUp('mutated-refresh@x')
    const { refresh_token } = await assistant.connect(person)
    const form = { grant_type: 'refresh_token', refresh_token, client_id: assistant.id }
    await assertUntouched(stage.database, ['default', '*'], () =>
      every(form, async (pairs) => refusedClearly(await stage.send('POST', '/oauth/token', { form: queryOf(pairs) }))),
    )
    assert.equal((await assistant.token(form)).status, 200)
  })

  test(`none of more than ${RUNS} mutated consents grants anything, and the person can still decide`, async () => {
    const { stage, person, assistant } = await setUp('mutated-consent@x')
    const page = await person.goOn((await person.ask(assistant.query(pkce()))).page!)
    const good = ['knowledge:read', 'visibility:internal']
    const scope = fc.oneof(text, fc.constantFrom('tenant:admin', 'openid', 'visibility:restricted', 'knowledge:read'))
    const scopes = fc.oneof(
      text,
      fc.array(scope, { maxLength: 3 }),
      scope.map((each) => [...good, each, 'tenant:admin']),
      fc.constantFrom(null, undefined, 5, true, {}, [null], [[...good]], good.join(' '), Array(30).fill(good[1])),
    )
    const mutations = scopes.filter(
      (each) => !Array.isArray(each) || each.some((name) => name !== 'knowledge:read') || each.length === 0,
    )
    await assertUntouched(stage.database, ['default', '*'], () =>
      all(mutations, async (each) =>
        refusedClearly(await person.call('POST', `${page}/consent`, { json: { scopes: each } })),
      ),
    )
    assert.equal((await person.consent(page, good)).status, 200)
  })

  test(`none of more than ${RUNS} mutated revocations and introspections ends a token or reveals anything about it`, async () => {
    const { stage, person, assistant } = await setUp('mutated-revoke@x')
    const { access_token: token } = await assistant.connect(person)
    const registration = { token_endpoint_auth_method: 'client_secret_post' }
    const secretive = await Assistant.register(stage, { registration })
    const proof = pkce()
    const exchange = secretive.form(await secretive.code(person, proof), proof)
    const { json: own } = await secretive.token({ ...exchange, client_secret: secretive.secret })
    const revocation = { token, client_id: assistant.id }
    const introspection = { token: own.access_token, client_id: secretive.id, client_secret: secretive.secret }
    await assertUntouched(stage.database, ['default', '*'], async () => {
      await every(revocation, async (pairs) => {
        const answer = await stage.send('POST', '/oauth/revoke', { form: queryOf(pairs) })
        if (answer.status !== 200) refusedClearly(answer)
      })
      await every(introspection, async (pairs) => {
        const answer = await stage.send('POST', '/oauth/introspect', { form: queryOf(pairs) })
        if (answer.status === 200) assert.deepEqual(answer.json, { active: false })
        else refusedClearly(answer)
      })
    })
    assert.equal(await statusOf(stage, token), 200)
    const { json } = await stage.send('POST', '/oauth/introspect', { form: introspection })
    assert.equal(json.active, true)
  })

  test(`more than ${RUNS} mutated requests to authorize lead to our own page or back to the client, never with a code`, async () => {
    const { stage, assistant } = await setUp('mutated-authorize@x')
    await assertUntouched(stage.database, ['default'], () =>
      every(assistant.query(pkce()), async (pairs) => {
        const { status, location, text: page } = await stage.send('GET', `/oauth/authorize?${queryOf(pairs)}`)
        assert.ok(status < 500 && status !== 200, `${status} ${page}`)
        if (location === null) return
        if (location.startsWith('/oauth/interaction/')) return
        assert.ok(location.startsWith(`${REDIRECT}?`) || location.startsWith(`${REDIRECT}#`), location)
        assert.match(location, /[?#&]error=/)
        assert.doesNotMatch(location, /[?#&](?:code|access_token|id_token)=/)
      }),
    )
  })

  test(`more than ${RUNS} mutated registrations are refused, or stored with allowed values only`, async () => {
    const { stage } = await setUp('mutated-register@x')
    const good = {
      client_name: 'An assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'knowledge:read',
    }
    const value = fc.oneof(
      text,
      text.map((each) => [each]),
      text.map((each) => [REDIRECT, each]),
      fc.constantFrom(null, 5, true, {}, [], [null], [[]], Array(30).fill('code')),
    )
    const mutations = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(good)), fc.option(value, { nil: undefined })), {
        minLength: 1,
        maxLength: 3,
        selector: ([name]) => name,
      })
      .map((changes): Record<string, unknown> => ({ ...good, ...Object.fromEntries(changes) }))
    const count = async () => (await stage.database.queries.selectFrom('oauth_clients').select('id').execute()).length
    const before = await count()
    let stored = 0
    await all(mutations, async (json) => {
      const answer = await stage.send('POST', '/oauth/register', { json, bearer: stage.adminKey })
      if (answer.status !== 201) return refusedClearly(answer)
      stored++
      for (const uri of answer.json.redirect_uris as string[]) assert.equal(redirectUriFault(uri), null)
      assert.ok(answer.json.scope.split(' ').every((scope: string) => /^[a-z]+:[a-z]+$/.test(scope)))
      assert.ok(['none', 'client_secret_basic'].includes(answer.json.token_endpoint_auth_method))
    })
    assert.equal(await count(), before + stored)
  })
}
