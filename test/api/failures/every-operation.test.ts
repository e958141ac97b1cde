import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { issueApiKey } from '../../../src/identity/api-keys/rules.ts'
import { issueOperator } from '../../../src/identity/operators/rules.ts'
import type { Service } from '../../../src/server.ts'
import { rememberRows } from '../../isolation/tables.ts'
import { inTurn } from '../../limits/sample.ts'
import { onAnyDatabase } from '../../support/databases.ts'
import { type Answer, type Call, TestService } from '../../support/service.ts'
import { type SessionHeaders, sessionOf } from './callers.ts'
import { audienceOf, type Route, fileOf, generalStatuses, needsRows, operationsOf } from './declared.ts'
import { documentOf, said, UNKNOWN } from './table.ts'

const MEBIBYTE = 1_048_576
/** Content types that no operation takes. */
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/json; charset=utf-16',
  'x',
]

/** A credential, as the headers of a request. */
type Credential = Readonly<Record<string, string>>

onAnyDatabase('answers that operations give alike', (kind) => {
  let service: TestService
  let operations: readonly Route[]
  let operator: string
  let session: SessionHeaders
  /** May see what is public, and has no other scope. */
  let bare: string
  let publishable: string
  let assertSame: () => Promise<void>

  before(async () => {
    service = await TestService.start(kind, { RATE_LIMIT_OPERATOR_PER_MINUTE: '0' })
    const { database, tenantId } = service
    operations = operationsOf(documentOf(service))
    operator = (await issueOperator(database, { name: 'Operator', expiresAt: null })).key
    const { userId } = await service.user({ email: 'somebody@example.com' })
    session = await sessionOf(service, userId)
    bare = await service.key(['visibility:public'])
    const page = { sites: null, sections: ['products', 'knowledge'], origins: ['https://page.example'] } as const
    const terms = { name: 'Page', scopes: ['knowledge:read', 'products:read', 'search:log'], userId: null } as const
    publishable = (await issueApiKey(database, tenantId, { ...terms, expiresAt: null, publishable: page })).key
    assertSame = await rememberRows(database, tenantId)
  })
  after(() => service.stop())

  /** The credential that an operation takes. */
  const credentialOf = ({ operation }: Route): Credential => {
    const audience = audienceOf(operation)
    if (audience === 'tenant') return bearer(service.adminKey)
    return audience === 'operator' ? bearer(operator) : session
  }
  const ask = (
    route: Route,
    credential: Credential,
    { body, headers }: Pick<Call, 'body' | 'headers'> = {},
    base = service.service.url,
  ): Promise<Answer> =>
    service.call(route.method, addressOf(route), { key: null, body, headers: { ...credential, ...headers } }, base)

  /** Asks each operation that declares the status as all do, in a test with its name. */
  const ofEach = async (
    t: TestContext,
    status: number,
    why: string,
    faultOf: (route: Route) => string | null,
    answerOf: (route: Route, turn: number) => Promise<Answer>,
  ): Promise<void> => {
    const rows = operations
      .filter(({ operation }) => generalStatuses(operation).includes(status))
      .map((route) => ({ route, fault: faultOf(route) }))
      .filter(({ fault }) => fault !== null)
    assert.ok(rows.length > 0)
    for (const [turn, { route, fault }] of rows.entries()) {
      await t.test(`${route.operation.operationId} answers ${fault}: ${why}`, async () => {
        assert.equal(said(await answerOf(route, turn)).join(', '), fault)
      })
    }
  }

  test('an operation that fails in a way of its own is in the table of its resource', () => {
    const tags = new Set(operations.filter(needsRows).map(({ operation }) => operation.tags[0]))
    const missing = [...tags].filter((tag) => {
      const file = join(import.meta.dirname, fileOf(tag))
      return !existsSync(file) || !new RegExp(`^failures(<.*>)?\\('${tag}', `, 'm').test(readFileSync(file, 'utf8'))
    })
    assert.deepEqual(missing.map(fileOf), [], 'write the table of the resource')
  })

  test('every operation refuses a request without a credential', (t) =>
    ofEach(
      t,
      401,
      'no credential',
      ({ operation }) =>
        `401 unauthorized at header.${audienceOf(operation) === 'session' ? 'cookie' : 'authorization'}`,
      (route) => ask(route, { origin: service.service.url }, { body: exampleOf(route) }),
    ))

  test('an operation with scopes refuses a credential without them, and names them', (t) =>
    ofEach(
      t,
      403,
      'a key without the scope',
      ({ operation }) => (operation['x-scopes'] === undefined ? null : '403 forbidden at header.authorization'),
      async (route) => {
        const answer = await ask(route, bearer(bare))
        const challenge = `Bearer error="insufficient_scope", scope="${route.operation['x-scopes']!.join(' ')}"`
        assert.equal(answer.headers.get('www-authenticate'), challenge)
        return answer
      },
    ))

  test('an operation for any credential refuses that of a page', (t) =>
    ofEach(
      t,
      403,
      'a publishable key',
      ({ operation }) =>
        audienceOf(operation) === 'tenant' && operation['x-scopes'] === undefined
          ? '403 forbidden at header.authorization'
          : null,
      (route) => ask(route, bearer(publishable)),
    ))

  test('an operation for a session alone refuses other pages and callers that are no page', (t) =>
    ofEach(
      t,
      403,
      'a page of another origin, or a picture',
      ({ method, operation }) =>
        audienceOf(operation) === 'session'
          ? `403 forbidden at header.${method === 'GET' ? 'sec-fetch-dest' : 'origin'}`
          : null,
      (route) => ask(route, session, { headers: { origin: 'https://evil.example', 'sec-fetch-dest': 'image' } }),
    ))

  test('an operation of operators does not exist outside of their networks', async (t) => {
    const elsewhere = await service.sibling({ OPERATOR_NETWORKS: '192.0.2.0/24' })
    try {
      await ofEach(
        t,
        404,
        'an address outside of the networks of operators',
        () => '404 not_found at path',
        (route) => ask(route, bearer(operator), {}, elsewhere.url),
      )
    } finally {
      await elsewhere.stop()
    }
  })

  test('an operation refuses a body that is larger than every body may be, before it comes', (t) =>
    ofEach(
      t,
      413,
      'a body of three mebibytes',
      () => '413 body_too_large at body',
      (route) => announce(service.service, route, credentialOf(route)),
    ))

  test('an operation with a body refuses every other type of it, before it is read', (t) =>
    ofEach(
      t,
      415,
      'other types of the body',
      () => '415 unsupported_media_type at header.content-type',
      async (route, turn) => {
        const answers: Answer[] = []
        for (const type of inTurn(OTHER_TYPES, turn, 2))
          answers.push(await ask(route, credentialOf(route), { body: '{', headers: { 'content-type': type } }))
        for (const answer of answers) assert.deepEqual(said(answer), said(answers[0]))
        return answers[0]
      },
    ))

  test('an operation with a body refuses a body that is no JSON', (t) =>
    ofEach(
      t,
      422,
      'a body that is no JSON',
      (route) => (takesJson(route) ? '422 json_invalid at body' : null),
      (route) => ask(route, credentialOf(route), { body: '{' }),
    ))

  test('an operation without JSON refuses a field of the query that it has not, for a caller who prefers that', (t) =>
    ofEach(
      t,
      422,
      'a field that nothing reads',
      (route) => (takesJson(route) ? null : '422 extra_forbidden at query.nothing'),
      (route) => {
        const there = { ...route, path: `${route.path}?nothing=1` }
        const type = Object.keys(route.operation.requestBody?.content ?? {})
        const headers = { prefer: 'handling=strict', ...(type.length === 0 ? {} : { 'content-type': type[0] }) }
        return ask(there, credentialOf(route), { body: type.length === 0 ? undefined : '{}', headers })
      },
    ))

  test('an operation refuses more requests than a credential may send', async (t) => {
    const limited = await service.sibling({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_OPERATOR_PER_MINUTE: '1' })
    try {
      await ofEach(
        t,
        429,
        'the second request of a minute',
        () => '429 rate_limited at header.authorization',
        async (route) => {
          const credential = credentialOf(route)
          const isOperator = audienceOf(route.operation) === 'operator'
          const path = isOperator ? '/api/operator/status' : '/api/session'
          await service.call('GET', path, { key: null, headers: credential }, limited.url)
          const answer = await ask(route, credential, { headers: { origin: limited.url } }, limited.url)
          assert.ok(Number(answer.headers.get('retry-after')) > 0)
          return answer
        },
      )
    } finally {
      await limited.stop()
    }
  })

  test('an operation that refuses changes nothing', () => assertSame())
})

const bearer = (key: string): Credential => ({ authorization: `Bearer ${key}` })

function takesJson({ operation }: Route): boolean {
  return operation.requestBody?.content['application/json'] !== undefined
}

/** A body that an operation takes; undefined where it takes none, or no JSON. */
function exampleOf({ operation }: Route): unknown {
  return operation.requestBody?.content['application/json']?.example
}

/** The address of an operation, about things that do not exist, with the fields of the query that it needs. */
function addressOf({ path, operation }: Route): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'version' ? '1' : UNKNOWN))
  const needed = (operation.parameters ?? []).filter((each) => each.in === 'query' && each.required)
  const query = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')
  if (query === '') return filled
  return `${filled}${filled.includes('?') ? '&' : '?'}${query}`
}

/** Announces a body that never comes. */
function announce({ url }: Service, route: Route, credential: Credential): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...credential, 'content-type': 'application/json', 'content-length': String(3 * MEBIBYTE) }
    const sent = request(url + addressOf(route), { method: route.method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        resolve({
          status: response.statusCode!,
          headers: new Headers(),
          body: JSON.parse(String(Buffer.concat(parts))),
        })
        sent.destroy()
      })
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}
