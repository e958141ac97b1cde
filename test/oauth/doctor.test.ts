import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { askOverHttp } from '../../src/channels/cli/doctor/oauth/ask.ts'
import { type Diagnosis, diagnose } from '../../src/channels/cli/doctor/oauth/diagnose.ts'
import { PROFILES } from '../../src/channels/cli/doctor/oauth/profiles.ts'
import { exitCodeOf, reportOf } from '../../src/channels/cli/doctor/oauth/report.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { knowledge } from '../cli/program.ts'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

/** The documents that vendors publish for their clients at these addresses. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    token_endpoint_auth_method: 'none',
  },
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  },
  'https://chatgpt.com/oauth/client.json': {
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
  },
  'https://vscode.dev/oauth/client-metadata.json': {
    client_name: 'Visual Studio Code',
    redirect_uris: ['http://127.0.0.1:33418/', 'http://127.0.0.1/', 'https://vscode.dev/redirect'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
}

/** Returns a fetch that finds only these documents. */
function internet(documents: Readonly<Record<string, object>>): typeof globalThis.fetch {
  return async (input) => {
    const url = input instanceof Request ? input.url : input.toString()
    if (!Object.hasOwn(documents, url)) throw new TypeError('fetch failed')
    return new Response(JSON.stringify({ client_id: url, ...documents[url] }), {
      headers: { 'content-type': 'application/json' },
    })
  }
}

describe('knowledge doctor oauth', () => {
  let service: TestService
  let origin: string

  before(async () => {
    service = await TestService.start(DATABASES[0], {}, internet(DOCUMENTS))
    origin = `http://localhost:${new URL(service.service.url).port}`
  })
  after(() => service.stop())

  const examine = (key: string | null = null, at = origin): Promise<Diagnosis> =>
    diagnose({ ask: askOverHttp, origin: at, profiles: PROFILES, key, signal: new AbortController().signal })
  const setMode = (oauthRegistration: string): Promise<void> =>
    changeTenant(service.database, 'default', { settings: { oauthRegistration } })
  const conclusions = ({ clients }: Diagnosis) =>
    Object.fromEntries(clients.map(({ client, conclusion }) => [client, conclusion.verdict]))
  const left = async (): Promise<number> => {
    const clients = await service.database.queries.selectFrom('oauth_clients').select('id').execute()
    const records = await service.database.queries.selectFrom('oauth_records').select('hash').execute()
    return clients.length + records.length
  }

  test('open: programs on this computer can connect, by document and by registration, and nothing is left behind', async () => {
    await setMode('open')
    const diagnosis = await examine()
    const report = reportOf(diagnosis)
    assert.equal(exitCodeOf(diagnosis), 0, report)
    assert.deepEqual(conclusions(diagnosis), {
      Claude: 'warn',
      'Claude Code': 'ok',
      Cursor: 'ok',
      ChatGPT: 'warn',
      'VS Code': 'ok',
    })
    const steps = diagnosis.clients.flatMap(({ steps: each }) => each)
    assert.deepEqual([...new Set(steps.map(({ finding }) => finding.verdict))], ['ok'], report)
    assert.equal(steps.filter(({ name }) => name === 'document').length, 5)
    assert.match(report, /ok {4}requests +requests with a slash after the resource, for the whole service, without/)
    assert.match(report, /warn {2}=> +Claude cannot reach http:\/\/localhost/)
    assert.match(report, /sign-in +reaches the sign-in page, and cursor:\/\/anysphere/)
    assert.equal(await left(), 0)
  })

  test('open, but the service cannot read the documents: those clients cannot connect, and the report says what to allow', async () => {
    // A service of its own, because results of fetches are remembered for a while.
    const alone = await TestService.start(DATABASES[0], {}, internet({}))
    try {
      await changeTenant(alone.database, 'default', { settings: { oauthRegistration: 'open' } })
      const diagnosis = await examine(null, `http://localhost:${new URL(alone.service.url).port}`)
      assert.equal(exitCodeOf(diagnosis), 1)
      assert.equal(conclusions(diagnosis).Cursor, 'ok')
      assert.equal(conclusions(diagnosis)['VS Code'], 'fail')
      const report = reportOf(diagnosis)
      assert.match(report, /fail +document +the service cannot read .*: let its machine reach https:\/\/vscode\.dev by/)
      assert.match(report, /fail +=> +VS Code does not get in by itself: see document above, or register it with a key/)
      // Nothing depends on the documents of those who cannot reach this address anyway.
      assert.deepEqual([conclusions(diagnosis).Claude, conclusions(diagnosis).ChatGPT], ['warn', 'warn'])
      assert.match(report, /warn +document +the service cannot read https:\/\/chatgpt\.com\/oauth\/client\.json/)
    } finally {
      await alone.stop()
    }
  })

  test('key: nothing is registered without a key, and the settings are reported as fine', async () => {
    await setMode('key')
    const diagnosis = await examine()
    assert.equal(exitCodeOf(diagnosis), 0, reportOf(diagnosis))
    assert.ok(Object.values(conclusions(diagnosis)).every((verdict) => verdict === 'warn'))
    const report = reportOf(diagnosis)
    assert.match(report, /not tried: set KNOWLEDGE_API_KEY or --key to a key with the scope clients:register/)
    assert.match(report, /Cursor does not get in by itself.*npm run knowledge -- tenant set oauthRegistration=open/)
    assert.equal(await left(), 0)
  })

  test('key: the program registers with the key it is given, and removes what it registered', async () => {
    await setMode('key')
    const run = await knowledge(service.place, ['doctor', 'oauth', '--url', `${origin}/mcp`, '--key', '-'], {
      input: `${service.adminKey}\n`,
    })
    assert.equal(run.code, 0, run.stdout + run.stderr)
    assert.match(run.stdout, /ok +register +is registered with the API key: cursor:\/\/anysphere/)
    assert.match(run.stdout, /tokens +is known at the token endpoint \(client_secret_post\)/)
    assert.ok(!run.stdout.includes(service.adminKey))
    assert.equal(await left(), 0)
  })

  test('a key without the scope to register is reported, and a malformed key is a wrong call', async () => {
    await setMode('key')
    const weak = await examine(await service.key(['knowledge:read']))
    assert.equal(exitCodeOf(weak), 1)
    assert.match(
      reportOf(weak),
      /the API key may not register clients: 403 .*Issue one with the scope clients:register/,
    )
    const wrong = await knowledge(service.place, ['doctor', 'oauth', '--url', origin], {
      env: { KNOWLEDGE_API_KEY: 'hunter2' },
    })
    assert.equal(wrong.code, 2)
    assert.equal(wrong.stderr, 'The API key must be ks_ followed by 40 letters or digits\n')
  })

  test('off: it says that only clients registered earlier get in', async () => {
    await setMode('off')
    const diagnosis = await examine(service.adminKey)
    assert.equal(exitCodeOf(diagnosis), 0, reportOf(diagnosis))
    assert.match(reportOf(diagnosis), /VS Code gets in only with a client registered earlier/)
    assert.equal(await left(), 0)
  })

  test('a service with another public address than the one asked is reported', async () => {
    await setMode('open')
    const diagnosis = await diagnose({
      ask: askOverHttp,
      origin: service.service.url,
      profiles: PROFILES,
      key: null,
      signal: new AbortController().signal,
    })
    assert.equal(exitCodeOf(diagnosis), 1)
    assert.match(
      reportOf(diagnosis),
      /fail +resource .*localhost.*but clients asked for http:\/\/127\.0\.0\.1.*PUBLIC_URL/,
    )
    assert.equal(await left(), 0)
  })
})
