import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUntouched } from '../isolation/tables.ts'
import { Assistant, REDIRECT, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { refused } from './refused.ts'
import { type Answer, ISSUER, pkce, type Stage } from './stage.ts'

/** Addresses similar to the registered one. */
const SIMILAR = [
  `${REDIRECT}/`,
  `${REDIRECT}/more`,
  `${REDIRECT}x`,
  `${REDIRECT}?a=b`,
  `${REDIRECT}#a`,
  `${REDIRECT}%00`,
  `${REDIRECT} https://evil.example/`,
  'https://app.example/Callback',
  'https://app.example/%63allback',
  'https://app.example/evil/../callback',
  'https://app.example//callback',
  'https://APP.example/callback',
  'https://app.example./callback',
  'https://app.example:443/callback',
  'https://app.example:8443/callback',
  'https://user@app.example/callback',
  'https://app.example@evil.example/callback',
  'https://app.example.evil.example/callback',
  String.raw`https://evil.example\@app.example/callback`,
  'https://evil.example/callback',
  'http://app.example/callback',
  'HTTPS://app.example/callback',
  'javascript:alert(1)//https://app.example/callback',
  '//app.example/callback',
  '/callback',
]

/**
 * Declares the tests of authorization codes, of the proof whose they are, and of the addresses that they are sent to.
 */
export function codeAttacks(stageOf: () => Stage): void {
  const setUp = async (email: string, registration: object = {}) => {
    const stage = stageOf()
    const user = await stage.user(email)
    const person = new Person(stage)
    await person.beSignedIn(user.id)
    return { stage, person, assistant: await Assistant.register(stage, { registration }) }
  }

  test('a code used twice is refused, and its tokens end', async () => {
    const { stage, person, assistant } = await setUp('replay@x')
    const proof = pkce()
    const code = await assistant.code(person, proof)
    const tokens = await assistant.exchange(code, proof)
    assert.equal(await statusOf(stage, tokens.access_token), 200)
    refused(await assistant.token(assistant.form(code, proof)), 'invalid_grant')
    assert.equal(await statusOf(stage, tokens.access_token), 401)
    refused(await assistant.refresh(tokens.refresh_token), 'invalid_grant')
    const left = await stage.database.queries
      .selectFrom('oauth_records')
      .select('kind')
      .where('client_id', '=', assistant.id)
      .where('kind', '!=', 'Interaction')
      .execute()
    assert.deepEqual(left, [])
  })

  test('a code used twice at the same moment leaves no valid token', async () => {
    const { stage, person, assistant } = await setUp('twice@x')
    for (let i = 0; i < 4; i++) {
      const proof = pkce()
      const code = await assistant.code(person, proof)
      const answers = await Promise.all([1, 2, 3].map(() => assistant.token(assistant.form(code, proof))))
      const successes = answers.filter(({ status }) => status === 200)
      assert.ok(successes.length <= 1)
      for (const answer of answers.filter((each) => !successes.includes(each))) refused(answer, 'invalid_grant')
      for (const { json } of successes) {
        assert.equal(await statusOf(stage, json.access_token), 401)
        refused(await assistant.refresh(json.refresh_token), 'invalid_grant')
      }
    }
  })

  test('a code works only for its client, with its verifier and address, and survives wrong attempts', async () => {
    const { stage, person, assistant } = await setUp('code@x')
    const thief = await Assistant.register(stage)
    const proof = pkce()
    const good = assistant.form(await assistant.code(person, proof), proof)
    const { code_verifier: _verifier, ...unproved } = good
    const { redirect_uri: _address, ...unaddressed } = good
    await assertUntouched(stage.database, ['default', '*'], async () => {
      refused(await assistant.token({ ...good, client_id: thief.id }), 'invalid_grant')
      refused(await assistant.token(unproved), 'invalid_grant')
      for (const code_verifier of [
        pkce().verifier,
        proof.challenge,
        `${proof.verifier}x`,
        proof.verifier.toUpperCase(),
      ]) {
        refused(await assistant.token({ ...good, code_verifier }), 'invalid_grant')
      }
      for (const code_verifier of ['short', 'ä'.repeat(43), 'x'.repeat(129)]) {
        refused(await assistant.token({ ...good, code_verifier }), 'invalid_request')
      }
      refused(await assistant.token(unaddressed), 'invalid_request')
      for (const redirect_uri of [`${REDIRECT}/`, 'https://evil.example/callback']) {
        refused(await assistant.token({ ...good, redirect_uri }), 'invalid_grant')
      }
      refused(await assistant.token({ ...good, client_id: 'unknown' }), 'invalid_client', 401)
      refused(await assistant.token({ ...good, resource: 'https://other.example/mcp' }), 'invalid_target')
      refused(
        await assistant.token({ ...good, grant_type: 'refresh_token', refresh_token: good.code }),
        'invalid_grant',
      )
    })
    assert.equal((await assistant.token(good)).status, 200)
  })

  test('a client with a secret is refused without it, whichever way it authenticates', async () => {
    const registration = { token_endpoint_auth_method: 'client_secret_basic' }
    const { stage, person, assistant } = await setUp('secret@x', registration)
    const proof = pkce()
    const { client_id: id, ...rest } = assistant.form(await assistant.code(person, proof), proof)
    const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      refused(await assistant.token({ ...rest, client_id: id }), 'invalid_client', 401)
      for (const secret of ['', 'wrong', `${assistant.secret}x`, assistant.managementToken]) {
        const answer = await assistant.token(rest, basic(secret))
        assert.ok([400, 401].includes(answer.status), answer.text)
        assert.match(answer.json.error, /^invalid_(client|request)$/)
      }
      for (const malformed of [{ authorization: 'Basic %%%' }, basic('a\0b'), basic('%zz'), basic('%00')]) {
        refused(await assistant.token(rest, malformed), 'invalid_request')
      }
    })
    assert.equal((await assistant.token(rest, basic(assistant.secret))).status, 200)
  })

  test('a request without PKCE, or with its plain method, is refused', async () => {
    const { stage, person, assistant } = await setUp('pkce@x')
    const confidential = await Assistant.register(stage, {
      registration: { token_endpoint_auth_method: 'client_secret_basic' },
    })
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const client of [assistant, confidential]) {
        const { code_challenge, code_challenge_method, ...bare } = client.query(pkce())
        for (const query of [
          bare,
          { ...bare, code_challenge },
          { ...bare, code_challenge_method },
          { ...bare, code_challenge, code_challenge_method: 'plain' },
          { ...bare, code_challenge: 'short', code_challenge_method },
        ]) {
          const { answer, page } = await person.ask(query)
          assert.equal(page, null)
          assertSentBack(answer, 'invalid_request')
        }
      }
    })
  })

  test('no person is redirected to an address that only resembles the registered one, or for an unknown client', async () => {
    const { stage, person, assistant } = await setUp('redirect@x')
    const query = assistant.query(pkce())
    const { redirect_uri: _none, ...without } = query
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const redirect_uri of SIMILAR)
        assertPage((await person.ask({ ...query, redirect_uri })).answer, redirect_uri)
      assertPage((await person.ask(without)).answer, 'none')
      for (const client_id of ['unknown', '', '\0', 'a\0b', '../x', 'x'.repeat(3_000)]) {
        assertPage((await person.ask({ ...query, client_id })).answer, client_id.slice(0, 20))
      }
      const twice = `${new URLSearchParams(query).toString()}&redirect_uri=${encodeURIComponent('https://evil.example/callback')}`
      assertPage(await person.call('GET', `/oauth/authorize?${twice}`), 'two addresses')
      assertPage(await person.call('POST', '/oauth/authorize', { form: twice }), 'two addresses in a form')
      const modes = ['form_post', 'web_message', 'jwt', 'query.jwt', 'nonsense']
      for (const response_mode of modes)
        assertPage((await person.ask({ ...query, response_mode })).answer, response_mode)
    })
  })

  test('a loopback address may have any port, but must otherwise be the registered one', async () => {
    const { person, assistant } = await setUp('loopback@x', { redirect_uris: ['http://127.0.0.1/callback'] })
    const query = assistant.query(pkce())
    for (const redirect_uri of ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback']) {
      assert.notEqual((await person.ask({ ...query, redirect_uri })).page, null, redirect_uri)
    }
    for (const redirect_uri of [
      'http://127.0.0.1:49152/other',
      'http://127.0.0.1:49152/callback?a=b',
      'http://127.0.0.2:49152/callback',
      'http://localhost:49152/callback',
      'http://[::1]:49152/callback',
      'https://127.0.0.1:49152/callback',
      'http://127.0.0.1.evil.example:49152/callback',
      'http://127.0.0.1:49152@evil.example/callback',
      'http://127.1:49152/callback',
    ]) {
      assertPage((await person.ask({ ...query, redirect_uri })).answer, redirect_uri)
    }
  })

  test('unsupported requests are refused to the client, with the issuer, and get nothing', async () => {
    const { stage, person, assistant } = await setUp('unsupported@x')
    const query = assistant.query(pkce())
    const cases: readonly (readonly [more: Record<string, string>, error: RegExp])[] = [
      [{ response_type: 'token' }, /^unsupported_response_type|unauthorized_client$/],
      [{ response_type: 'id_token', nonce: 'n' }, /^unsupported_response_type|unauthorized_client$/],
      [{ response_type: 'code id_token', nonce: 'n' }, /^unsupported_response_type|unauthorized_client$/],
      [{ prompt: 'none' }, /^login_required$/],
      [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, /^request_not_supported$/],
      [{ request_uri: 'https://evil.example/request' }, /^request_uri_not_supported$/],
      [{ resource: 'https://other.example/mcp' }, /^invalid_target$/],
      [{ resource: `${ISSUER}/mcp/other` }, /^invalid_target$/],
      [{ resource: `${ISSUER}.evil.example/mcp` }, /^invalid_target$/],
    ]
    await assertUntouched(stage.database, ['default', '*'], async () => {
      for (const [more, error] of cases) {
        const { answer, page } = await person.ask({ ...query, ...more })
        assert.equal(page, null, JSON.stringify(more))
        assert.match(assertSentBack(answer), error, JSON.stringify(more))
      }
    })
  })
}

/** Checks that the person gets an error page that no page can frame, and is not redirected. */
function assertPage({ status, headers, location, text }: Answer, what: string): void {
  assert.deepEqual([status, location], [400, null], `${what}: ${text}`)
  assert.match(String(headers['content-type']), /^text\/html/, what)
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.doesNotMatch(text, /<script|evil\.example\/callback"/)
}

/**
 * Checks that the client gets the error at its own address, with the issuer.
 * @returns the error
 */
function assertSentBack({ status, location, text }: Answer, error?: string): string {
  assert.ok(location !== null, `${status}: ${text}`)
  assert.ok(location.startsWith(`${REDIRECT}?`) || location.startsWith(`${REDIRECT}#`), location)
  const { search, hash } = new URL(location)
  const params = new URLSearchParams(search === '' ? hash.slice(1) : search)
  assert.deepEqual([params.get('iss'), params.get('state')], [ISSUER, 'a state'])
  for (const name of ['code', 'access_token', 'id_token']) assert.equal(params.get(name), null)
  const said = params.get('error')!
  if (error !== undefined) assert.equal(said, error)
  return said
}
