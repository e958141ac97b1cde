import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { SecretBox } from '../../src/platform/secrets.ts'
import { Assistant, REDIRECT, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { INSTALLATION_SECRET, PASSWORD, pkce, type Stage } from './stage.ts'

/** Declares the test that no secret appears in the log, in the database, or in a refusal. */
export function secretsKept(stageOf: () => Stage): void {
  test('a whole flow leaves none of its secrets in the most detailed log, the database, or errors', async () => {
    const stage = stageOf()
    const door = stage.lenient
    await stage.user('secrets@x')
    const person = new Person(stage, { door })
    const secrets = new Map<string, string>([['password', PASSWORD]])
    const note = (what: string, value: unknown) => {
      assert.ok(typeof value === 'string' && value.length >= 16, what)
      secrets.set(what, value)
    }
    const said: string[] = []
    const wrong = async (method: string, path: string, form: Record<string, string>, bearer?: string) => {
      const answer = await stage.send(method, path, { form, bearer }, door)
      assert.ok(answer.status >= 400 && answer.status < 500, answer.text)
      said.push(JSON.stringify(answer.headers), answer.text)
    }

    note('API key', stage.adminKey)
    await person.call('POST', '/api/session', { json: { email: 'secrets@x', password: `${PASSWORD}, but wrong` } })
    await person.signIn('secrets@x')
    for (const [i, value] of person.cookieValues.entries()) note(`cookie ${i} of the sign-in`, value)
    const registration = { token_endpoint_auth_method: 'client_secret_post' }
    const assistant = await Assistant.register(stage, { door, registration })
    note('client secret', assistant.secret)
    note('registration token', assistant.managementToken)
    const own = { client_id: assistant.id, client_secret: assistant.secret }

    const proof = pkce()
    note('code verifier', proof.verifier)
    const { page } = await person.ask(assistant.query(proof, { scope: 'openid knowledge:read', nonce: 'n' }))
    const consentPage = await person.goOn(page!)
    // This id is in the address, and opens the sealed record.
    note('id of the interaction', consentPage.split(/[/?]/).at(-1))
    for (const path of [page!, consentPage, '/oauth/authorize']) {
      for (const value of person.cookiesFor(path).split('; ')) {
        const [name, content] = value.split('=')
        // The other cookies hold ids of interactions; the signature proves that they belong to this browser.
        if (name.endsWith('.sig') || name === 'ks_oauth') note(`cookie ${name} at ${path}`, content)
      }
    }
    const { json: next } = await person.consent(consentPage, ['knowledge:read'])
    const back = await person.follow(next.location)
    const code = new URL(back.location!).searchParams.get('code')!
    note('code', code)
    const exchange = { ...assistant.form(code, proof), ...own }
    await wrong('POST', '/oauth/token', { ...exchange, code_verifier: pkce().verifier })
    await wrong('POST', '/oauth/token', { ...exchange, redirect_uri: `${REDIRECT}/` })
    const first = (await assistant.token(exchange)).json
    const second = (await assistant.refresh(first.refresh_token, own)).json
    for (const [i, tokens] of [first, second].entries()) {
      for (const name of ['access_token', 'refresh_token', 'id_token']) {
        if (tokens[name] !== undefined) note(`${name} ${i}`, tokens[name])
      }
    }
    assert.ok(secrets.has('id_token 0'))
    assert.equal(await statusOf(stage, second.access_token), 200)
    await wrong('POST', '/oauth/introspect', { token: second.access_token, ...own, client_secret: first.access_token })
    await wrong('POST', '/oauth/token', exchange)
    await wrong('POST', '/oauth/revoke', { token: second.refresh_token }, second.refresh_token)
    await wrong('GET', `/oauth/register/${assistant.id}`, {}, assistant.secret)
    await stage.send('POST', '/oauth/revoke', { form: { token: second.access_token, ...own } }, door)

    const box = new SecretBox(() => INSTALLATION_SECRET)
    const keys = await stage.database.queries.selectFrom('oauth_signing_keys').select('sealed').execute()
    assert.ok(keys.length > 0)
    for (const { sealed } of keys) {
      const jwk = JSON.parse(box.open('oauth signing key', sealed)!) as Record<string, string>
      for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi']) note(`signing key's ${part}`, jwk[part])
    }
    note('cookie key', box.derive('oauth cookies').toString('base64url'))

    const places = { log: stage.log.join(''), database: await dump(stage), errors: said.join('\n') }
    assert.ok(
      stage.log.some((line) => line.includes('/oauth/token')),
      'the log is on',
    )
    for (const [place, content] of Object.entries(places)) {
      assert.ok(content.length > 500, place)
      const leaks = [...secrets].filter(([, secret]) => content.includes(secret) || content.includes(encoded(secret)))
      assert.deepEqual(
        leaks.map(([what]) => what),
        [],
        place,
      )
    }
  })
}

const encoded = (secret: string): string => Buffer.from(secret).toString('base64').replace(/=+$/, '')

/** Returns every row of every table as text. */
async function dump({ database: { queries } }: Stage): Promise<string> {
  const names = (await queries.introspection.getTables()).map(({ name }) => name)
  assert.ok(names.includes('oauth_records') && names.includes('sessions'))
  const tables = names.filter((name) => !/fts|kysely|_data$|_idx$|_docsize$|_config$/.test(name))
  const all: string[] = []
  for (const name of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(queries)
    all.push(JSON.stringify(rows))
  }
  return all.join('\n')
}
