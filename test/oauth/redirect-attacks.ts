import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { Assistant, REDIRECT } from './assistant.ts'
import { signedIn } from './person.ts'
import { type Answer, ISSUER, pkce, type Stage } from './stage.ts'

/**
 * Declares the tests of redirects: which clients a request to authorize sends a person to in this service's name, and
 * who decides that.
 */
export function redirectAttacks(stageOf: () => Stage): void {
  /**
   * Prepares a signed-in person where assistants register themselves, with a client of each kind, and runs a test with
   * them.
   */
  const setUp = async (email: string, run: (place: Awaited<ReturnType<typeof prepare>>) => Promise<void>) => {
    const { database } = stageOf()
    const mode = (oauthRegistration: string) => changeTenant(database, 'default', { settings: { oauthRegistration } })
    await mode('open')
    try {
      await run(await prepare(email))
    } finally {
      await mode('key')
    }
  }
  const prepare = async (email: string) => {
    const { stage, person } = await signedIn(stageOf(), email)
    const keyed = await Assistant.register(stage)
    const json = { client_name: 'Self', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
    const { json: self } = await stage.send('POST', '/oauth/register', { json })
    const described = `https://client.example/${email}.json`
    stage.documents.set(described, async () =>
      Response.json({ client_id: described, client_name: 'Described', redirect_uris: [REDIRECT] }),
    )
    return { stage, person, keyed, self, unvouched: [self.client_id as string, described] }
  }
  const assertPage = ({ status, headers, location, text }: Answer): void => {
    assert.deepEqual([status, location], [400, null], text)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.ok(!text.includes(new URL(REDIRECT).host), text)
  }
  const errorOf = (location: string): (string | null)[] => {
    const [address, told] = location.split(/[?#]/)
    const params = new URLSearchParams(told)
    return [address, params.get('error'), params.get('state'), params.get('iss')]
  }

  test('an error redirects only to clients that a key registered or a person allowed', async () => {
    await setUp('led@x', async ({ person, keyed, unvouched }) => {
      const faults: [error: string, more: Record<string, string>][] = [
        ['unsupported_response_type', { response_type: 'token' }],
        ['invalid_request', { code_challenge_method: 'plain' }],
        ['invalid_request', { prompt: 'none login' }],
        ['invalid_request', { max_age: 'x' }],
        ['invalid_target', { resource: 'https://other.example' }],
        ['request_not_supported', { request: 'x' }],
        ['login_required', { prompt: 'none' }],
        ['invalid_request', { response_type: '' }],
      ]
      for (const [error, more] of faults) {
        const query = keyed.query(pkce(), more)
        const { location } = (await person.ask(query)).answer
        assert.deepEqual(errorOf(location!), [REDIRECT, error, 'a state', ISSUER], JSON.stringify(more))
        for (const client_id of unvouched) {
          assertPage((await person.ask({ ...query, client_id })).answer)
          assertPage(await person.call('POST', '/oauth/authorize', { form: { ...query, client_id } }))
          assertPage((await person.ask({ ...query, client_id, response_mode: 'fragment' })).answer)
        }
      }
    })
  })

  test('after a denial a person is redirected only to clients that a key registered or a person allowed, after a consent to any', async () => {
    await setUp('denying@x', async ({ person, keyed, unvouched }) => {
      const deny = async (client_id: string, isSignedIn: boolean, more: Record<string, string> = {}) => {
        const { page, answer } = await person.ask({ ...keyed.query(pkce(), more), client_id })
        assert.ok(page !== null, answer.text)
        const denied = await person.call('POST', `${isSignedIn ? await person.goOn(page) : page}/deny`)
        return person.follow(denied.json.location)
      }
      const told = [REDIRECT, 'access_denied', 'a state', ISSUER]
      for (const isSignedIn of [false, true]) {
        assert.deepEqual(errorOf((await deny(keyed.id, isSignedIn)).location!), told)
        for (const client_id of unvouched) {
          const { status, location, text } = await deny(client_id, isSignedIn)
          assert.deepEqual([status, location], [200, null], text)
          const [, href, label] = /<a href="([^"]*)"[^>]*>([^<]*)</.exec(text)!
          assert.deepEqual(errorOf(href.replaceAll('&amp;', '&')), told)
          assert.equal(label, 'Go to app.example')
        }
      }
      const { text } = await deny(unvouched[0], true, { response_mode: 'fragment' })
      assert.match(text, /href="https:\/\/app\.example\/callback#error=access_denied&amp;/)

      const { page } = await person.ask({ ...keyed.query(pkce()), client_id: unvouched[0] })
      const granted = await person.consent(await person.goOn(page!), ['knowledge:read'])
      assert.match((await person.follow(granted.json.location)).location!, /^https:\/\/app\.example\/callback\?code=/)
    })
  })

  test('a denial does not lead to an address that the client has removed meanwhile', async () => {
    await setUp('denying-moved@x', async ({ stage, person, keyed, self }) => {
      for (const [id, bearer] of [
        [keyed.id, keyed.managementToken],
        [self.client_id, self.registration_access_token],
      ]) {
        const { page } = await person.ask({ ...keyed.query(pkce()), client_id: id })
        const { location } = (await person.call('POST', `${page}/deny`)).json
        const json = { client_name: 'A', redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'none' }
        assert.equal((await stage.send('PUT', `/oauth/register/${id}`, { json, bearer })).status, 200)
        assertPage(await person.follow(location))
      }
    })
  })
}
