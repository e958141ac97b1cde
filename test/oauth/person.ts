import { openSession } from '../../src/identity/sessions/session-opener.ts'
import { findUser } from '../../src/identity/users/store.ts'
import { type Answer, type Door, HOST, PASSWORD, type Sent, type Stage } from './stage.ts'

/** A person's browser on the service's pages. Keeps cookies and sends the origin of its requests. */
export class Person {
  /** Cookies by path and name, as browsers keep them. */
  readonly #cookies = new Map<string, { readonly path: string; readonly name: string; readonly value: string }>()
  readonly #stage: Stage
  readonly #host: string
  readonly #door: Door | undefined

  constructor(stage: Stage, { host = HOST, door }: { host?: string; door?: Door } = {}) {
    this.#stage = stage
    this.#host = host
    this.#door = door
  }

  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const cookie = this.cookiesFor(path)
    const headers = {
      ...(method === 'GET' ? {} : { origin: `https://${this.#host}` }),
      ...(cookie === '' ? {} : { cookie }),
      ...sent.headers,
    }
    const answer = await this.#stage.send(method, path, { host: this.#host, ...sent, headers }, this.#door)
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      const at = /; path=([^;]*)/i.exec(line)![1]
      if (value === '' || /; Max-Age=0(;|$)|01 Jan 1970/i.test(line)) this.#cookies.delete(`${at} ${name}`)
      else this.keep(at, name, value)
    }
    return answer
  }

  keep(path: string, name: string, value: string): void {
    this.#cookies.set(`${path} ${name}`, { path, name, value })
  }

  /** Returns the Cookie header of a request to that path. */
  cookiesFor(path: string): string {
    const { pathname } = new URL(path, 'https://any.example')
    const isFor = (at: string) => pathname === at || pathname.startsWith(at.endsWith('/') ? at : `${at}/`)
    const sent = [...this.#cookies.values()].filter((cookie) => isFor(cookie.path))
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  get cookieValues(): string[] {
    return [...this.#cookies.values()].map(({ value }) => value)
  }

  signIn(email: string, tenant?: string): Promise<Answer> {
    return this.call('POST', '/api/session', { json: { email, password: PASSWORD, tenant } })
  }

  /** Creates the session directly, without a password. Checking one takes 40 ms and has tests of its own. */
  async beSignedIn(userId: string, tenant = 'default'): Promise<void> {
    const { database } = this.#stage
    const user = (await findUser(database.queries, tenant, userId))!
    const opened = await openSession(database, { user }, Date.now(), () => Promise.resolve([]))
    this.keep('/', '__Host-ks_session', opened!.secret)
  }

  /** Follows a request to authorize to its page. @returns the interaction's path, null without one */
  async ask(
    query: Readonly<Record<string, string>>,
  ): Promise<{ readonly page: string | null; readonly answer: Answer }> {
    const answer = await this.call('GET', `/oauth/authorize?${new URLSearchParams(query).toString()}`)
    return { page: pageOf(answer), answer }
  }

  /** Goes from the sign-in page to the consent page. */
  async goOn(page: string): Promise<string> {
    const { json, text } = await this.call('POST', `${page}/continue`)
    if (typeof json?.location !== 'string') throw new Error(`no way on: ${text}`)
    const next = pageOf(await this.follow(json.location))
    if (next === null) throw new Error('no consent was asked for')
    return next
  }

  /** Allows the scopes, and gives the password that administration asks for. */
  consent(page: string, scopes: readonly string[], sent: Sent = {}): Promise<Answer> {
    const confirmation = scopes.includes('tenant:admin') ? { password: PASSWORD } : undefined
    return this.call('POST', `${page}/consent`, { json: { scopes, confirmation }, ...sent })
  }

  /** Follows a location of the service, under this browser's host. */
  follow(location: string): Promise<Answer> {
    const { pathname, search } = new URL(location, `https://${this.#host}`)
    return this.call('GET', pathname + search)
  }
}

function pageOf({ location }: Answer): string | null {
  if (location === null) return null
  const { pathname } = new URL(location, `https://${HOST}`)
  return pathname.startsWith('/oauth/interaction/') ? pathname : null
}

/** Makes a new user of the stage's first tenant, who is signed in. */
export async function signedIn(stage: Stage, email: string) {
  const user = await stage.user(email)
  const person = new Person(stage)
  await person.beSignedIn(user.id)
  return { stage, user, person }
}
