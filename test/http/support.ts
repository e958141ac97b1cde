import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after } from 'node:test'
import { request, type Dispatcher } from 'undici'
import type { Caller, CallerFacts } from '../../src/platform/access/caller.ts'
import { SCOPES, type Scope } from '../../src/platform/access/scopes.ts'
import { Fault, type FaultDetail } from '../../src/platform/faults.ts'
import { createHttp, type HttpOptions } from '../../src/platform/http/app.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'
import { DEFAULT_SETTINGS } from '../../src/identity/tenants/settings.ts'

export const CREDENTIAL = 'Bearer good'

function callerWith(scopes: readonly Scope[], facts: CallerFacts): Caller {
  return {
    tenant: {
      id: 't',
      ownHost: false,
      settings: DEFAULT_SETTINGS,
      embeddingModel: null,
      watermark: 0,
    },
    userId: null,
    credentialId: facts.authorization ?? '',
    credentialKind: 'key',
    scopes: new Set(scopes),
    ceiling: 'restricted',
    workspaceIds: [],
    audit: { source: facts.auditSource ?? 'api', clientId: facts.clientId ?? null },
  }
}

/** Knows `Bearer good` and `Bearer other` with every scope, `Bearer reader` with one, and `Bearer page` of a page. */
function resolveCaller(facts: CallerFacts): Promise<Caller> {
  if (facts.authorization === 'Bearer reader') return Promise.resolve(callerWith(['knowledge:read'], facts))
  if (facts.authorization === CREDENTIAL || facts.authorization === 'Bearer other') {
    return Promise.resolve(callerWith(SCOPES, facts))
  }
  if (facts.authorization === 'Bearer page') {
    return Promise.resolve({ ...callerWith(SCOPES, facts), publishable: { siteIds: null, origins: [] } })
  }
  const detail = { loc: ['header', 'authorization'], msg: 'Credential is missing or unknown', type: 'unauthorized' }
  return Promise.reject(new Fault('unauthorized', [detail]))
}

interface Answer {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly text: string
  readonly json: unknown
  readonly detail: readonly FaultDetail[]
}

type Sent = { headers?: Record<string, string>; body?: string | Buffer; json?: unknown }

interface Running {
  readonly app: HttpApp
  readonly port: number
  /** Sends a request with a valid credential, unless the headers say otherwise. */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>
  /** Writes bytes as they are and returns all that comes back until the connection closes. */
  readonly raw: (text: string) => Promise<string>
}

/** Starts an HTTP frame with a test file's routes on a free port. It closes after the tests. */
export async function start(routes: (app: HttpApp) => void, options: Partial<HttpOptions> = {}): Promise<Running> {
  const app = createHttp({ resolveCaller, publicUrl: 'http://knowledge.test', ...options })
  routes(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const { port } = app.server.address() as { port: number }
  return { app, port, send: (...call) => send(port, ...call), raw: (text) => rawExchange(port, text) }
}

async function send(port: number, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json)
  const response = await request(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: CREDENTIAL,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    body: body ?? null,
  })
  const text = await response.body.text()
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  const json: unknown = isJson && text !== '' ? JSON.parse(text) : null
  const { detail = [] } = (json ?? {}) as { detail?: FaultDetail[] }
  return { status: response.statusCode, headers: response.headers, text, json, detail }
}

function rawExchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.on('error', (error) => (chunks.length > 0 ? resolve(Buffer.concat(chunks).toString('utf8')) : reject(error)))
  })
}

/** Returns the one fault of an answer, as `status loc type`. */
export function only(answer: Answer): string {
  assert.equal(answer.detail.length, 1, answer.text)
  return `${answer.status} ${answer.detail[0].loc.join('.')} ${answer.detail[0].type}`
}
