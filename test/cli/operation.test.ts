import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { BUILTIN_ID } from '../../src/embedding/builtin/builtin.ts'
import { BOTH_ID } from '../../src/embedding/builtin/ids.ts'
import { SCOPES } from '../../src/platform/access/scopes.ts'
import { DATABASES, onAnyDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { TestService } from '../support/service.ts'
import { givePassword } from '../support/passwords.ts'
import { Browser } from '../sessions/browser.ts'
import { databaseOf, entriesOf, folderOf, knowledge, start } from './program.ts'

const SEARCH = '/api/knowledge/knowledge-entries/search'
const CATEGORIES = '/api/knowledge/categories'
const PASSWORD = 'correct horse battery'

onAnyDatabase('knowledge beside a running service', (kind) => {
  let service: TestService

  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  test('a key works as soon as it is issued, and no longer once it is revoked', async () => {
    const { place } = service
    const issued = await knowledge(place, [
      'key',
      'issue',
      '-q',
      '--name',
      'ci',
      '--role',
      'reader',
      '--expires',
      '90d',
    ])
    assert.match(issued.stdout, /^ks_[0-9A-Za-z]{40}\n$/)
    assert.equal(issued.stderr, '')
    const key = issued.stdout.trim()
    assert.equal((await service.call('GET', CATEGORIES, { key })).status, 200)
    assert.equal((await service.call('POST', CATEGORIES, { key, body: { name: 'x' } })).status, 403)
    const listed = (await knowledge(place, ['key', 'list'])).stdout
    const row = listed.split('\n').find((line) => line.includes('  ci  '))!
    assert.match(row, new RegExp(`${key.slice(0, 7)}…  ci +-  +reader +valid until`))
    assert.ok(!listed.includes(key))
    const most = SCOPES.filter((scope) => scope !== 'knowledge:prompts').join(' ')
    await knowledge(place, ['key', 'issue', '--name', 'older', '--scopes', most])
    const older = (await knowledge(place, ['key', 'list'])).stdout
      .split('\n')
      .find((line) => line.includes('  older  '))!
    assert.match(older, /  older +-  +admin without knowledge:prompts  +valid  /)
    const revoked = await knowledge(place, ['key', 'revoke', row.split(' ')[0]])
    assert.equal(revoked.code, 0)
    assert.equal((await service.call('GET', CATEGORIES, { key })).status, 401)
    assert.equal((await knowledge(place, ['key', 'revoke', row.split(' ')[0]])).code, 0)
  })

  test('a publishable key is issued for pages and sites, works there, and is listed with what it is for', async () => {
    const { place } = service
    const args = [
      'key',
      'publish',
      '--name',
      'shop',
      '--origin',
      'https://shop.example',
      '--origin',
      'http://localhost:3000',
    ]
    const issued = await knowledge(place, [...args, '--sections', 'products', '--site', 'default'])
    assert.equal(issued.code, 0, issued.stderr)
    assert.match(issued.stderr, /^Key \S+ of tenant default, never expires\. Pages of its origins may contain it:\n$/)
    const key = issued.stdout.trim()
    assert.match(key, /^pk_[0-9A-Za-z]{40}$/)
    const search = (path: string, origin: string) =>
      service.call('POST', path, { key, headers: { origin }, body: { query: 'x' } })
    const products = '/api/knowledge/products/search'
    assert.equal((await search(products, 'http://localhost:3000')).status, 200)
    assert.equal((await search(products, 'http://localhost:3001')).status, 403)
    assert.equal((await search('/api/knowledge/knowledge-entries/search', 'http://localhost:3000')).status, 403)
    const { stdout } = await knowledge(place, ['key', 'list'])
    const row = stdout.split('\n').find((line) => line.includes(`${key.slice(0, 7)}…`))!
    assert.match(row, /  shop +-  +search products on https:\/\/shop\.example, http:\/\/localhost:3000  +valid /)
    assert.equal((await knowledge(place, ['key', 'revoke', row.split(' ')[0]])).code, 0)
    assert.equal((await search(products, 'http://localhost:3000')).status, 401)
    const unknown = await knowledge(place, [...args, '--site', 'nowhere'])
    assert.deepEqual([unknown.code, unknown.stderr], [2, 'There is no site nowhere in tenant default\n'])
  })

  test('the list says who issued a key, and a key is revoked with what it issued', async () => {
    const { place } = service
    const key = await service.key(['tenant:admin', 'knowledge:read'])
    const body = { name: 'issued by a key', scopes: ['knowledge:read'] }
    const { body: child } = await service.call('POST', '/api/knowledge/api-keys', { key, body })
    const rows = (await knowledge(place, ['key', 'list'])).stdout.split('\n')
    assert.match(
      rows.find((row) => row.startsWith(child.id))!,
      new RegExp(`  key ${key.slice(0, 7)}…$`),
    )
    const issuer = rows.find((row) => row.includes(`${key.slice(0, 7)}…  test`))!
    assert.match(issuer, /  command line$/)
    const [id] = issuer.split(' ')
    // As an earlier version issued it.
    const end = { expires_at: Date.now() + 3_600_000 }
    await service.database.queries.updateTable('api_keys').set(end).where('id', '=', id).execute()
    const checked = async () => /^\w+ +keys +(.*)$/m.exec((await knowledge(place, ['doctor'])).stdout)?.[1]
    assert.match((await checked())!, /^tenant default: 1 key outlives the key that issued it/)
    await service.database.queries.updateTable('api_keys').set(end).where('id', '=', child.id).execute()
    assert.equal(await checked(), 'no API key outlives the key that issued it')
    const alone = await knowledge(place, ['key', 'revoke', id])
    assert.equal(alone.code, 0)
    assert.match(
      alone.stderr,
      new RegExp(`^1 key that it issued is still valid; .* key revoke --with-issued ${id}$`, 'm'),
    )
    const again = await knowledge(place, ['key', 'revoke', id])
    assert.equal(again.code, 0)
    assert.match(again.stdout, new RegExp(`^Key ${id} was revoked already, on \\d{4}-`))
    const revoked = await knowledge(place, ['key', 'revoke', '--with-issued', id])
    assert.deepEqual([revoked.code, revoked.stdout], [0, `Key ${id} and the keys it issued: 1 key was revoked now\n`])
    assert.equal((await service.call('GET', CATEGORIES, { key: child.key })).status, 401)
  })

  test('a service that cannot listen on its address ends with one line that says what to set', async () => {
    // TEST-NET-1 of RFC 5737, which no machine has.
    const { code, stderr } = await knowledge(service.place, ['serve'], { env: { HOST: '192.0.2.1', PORT: '0' } })
    assert.equal(code, 1)
    assert.match(stderr, /^Cannot listen on 192\.0\.2\.1 \(EADDRNOTAVAIL\)\. .*set HOST.*\n$/)
    const unknown = await knowledge(service.place, ['serve'], { env: { HOST: 'nowhere.invalid', PORT: '0' } })
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /^No address is known for nowhere\.invalid \(E\w+\)\. .* HOST\n$/)
  })

  test('a disabled user is refused until enabled again, and never exceeds the role', async () => {
    const { place } = service
    await knowledge(place, ['user', 'create', 'Eve@example.com', '--role', 'editor'])
    const issued = await knowledge(place, ['key', 'issue', '-q', '--name', 'eve', '--user', 'eve@example.com'])
    const key = issued.stdout.trim()
    const write = async () => (await service.call('POST', CATEGORIES, { key, body: { name: 'x' } })).status
    assert.equal(await write(), 201)
    await knowledge(place, ['user', 'set', 'eve@example.com', '--role', 'reader'])
    assert.equal(await write(), 403)
    await knowledge(place, ['user', 'disable', 'eve@example.com'])
    assert.equal(await write(), 401)
    await knowledge(place, ['user', 'enable', 'eve@example.com'])
    assert.equal(await write(), 403)
  })

  test('what ends for good with a user is named: keys and applications, by a role, a disabling and an erasure', async () => {
    const { place } = service
    const leave = async (email: string, words: readonly string[]) => {
      const { userId, key } = await service.user({ email })
      await givePassword(service.database, 'default', userId, PASSWORD)
      const browser = new Browser(service)
      await browser.signIn(email, PASSWORD)
      const scopes = ['knowledge:read', 'clients:register', 'visibility:internal']
      const order = { name: 'Website', scopes, confirmation: { password: PASSWORD } }
      const website = (await browser.call('POST', '/api/knowledge/api-keys', order)).body
      const register = async (name: string, grantTypes: readonly string[]) => {
        const body = { client_name: name, redirect_uris: ['http://127.0.0.1/cb'], grant_types: grantTypes }
        return (await service.call('POST', '/oauth/register', { key, body })).body.client_id as string
      }
      const [robot, people] = [
        await register('Robot', ['client_credentials']),
        await register('People', ['authorization_code']),
      ]
      const { code, stdout } = await knowledge(place, ['user', ...words, email])
      assert.equal(code, 0)
      const again = await knowledge(place, ['user', ...words, email])
      return { stdout, website, robot, people, again: again.stdout }
    }
    const lowered = await leave('lowered@x.example', ['set', '--role', 'reader'])
    const { queries } = service.database
    const named = queries.selectFrom('api_keys').select('id').where('name', '=', 'lowered@x.example')
    const own = await named.executeTakeFirstOrThrow()
    assert.equal(
      lowered.stdout,
      'User lowered@x.example has the role reader now\n' +
        'These ended for good, and come back with no role and no enabling:\n' +
        `  key Website (${lowered.website.id})\n  application Robot (${lowered.robot})\n` +
        'What is still needed has to be made anew. What is handed over to another administrator beforehand goes on.\n' +
        'These keys go on, and have lost the permission knowledge:prompts for good:\n' +
        `  key lowered@x.example (${own.id})\n` +
        'These go on, and the user can no longer change them (their registration token ended):\n' +
        `  application People (${lowered.people})\n`,
    )
    assert.equal(lowered.again, 'User lowered@x.example has the role reader now\n')
    const disabled = await leave('disabled@x.example', ['disable'])
    for (const each of [`key Website (${disabled.website.id})`, `application People (${disabled.people})`])
      assert.ok(disabled.stdout.includes(`  ${each}\n`), disabled.stdout)
    assert.match(disabled.stdout, /Their own keys work again/)
    assert.ok(!disabled.again.includes('for good, and'), disabled.again)
    const erased = await leave('erased@x.example', ['erase', '--yes'])
    assert.match(erased.stdout, /  key Website .*\n(  application (Robot|People) .*\n){2}/)
  })

  test('a ceiling bounds what a user sees, until it is lifted', async () => {
    const { place } = service
    await knowledge(place, ['user', 'create', 'low@example.com', '--role', 'editor'])
    const key = (
      await knowledge(place, ['key', 'issue', '-q', '--name', 'low', '--user', 'low@example.com'])
    ).stdout.trim()
    const sees = async (level: string) =>
      (await service.call('GET', '/api/session', { key })).body.scopes.includes(`visibility:${level}`)
    const set = await knowledge(place, ['user', 'set', 'low@example.com', '--ceiling', 'community'])
    assert.deepEqual([set.code, set.stdout], [0, 'User low@example.com has the ceiling community now\n'])
    assert.deepEqual([await sees('community'), await sees('internal')], [true, false])
    assert.equal((await knowledge(place, ['user', 'set', 'low@example.com', '--ceiling', 'none'])).code, 0)
    assert.equal(await sees('workspace'), true)
    const wrong = await knowledge(place, ['user', 'set', 'low@example.com', '--ceiling', 'high'])
    assert.equal(wrong.code, 2)
  })

  test('a person is erased only with --yes, and then no command knows them', async () => {
    const { place } = service
    await knowledge(place, ['user', 'create', 'gone@example.com', '--role', 'reader'])
    const hesitant = await knowledge(place, ['user', 'erase', 'gone@example.com'])
    assert.deepEqual([hesitant.code, hesitant.stderr.includes('--yes')], [2, true])
    assert.ok((await knowledge(place, ['user', 'list'])).stdout.includes('gone@example.com'))
    const done = await knowledge(place, ['user', 'erase', 'gone@example.com', '--yes'])
    assert.match(done.stdout, /^User gone@example\.com \([\w-]{36}\) was erased\n$/)
    const { stdout } = await knowledge(place, ['user', 'list'])
    assert.ok(!stdout.includes('gone@example.com') && !stdout.includes('former'))
    assert.notEqual((await knowledge(place, ['user', 'enable', 'gone@example.com'])).code, 0)
    const last = await knowledge(place, ['user', 'erase', 'admin@localhost', '--yes'])
    assert.match(last.stderr, /last active administrator/)
  })

  test('a password is set from standard input, or generated and shown once', async () => {
    const { place } = service
    const signIn = async (password: string) => {
      const body = { email: 'ann@example.com', password }
      const headers = { origin: service.service.url }
      return (await service.call('POST', '/api/session', { key: null, body, headers })).status
    }
    const created = await knowledge(place, ['user', 'create', 'ann@example.com', '--generate-password'])
    const [, first] = /^Password, shown only once: (\S+)$/m.exec(created.stdout)!
    assert.equal(await signIn(first), 200)
    // The hint works in another shell than that of the service, which has other settings.
    assert.match(
      created.stdout,
      /^To issue a key of the user: (DATA_DIR=\S+|DATABASE_URL=…) \S.*key issue --name NAME --user ann@example\.com$/m,
    )
    assert.ok(!created.stdout.includes('To set a password'))
    const chosen = 'a password of her own'
    const set = await knowledge(place, ['user', 'password', 'Ann@example.com'], { input: `${chosen}\n` })
    assert.deepEqual([set.code, set.stdout], [0, 'The password of ann@example.com was set\n'])
    assert.deepEqual([await signIn(first), await signIn(chosen)], [401, 200])
    const outcome = await knowledge(place, ['user', 'password', 'ann@example.com', '--generate'])
    assert.equal(await signIn(outcome.stdout.trim()), 200)
    const short = await knowledge(place, ['user', 'password', 'ann@example.com'], { input: 'short\n' })
    assert.deepEqual([short.code, short.stderr], [2, 'A password must have 12 to 200 characters\n'])
    const none = await knowledge(place, ['user', 'password', 'ann@example.com'])
    assert.deepEqual([none.code, none.stderr], [2, 'Standard input has no password\n'])
  })

  test('the next search finds imported entries, and no pruned ones', async (t) => {
    const folder = folderOf(t, { 'live/crane.md': '# Crane\n\nA crane lifts.', 'live/other.md': '# Other' })
    const find = async () => {
      const { body } = await service.call('POST', SEARCH, { body: { query: 'crane', mode: 'keyword' } })
      return body.map((hit: { entry: { title: string } }) => hit.entry.title)
    }
    assert.deepEqual(await find(), [])
    await knowledge(service.place, ['import', join(folder, 'live')])
    assert.deepEqual(await find(), ['Crane'])
    rmSync(join(folder, 'live/crane.md'))
    await knowledge(service.place, ['import', join(folder, 'live'), '--prune'])
    assert.deepEqual(await find(), [])
  })

  test('the model of a tenant is shown with what a move costs, is chosen, and the running service moves to it', async () => {
    const { place } = service
    const model = (...args: string[]) => knowledge(place, ['tenant', 'model', ...args])
    const { body: category } = await service.call('POST', CATEGORIES, { body: { name: 'Birds' } })
    const entry = { title: 'Kingfisher', content: 'A bird by the river', category_id: category.id }
    assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })).status, 201)
    const moved = (id: string) =>
      until(async () => (await service.call('GET', '/api/knowledge/embedding-status')).body.model === id, id)
    const shown = (await model()).stdout
    assert.match(shown, /^Searches use builtin:static-de-en-v2:256\. The tenant has chosen none\.$/m)
    assert.match(shown, /^both +- +2 +2 +1$/m)
    assert.match(shown, /^static-de-en-v2 +in use +0 +0 +0$/m)
    const asked = await model('both')
    assert.deepEqual([asked.code, asked.stdout], [2, ''])
    assert.match(
      asked.stderr,
      /2 texts of default have to be read, about 2 passages, which takes about a minute\. .*--yes/,
    )
    const chosen = await model('both', '--yes')
    assert.match(chosen.stdout, /^default moves to builtin:contextual.*running service reads.*reindex --resume/)
    await moved(BOTH_ID)
    const back = await model('static-de-en-v2')
    assert.equal(back.code, 0, 'the old vectors are still there, so it costs nothing')
    await moved(BUILTIN_ID)
    assert.equal((await model('default')).stdout, `default searches with ${BUILTIN_ID}\n`)
    const unknown = await model('best')
    assert.deepEqual([unknown.code, /no built-in model "best"; there are both, /.test(unknown.stderr)], [2, true])
    assert.match((await model('both', '--tenant', 'nobody')).stderr, /Tenant nobody not found/)
  })

  test('a tenant is created and changed by its settings', async () => {
    const { place } = service
    const created = await knowledge(place, ['tenant', 'create', 'acme', '--name', 'Acme'])
    assert.equal(created.code, 0)
    assert.match(
      created.stdout,
      /first key: (DATA_DIR=\S+|DATABASE_URL=…) \S.*key issue --tenant acme --name NAME --role admin$/m,
    )
    const change = ['tenant', 'set', '--tenant', 'acme', '--host', 'acme.example', 'language=en', 'workspaces=true']
    assert.equal((await knowledge(place, change)).code, 0)
    const text = (await knowledge(place, ['tenant', 'show', '--tenant', 'acme'])).stdout
    assert.match(text, /name +Acme\nhost +acme\.example\n.*\nchosen model +none\nlanguage +en\nworkspaces +true\n/)
    const unknown = await knowledge(place, ['tenant', 'set', '--tenant', 'acme', 'language=xxx'])
    assert.deepEqual([unknown.code, unknown.stderr], [2, 'language must be a language code such as de or en\n'])
    const wrong = await knowledge(place, ['tenant', 'set', '--tenant', 'acme', 'language=klingon'])
    assert.deepEqual([wrong.code, wrong.stderr], [2, 'language must be a language code such as de or en\n'])
    assert.match((await knowledge(place, ['tenant', 'list'])).stdout, /^acme +Acme +acme\.example/m)
  })
})

onAnyDatabase('knowledge on its own', (kind) => {
  const at = databaseOf(kind)

  test('the first command on an empty database shows the first key, as the first start would', async (t) => {
    const folder = folderOf(
      t,
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`pages/${i}.md`, `# Page ${i}`])),
    )
    const done = await knowledge(at.place, ['import', join(folder, 'pages')])
    assert.match(done.stderr, /^The database (in \/.+|of DATABASE_URL) was empty\. It now has a tenant "default"/m)
    assert.match(done.stderr, /First API key, shown only once: ks_[0-9A-Za-z]{40}\n/)
    assert.match(done.stderr, /First password, shown only once: [a-z2-9]{5}(-[a-z2-9]{5}){3}\n/)
    assert.match(done.stdout, /^40 created/)
  })

  test('reindex moves a tenant to another model, continues after an interruption, and keeps the old vectors until the end', async (t) => {
    const provider = await startProvider(t)
    const env = {
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_URL: provider.url,
      EMBEDDING_MODEL: 'm',
      EMBEDDING_DIMENSIONS: '3',
    }
    const model = async () => {
      const row = await at.database.queries.selectFrom('tenants').select('embedding_model').executeTakeFirstOrThrow()
      return row.embedding_model
    }
    const { process: child, finished } = start(at.place, ['reindex'], { env })
    t.after(() => child.kill('SIGKILL'))
    await Promise.race([provider.firstRequest, finished])
    child.kill('SIGINT')
    const interrupted = await finished
    assert.deepEqual(
      [interrupted.code, /40 items of default still wait.*--resume/s.test(interrupted.stderr)],
      [130, true],
    )
    assert.equal(await model(), BUILTIN_ID)
    provider.answer()
    const done = await knowledge(at.place, ['reindex', '--resume'], { env })
    assert.deepEqual([done.code, await model()], [0, 'openai:m:3'], done.stderr)
    assert.ok((await entriesOf(at.database)).every((row) => row.embedding_model === 'openai:m:3'))
    const checked = await knowledge(at.place, ['doctor'], { env: { ...env, PORT: '0' } })
    assert.match(checked.stdout, /ok +embedding +openai:m:3 answers/)
    assert.match(checked.stdout, /ok +tenants +tenant default: 40 entries, all with vectors/)
  })

  test('an import whose settings do not reach the tenant’s model is refused before it writes', async (t) => {
    const folder = folderOf(t, { 'late/a.md': '# Late' })
    const done = await knowledge(at.place, ['import', join(folder, 'late')])
    assert.deepEqual(
      [done.code, /searches with openai:m:3, which these settings do not reach/.test(done.stderr)],
      [1, true],
    )
    assert.equal((await entriesOf(at.database)).length, 40)
  })

  test('doctor finds what is broken, and changes nothing', async () => {
    const env = { PORT: '0' }
    const behind = await knowledge(at.place, ['doctor'], { env })
    assert.equal(behind.code, 0, behind.stdout)
    assert.match(behind.stdout, /^warn +tenants .*search uses openai:m:3/m)
    const [entry] = await entriesOf(at.database)
    await at.database.queries.updateTable('entries').set({ version: 5 }).where('id', '=', entry.id).execute()
    const broken = await knowledge(at.place, ['doctor'], { env })
    assert.equal(broken.code, 1)
    assert.match(broken.stdout, /^fail +references +1 entries lack earlier versions/m)
    const settings = await knowledge(at.place, ['doctor'], { env: { PORT: 'x' } })
    assert.deepEqual([settings.code, /^fail +settings +PORT must be/.test(settings.stdout)], [1, true])
  })

  test('an export into a missing folder says so', async () => {
    const output = join(at.place.options.dataDir, 'nowhere', 'k.jsonl')
    const done = await knowledge(at.place, ['export', '-o', output])
    assert.equal(done.code, 1)
    assert.ok(done.stderr.endsWith(`Cannot write ${output}: there is no folder ${dirname(output)}\n`), done.stderr)
  })

  test('a command that only reads does not create a missing database', async () => {
    const dataDir = join(at.place.options.dataDir, 'nowhere')
    const env = { DATA_DIR: dataDir, DATABASE_URL: '' }
    const done = await Promise.all(
      [['export'], ['key', 'list'], ['doctor']].map((args) => knowledge(at.place, args, { env })),
    )
    assert.deepEqual(
      done.map(({ code }) => code),
      [1, 1, 1],
    )
    assert.match(done[0].stderr, /There is no database in .*nowhere/)
    assert.equal(existsSync(dataDir), false)
  })
})

test('a wrong call ends with exit code 2 and one line that says what to do', async (t) => {
  // None of these gets as far as opening a database.
  const place = await DATABASES[0].create()
  t.after(place.remove)
  const cases: [string[], RegExp][] = [
    [['nonsense'], /There is no command "nonsense"/],
    [['import'], /Nothing to import/],
    [['import', '/no/such/folder'], /There is no \/no\/such\/folder/],
    [['import', '.', '--nope'], /Unknown option '--nope'. See: npm run knowledge -- import --help/],
    [['import', '.', '--visibility', 'personal'], /--visibility must be one of/],
    [['import', '.', '--language', 'english'], /^--language must be a language code such as de or en\n$/],
    [['key', 'issue', '--name', 'x'], /--role, --scopes or --user/],
    [['key', 'issue', '--name', 'x', '--scopes', 'all'], /There is no scope all/],
    [['key', 'publish', '--name', 'x'], /--origin is missing/],
    [['key', 'publish', '--name', 'x', '--origin', 'shop.example/here'], /--origin must be an address without a path/],
    [['key', 'publish', '--name', 'x', '--origin', 'https://a.example', '--sections', 'sites'], /--sections must be/],
    [['user', 'create'], /Name one user/],
    [['tenant', 'set', 'language'], /SETTING=VALUE/],
  ]
  const answers = await Promise.all(cases.map(([args]) => knowledge(place, args)))
  for (const [i, { code, stderr }] of answers.entries()) {
    assert.match(stderr, cases[i][1])
    assert.deepEqual([code, stderr.includes('    at ')], [2, false], stderr)
  }
})

/** Starts an OpenAI-compatible provider. It answers only after a call of `answer`. */
async function startProvider(t: TestContext) {
  const waiting: (() => void)[] = []
  let open = false
  const firstRequest = Promise.withResolvers<void>()
  const respond = (texts: readonly string[], response: ServerResponse): void => {
    const data = texts.map((text, index) => ({ index, object: 'embedding', embedding: [1, text.length, 2] }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
  }
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse((await request.toArray()).join('')) as { input: string[] }
    firstRequest.resolve()
    if (open) respond(input, response)
    else waiting.push(() => respond(input, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    firstRequest: firstRequest.promise,
    answer() {
      open = true
      for (const respondNow of waiting) respondNow()
    },
  }
}
