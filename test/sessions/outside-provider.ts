import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'knowledge', secret: 'a secret between the two of them' } as const

/** The provider's data of a person. */
interface Account {
  readonly email: string
  readonly email_verified: boolean
  /** What else the scope `groups` has. */
  readonly [claim: string]: unknown
}

/** Claims of the scope `groups`, as providers have them. */
const GROUP_CLAIMS = ['name', 'groups', 'roles', 'realm_access', '_claim_names', 'https://example.com/groups']

/** A real OpenID provider on a local port. Every visitor is signed in at once as `account`. */
export class OutsideProvider {
  readonly #server: Server
  readonly issuer: string
  /** Subject of the next sign-in; null refuses it. */
  subject: string | null = null
  readonly accounts = new Map<string, Account>()
  /** Whether claims are told only to who asks for the user info, as OpenID Connect Core has it. */
  conform = true
  /** Until `open` is called, the provider drops every connection. */
  #answer: RequestListener = (_request, response) => response.destroy()

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => this.#answer(request, response))
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<OutsideProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new OutsideProvider(server)
  }

  /** Starts to answer. Until then the addresses for returning browsers are not known. */
  open(redirectUris: readonly string[]): void {
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirectUris] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: GROUP_CLAIMS },
      scopes: ['openid', 'email', 'groups'],
      conformIdTokenClaims: this.conform,
      cookies: { keys: ['some key'] },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...this.accounts.get(id) }) }),
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client!.clientId,
          accountId: context.oidc.session!.accountId,
        })
        grant.addOIDCScope('openid email groups')
        await grant.save()
        return grant
      },
    })
    const answer = provider.callback()
    this.#answer = (request, response) => {
      if (!request.url!.startsWith('/interaction/')) {
        answer(request, response).catch((error: unknown) => response.destroy(error as Error))
        return
      }
      const result =
        this.subject === null ? { error: 'access_denied' } : { login: { accountId: this.subject, remember: false } }
      provider
        .interactionFinished(request, response, result)
        .catch((error: unknown) => response.destroy(error as Error))
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
