import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestService } from '../support/service.ts'

/**
 * An application on this computer that people connect. It is registered with a key, and waits at a port for its answer.
 */
export class Application {
  readonly #service: TestService
  readonly #base: string
  readonly #server: Server
  readonly clientId: string
  readonly #redirectUri: string
  readonly #verifier = randomBytes(32).toString('base64url')
  readonly #answers: URLSearchParams[] = []
  #waiting: ((answer: URLSearchParams) => void) | null = null

  private constructor(service: TestService, base: string, server: Server, clientId: string, redirectUri: string) {
    this.#service = service
    this.#base = base
    this.#server = server
    this.clientId = clientId
    this.#redirectUri = redirectUri
    server.on('request', ({ url }, response) => {
      const { pathname, searchParams } = new URL(url ?? '/', redirectUri)
      response.end('You may close this page.')
      if (pathname !== '/callback') return
      if (this.#waiting === null) this.#answers.push(searchParams)
      else this.#waiting(searchParams)
      this.#waiting = null
    })
  }

  static async register(
    service: TestService,
    base: string,
    name: string,
    moreAddresses: readonly string[] = [],
  ): Promise<Application> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const redirectUri = `http://localhost:${(server.address() as AddressInfo).port}/callback`
    const { body } = await service.call('POST', '/oauth/register', {
      body: {
        client_name: name,
        redirect_uris: [redirectUri, ...moreAddresses],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
    })
    return new Application(service, base, server, body.client_id, redirectUri)
  }

  /** Returns the address to which the application sends a person's browser. */
  authorizeUrl(scope: string, more: Record<string, string> = {}): string {
    const url = new URL('/oauth/authorize', this.#base)
    url.search = new URLSearchParams({
      client_id: this.clientId,
      response_type: 'code',
      redirect_uri: this.#redirectUri,
      scope,
      state: 'the state',
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: new URL('/mcp', this.#base).href,
      ...more,
    }).toString()
    return url.href
  }

  /** Waits for the query parameters with which the browser comes back. */
  answer(): Promise<URLSearchParams> {
    const there = this.#answers.shift()
    if (there !== undefined) return Promise.resolve(there)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  async redeem(answer: URLSearchParams): Promise<{ scope: string; access_token: string }> {
    const { body } = await this.#service.call('POST', '/oauth/token', {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: this.clientId,
        code: answer.get('code') ?? '',
        redirect_uri: this.#redirectUri,
        code_verifier: this.#verifier,
        resource: new URL('/mcp', this.#base).href,
      }).toString(),
    })
    return body
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }
}
