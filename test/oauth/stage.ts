import { createHash, randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { request } from 'undici'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { logSettings } from '../../src/platform/http/logger.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'
import { fetchPublic } from '../../src/identity/oauth/clients/public-fetch.ts'
import { createApp, type Parts } from '../../src/app.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { openParts } from '../support/service-parts.ts'
import type { DatabaseKind, TestDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { testConfig } from '../support/service.ts'

export const HOST = 'knowledge.example'
export const ISSUER = `https://${HOST}`
export const INSTALLATION_SECRET = 'a secret of the installation'
export const PASSWORD = 'correct horse battery'

export interface Sent {
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Fields of a form, or its text as it is. */
  readonly form?: Readonly<Record<string, string>> | string
  /** An API key or token. */
  readonly bearer?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** JSON of the answer; null where it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly json: any
  readonly location: string | null
}

/** One service of several over a database, each with settings of its own. */
export interface Door {
  readonly url: string
  readonly app: HttpApp
}

/** A database with services over it, at an address as in production: https, behind a proxy that is not there. */
export class Stage {
  readonly database: Database
  readonly adminKey: string
  /** Service whose refresh tokens work once only. */
  readonly strict: Door
  /** Service with the default grace for refresh tokens, and a log of everything. */
  readonly lenient: Door
  readonly log: string[]
  /** Answers at the addresses of client id metadata documents. */
  readonly documents: Map<string, (init: RequestInit) => Promise<Response>>
  readonly #place: TestDatabase
  #people = 0
  readonly #openBeside: (database: Database) => Promise<Door>
  readonly #close: () => Promise<void>

  private constructor(
    parts: Pick<Stage, 'database' | 'adminKey' | 'strict' | 'lenient' | 'log' | 'documents'>,
    place: TestDatabase,
    openBeside: (database: Database) => Promise<Door>,
    close: () => Promise<void>,
  ) {
    this.database = parts.database
    this.adminKey = parts.adminKey
    this.strict = parts.strict
    this.lenient = parts.lenient
    this.log = parts.log
    this.documents = parts.documents
    this.#place = place
    this.#openBeside = openBeside
    this.#close = close
  }

  static async start(kind: DatabaseKind): Promise<Stage> {
    const place = await kind.createMigrated()
    const settings = { PUBLIC_URL: ISSUER, TRUST_PROXY: 'true' }
    const byHand = await openParts(place, testConfig(place, settings))
    const documents = new Map<string, (init: RequestInit) => Promise<Response>>()
    const log: string[] = []
    const logger = pino(logSettings('trace'), { write: (line: string) => void log.push(line) })
    const parts = (): Parts => ({
      ...byHand.parts(ISSUER, INSTALLATION_SECRET),
      fetchDocument: (url, init) => documents.get(url as string)?.(init ?? {}) ?? fetchPublic(url, init),
    })
    const open = async (more: Record<string, string>, writeTo?: typeof logger, own?: Database): Promise<Door> => {
      const serviceParts = own === undefined ? parts() : { ...parts(), database: own }
      const app = createApp(testConfig(place, { ...settings, ...more }), serviceParts, writeTo)
      return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
    }
    const strict = await open({ OAUTH_REFRESH_GRACE_SECONDS: '0' })
    const lenient = await open({}, logger)
    const { database, adminKey } = byHand
    const openBeside = (own: Database) => open({}, undefined, own)
    return new Stage({ database, adminKey, strict, lenient, log, documents }, place, openBeside, async () => {
      await Promise.all([strict.app.close(), lenient.app.close()])
      await byHand.close()
    })
  }

  /** Opens a lenient service with a connection of its own to the database, as in another process. */
  async beside(): Promise<Door & { close(): Promise<void> }> {
    const database = openDatabase(this.#place.options)
    const door = await this.#openBeside(database)
    const close = async (): Promise<void> => {
      await door.app.close()
      await database.close()
    }
    return { ...door, close }
  }

  async send(method: string, path: string, sent: Sent = {}, door = this.strict): Promise<Answer> {
    const { host = HOST, json, form, bearer } = sent
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const hasBody = json !== undefined || form !== undefined
    const text = typeof form === 'object' ? new URLSearchParams(form).toString() : form
    const { statusCode, headers, body } = await request(door.url + path, {
      method: method as 'GET',
      headers: {
        host,
        // People come from everywhere, also when a test sends more requests than one of them may.
        ...(path.startsWith('/oauth/authorize')
          ? { 'x-forwarded-for': `2001:db8:${(this.#people++).toString(16)}::1` }
          : {}),
        ...(hasBody ? { 'content-type': type } : {}),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...sent.headers,
      },
      body: hasBody ? (json === undefined ? text : JSON.stringify(json)) : undefined,
    })
    const answer = await body.text()
    const { location = null } = headers as { location?: string }
    return { status: statusCode, headers, text: answer, json: parsed(answer), location }
  }

  /** Makes a user with a password. */
  async user(email: string, role = 'editor', tenant = 'default'): Promise<{ id: string; email: string }> {
    const { id } = await createUser(this.database, tenant, { email, name: email, role })
    await givePassword(this.database, tenant, id, PASSWORD)
    return { id, email }
  }

  async tenant(id: string, host: string | null = null): Promise<void> {
    await createTenant(this.database, { id, name: id, host })
  }

  async key(scopes: readonly string[], tenant = 'default'): Promise<string> {
    const key = { name: 'test', scopes, userId: null, expiresAt: null }
    return (await issueApiKey(this.database, tenant, key)).key
  }

  /** Makes some of the server's objects expire. */
  async expire(kind: string, clientId: string): Promise<void> {
    await this.database.queries
      .updateTable('oauth_records')
      .set({ expires_at: Date.now() - 1_000 })
      .where('kind', '=', kind)
      .where('client_id', '=', clientId)
      .execute()
  }

  async stop(): Promise<void> {
    await this.#close()
    await this.#place.remove()
  }
}

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
