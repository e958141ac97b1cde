import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError, OWN_PREFIXES, readConfig, SETTINGS } from './config.ts'
import { EMBEDDING_DIMENSIONS_MAX } from './config/topics/embedding.ts'

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.lines
  }
}

test('each faulty setting is named in one line, without its value', () => {
  assert.deepEqual(faultsOf({ PORT: '99999', BOOTSTRAP_API_KEY: 'secret' }), [
    'PORT must be a whole number from 0 to 65535',
    'BOOTSTRAP_API_KEY must be ks_ followed by 40 letters or digits',
  ])
})

test('by default a tenant may take half of the search memory, and never more than all of it', () => {
  const of = (all: string, tenant = '') => readConfig({ SEARCH_MEMORY_MB: all, SEARCH_MEMORY_PER_TENANT_MB: tenant })
  assert.equal(readConfig({}).searchMemoryPerTenantMb, 1_024)
  assert.equal(of('64').searchMemoryPerTenantMb, 32)
  assert.equal(of('64', '64').searchMemoryPerTenantMb, 64)
  assert.deepEqual(faultsOf({ SEARCH_MEMORY_MB: '64', SEARCH_MEMORY_PER_TENANT_MB: '65' }), [
    'SEARCH_MEMORY_PER_TENANT_MB must be at most SEARCH_MEMORY_MB, which is 64: lower it, or raise SEARCH_MEMORY_MB',
  ])
  assert.deepEqual(faultsOf({ SEARCH_MEMORY_PER_TENANT_MB: '0' }), [
    'SEARCH_MEMORY_PER_TENANT_MB must be a whole number from 1 to 1000000',
  ])
})

test('search memory beyond what one WebAssembly memory holds is refused, with what works', () => {
  assert.equal(readConfig({ SEARCH_MEMORY_MB: '4096' }).searchMemoryMb, 4_096)
  assert.deepEqual(faultsOf({ SEARCH_MEMORY_MB: '4097' }), ['SEARCH_MEMORY_MB must be a whole number from 16 to 4096'])
})

test('the default that people read is the one that counts', () => {
  const written = SETTINGS.filter((setting) => setting.default !== null)
  assert.ok(written.length > 10)
  for (const { name, read, default: text, defaultWords } of written) {
    assert.deepEqual(read(text!), read(undefined), name)
    assert.equal(defaultWords, text, name)
  }
})

test('every setting has one name, a meaning in sentences, and an example that it takes unless it is a secret', () => {
  assert.equal(new Set(SETTINGS.map(({ name }) => name)).size, SETTINGS.length)
  for (const { name, meaning, isSecret, example, read, default: text } of SETTINGS) {
    assert.match(meaning, /^[A-Z].*\.$/, name)
    if (example === null) assert.ok(isSecret, `${name} has no example`)
    else assert.notDeepEqual(read(example), text === null ? null : read(text), name)
  }
})

test('every prefix of the service begins a setting', () => {
  for (const prefix of OWN_PREFIXES)
    assert.ok(
      SETTINGS.some(({ name }) => name.startsWith(prefix)),
      prefix,
    )
})

test('a rule across settings waits until each of them is sound, so that one mistake makes one line', () => {
  assert.deepEqual(faultsOf({ SMTP_URL: 'mail.example.com', MAIL_FROM: 'knowledge@example.com' }), [
    'SMTP_URL must be an smtp:// or smtps:// address',
  ])
  assert.deepEqual(faultsOf({ SIGN_IN_SCOPES: 'email' }), [
    'SIGN_IN_SCOPES must be names with a space between them, openid among them',
  ])
})

test('no fault of a setting repeats its value', () => {
  const value = '\u0000a value to hide'
  const faulty = SETTINGS.filter(({ name }) => {
    const faults = faultsOf({ [name]: value })
    assert.ok(!faults.join().includes(value), name)
    return faults.some((fault) => fault.startsWith(`${name} must`))
  })
  assert.ok(faulty.length > 30, `${faulty.length} are too few`)
})

test('vectors are no longer than the search engine takes, which the refusal names', () => {
  const env = (dimensions: number) => ({ EMBEDDING_DIMENSIONS: String(dimensions) })
  assert.equal(readConfig(env(EMBEDDING_DIMENSIONS_MAX)).embedding.dimensions, EMBEDDING_DIMENSIONS_MAX)
  assert.deepEqual(faultsOf(env(EMBEDDING_DIMENSIONS_MAX + 1)), [
    'EMBEDDING_DIMENSIONS must be a whole number from 1 to 8192',
  ])
})

test('the prefixes of queries and passages keep their spaces, and input types are two words', () => {
  const { embedding } = readConfig({ EMBEDDING_QUERY_PREFIX: 'query: ', EMBEDDING_INPUT_TYPES: 'query, document' })
  assert.deepEqual(
    [embedding.queryPrefix, embedding.passagePrefix, embedding.inputTypes],
    ['query: ', null, { query: 'query', passage: 'document' }],
  )
  assert.deepEqual(faultsOf({ EMBEDDING_INPUT_TYPES: 'query' }), [
    'EMBEDDING_INPUT_TYPES must be two words with a comma between, such as query,passage',
  ])
  assert.deepEqual(faultsOf({ EMBEDDING_QUERY_PREFIX: 'x'.repeat(1_001) }), [
    'EMBEDDING_QUERY_PREFIX must be a text of at most 1000 characters',
  ])
})

test('an unknown variable is an error if it has our prefix, and is ignored otherwise', () => {
  const names = ['BOOTSTRAP_KEY', 'SEARCH_MB', 'RATE_LIMIT_PER_SECOND']
  const others = ['HOME', 'PGHOST', 'PORTS', 'HOSTNAME', 'KNOWLEDGE_SERVICE_PORT', 'KNOWLEDGE_SERVICE_HOST', 'LOGNAME']
  assert.deepEqual(
    faultsOf(Object.fromEntries([...names, ...others].map((name) => [name, '1']))),
    names.map((name) => `${name} is not a setting`),
  )
})

test('the variables that the guides let people export are no settings, and disturb no command', () => {
  const pages = ['README.md', ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`)]
  const exported = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/^ *export (\w+)=/gm)])
  const names = new Set(exported.map(([, name]) => name))
  assert.ok(names.has('KNOWLEDGE_API_KEY') && names.has('KNOWLEDGE_OPERATOR_KEY'))
  for (const name of names) readConfig({ [name]: 'x' })
})

test('the error about a misspelt setting names the one that was probably meant', () => {
  const meant = {
    CONNECTIONS_PER_ADRESS: 'CONNECTIONS_PER_ADDRESS',
    EMBEDDING_MODELL: 'EMBEDDING_MODEL',
    SEARCH_MEMORY_MB_PER_TENANT: null,
    SEARCH_MEMORY_PER_TENANT: 'SEARCH_MEMORY_PER_TENANT_MB',
    DATADIR: 'DATA_DIR',
    EMBEDING_PROVIDER: 'EMBEDDING_PROVIDER',
    DATABSE_URL: 'DATABASE_URL',
  }
  assert.deepEqual(
    faultsOf(Object.fromEntries(Object.keys(meant).map((name) => [name, '1']))),
    Object.entries(meant).map(([name, to]) => `${name} is not a setting${to === null ? '' : `; did you mean ${to}?`}`),
  )
})

test('an outside provider needs all its settings, and TLS unless it is on this machine', () => {
  const all = { SIGN_IN_CLIENT_ID: 'id', SIGN_IN_CLIENT_SECRET: 'secret' }
  const issuerOf = (issuer: string) => readConfig({ ...all, SIGN_IN_ISSUER: issuer }).signInProvider!.issuer
  for (const issuer of ['https://login.example/realm/', 'http://localhost:9000', 'http://127.0.0.1:9000/a']) {
    assert.equal(issuerOf(issuer), issuer)
  }
  for (const issuer of [
    'http://login.example',
    'ftp://login.example',
    'login.example',
    'http://127.0.0.1.example',
    'https://u:p@a.example',
  ]) {
    assert.throws(() => issuerOf(issuer), /SIGN_IN_ISSUER must be/, issuer)
  }
  const scopesOf = (scopes?: string) =>
    readConfig({ ...all, SIGN_IN_ISSUER: 'https://login.example', SIGN_IN_SCOPES: scopes }).signInProvider!.scopes
  assert.deepEqual([scopesOf(), scopesOf('openid profile groups')], ['openid email', 'openid profile groups'])
  for (const scopes of ['email', 'openid  email', ' openid', 'openid "email"'])
    assert.throws(() => scopesOf(scopes), /SIGN_IN_SCOPES must be names/, scopes)
  assert.throws(() => readConfig({ SIGN_IN_CLIENT_ID: 'id' }), /must be set together/)
  assert.equal(readConfig({}).signInProvider, null)
})

test('mail needs a server and a sender, and a fault never repeats the password of the server', () => {
  const read = (SMTP_URL: string, MAIL_FROM: string) => readConfig({ SMTP_URL, MAIL_FROM }).mail
  const smtpUrl = 'smtps://user:p%40ss-word@mail.example.com:465'
  for (const from of ['knowledge@example.com', 'Our Knowledge <knowledge@example.com>']) {
    assert.deepEqual(read(smtpUrl, from), { smtpUrl, from })
  }
  assert.equal(readConfig({}).mail, null)
  assert.throws(() => read(smtpUrl, ''), /must be set together/)
  assert.throws(() => read('', 'knowledge@example.com'), /must be set together/)
  for (const from of ['nobody', 'a@b, c@d', 'A <a@b> <c@d>'])
    assert.throws(() => read(smtpUrl, from), /MAIL_FROM must be/)
  for (const url of ['mail.example.com', 'https://user:p%40ss-word@mail.example.com', 'smtp:']) {
    assert.throws(
      () => read(url, 'knowledge@example.com'),
      (error: Error) => error.message.startsWith('SMTP_URL must be') && !error.message.includes('p%40ss-word'),
    )
  }
})

test('proxies in front are none, one, a number or networks', () => {
  const read = (raw: string) => readConfig({ TRUST_PROXY: raw }).trustProxy
  assert.deepEqual(['', 'false', '0', 'true', '3'].map(read), [false, false, false, 1, 3])
  assert.deepEqual(read('10.0.0.0/8, 192.0.2.1,fd00::/8'), ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  for (const raw of [
    'yes',
    '17',
    '-1',
    '1.5',
    'loopback',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.1,',
    '::1%lo',
  ]) {
    assert.deepEqual(faultsOf({ TRUST_PROXY: raw }).length, 1, raw)
  }
})

test('the length of a password counts characters in any Unicode form', () => {
  const read = (password: string) => readConfig({ BOOTSTRAP_ADMIN_PASSWORD: password }).bootstrap.adminPassword
  assert.equal(read('twelve chars'), 'twelve chars')
  assert.equal(read('o\u0308'.repeat(200)), 'o\u0308'.repeat(200))
  for (const password of ['eleven char', '😀'.repeat(11), 'x'.repeat(201), 'o\u0308'.repeat(11)]) {
    assert.throws(() => read(password), /BOOTSTRAP_ADMIN_PASSWORD must have 12 to 200 characters/)
  }
})

test('the address of PostgreSQL says how a pooler works, in one of two words', () => {
  const url = 'postgres://knowledge:secret@localhost:6432/knowledge'
  for (const allowed of [url, `${url}?pooling=session`, `${url}?sslmode=require&pooling=transaction`])
    assert.equal(readConfig({ DATABASE_URL: allowed }).databaseUrl, allowed)
  const [fault, ...more] = faultsOf({ DATABASE_URL: `${url}?pooling=statement` })
  assert.match(fault, /^DATABASE_URL must be a postgres:\/\/ address .*\?pooling=transaction/)
  assert.deepEqual(more, [])
})

test('passing searches on between machines needs an address, the others and a shared secret, all named', () => {
  const own = { SECRET_KEY: 'k'.repeat(32), SEARCH_LISTEN: '10.0.0.1:9400', SEARCH_PEERS: '10.0.0.1:9400, db-2:9400' }
  assert.equal(readConfig({}).searchPassing, null)
  assert.deepEqual(readConfig(own).searchPassing, {
    listen: { host: '10.0.0.1', port: 9_400 },
    peers: [
      { host: '10.0.0.1', port: 9_400 },
      { host: 'db-2', port: 9_400 },
    ],
  })
  assert.equal(readConfig({ ...own, SEARCH_LISTEN: '' }).searchPassing, null, 'as commands may have it')
  assert.deepEqual(faultsOf({ ...own, SEARCH_PEERS: '' }), [
    'SEARCH_LISTEN needs SEARCH_PEERS, the addresses of all processes that share tenants',
  ])
  assert.deepEqual(faultsOf({ ...own, SECRET_KEY: '' }), ['SEARCH_PEERS needs SECRET_KEY, the same for every process'])
  assert.deepEqual(faultsOf({ ...own, PORT: '9400' }), ['SEARCH_LISTEN must have another port than PORT'])
  assert.deepEqual(faultsOf({ ...own, SEARCH_LISTEN: '10.0.0.1' }), [
    'SEARCH_LISTEN must be an address of this machine with a port: 10.0.0.1:9400, or [fd00::1]:9400',
  ])
  for (const peers of ['10.0.0.1', '10.0.0.1:9400,', Array.from({ length: 257 }, (_, i) => `a:${i + 1}`).join(',')]) {
    assert.deepEqual(faultsOf({ ...own, SEARCH_PEERS: peers }), [
      'SEARCH_PEERS must be addresses with ports, such as 10.0.0.1:9400,10.0.0.2:9400, with commas between; 256 at most',
    ])
  }
})

test('the port of probes is another one than that of the service, and its token cannot be guessed', () => {
  const { probePort, metricsToken } = readConfig({})
  assert.deepEqual([probePort, metricsToken], [null, null])
  assert.equal(readConfig({ PROBE_PORT: '9090' }).probePort, 9_090)
  assert.deepEqual(faultsOf({ PORT: '9090', PROBE_PORT: '9090' }), ['PROBE_PORT must be another port than PORT'])
  for (const token of ['short', `${'x'.repeat(20)} y`]) {
    const [fault] = faultsOf({ METRICS_TOKEN: token })
    assert.equal(fault, 'METRICS_TOKEN must be at least 20 letters, digits, or signs of a bearer token')
  }
})

test('who listens on every address of its machine must be among those that are named', () => {
  const every = { SECRET_KEY: 'k'.repeat(32), SEARCH_LISTEN: '0.0.0.0:9400' }
  assert.deepEqual(faultsOf({ ...every, SEARCH_PEERS: 'a:9400,b:9400' }), [])
  assert.deepEqual(faultsOf({ ...every, SEARCH_PEERS: 'a:9401,b:9402' }), [
    'SEARCH_PEERS must name this process too, since SEARCH_LISTEN is every address of the machine',
  ])
})
