import type { Answer, TestService } from '../support/service.ts'

/** A browser on the service's pages. Keeps cookies and sends the origin of its requests. */
export class Browser {
  readonly #service: TestService
  readonly #base: string
  readonly cookies = new Map<string, string>()
  /** Headers that a proxy before the service adds when a person signs in at a provider. */
  proxied: Readonly<Record<string, string>> = {}

  constructor(service: TestService, base = service.service.url) {
    this.#service = service
    this.#base = base
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { origin: new URL(this.#base).origin, ...(cookie === '' ? {} : { cookie }), ...headers }
    const answer = await this.#service.call(method, path, { key: null, body, headers: sent }, this.#base)
    this.keep(answer.headers)
    return answer
  }

  signIn(email: string, password: string, tenant?: string): Promise<Answer> {
    return this.call('POST', '/api/session', { email, password, ...(tenant === undefined ? {} : { tenant }) })
  }

  /** Stores the cookies of an answer. */
  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
