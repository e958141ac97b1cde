import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'knowledge', secret: 'a secret between the two of them' } as const

/** The provider's data of a person. */
interface Account {
  readonly email: string
  readonly email_verified: boolean
  /** Other claims of the scope `groups`. */
  readonly [claim: string]: unknown
}

/** Events that a logout token reports. */
export const LOGOUT_EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} } as const
const KEY_ID = 'the one key'

/** Claims of the scope `groups`, as providers have them. */
const GROUP_CLAIMS = ['name', 'groups', 'roles', 'realm_access', '_claim_names', 'https://example.com/groups']

/** Parts that the types of the library leave out. */
interface BackchannelClient {
  backchannelLogout(subject: string, sid: string): Promise<void>
}

/** A real OpenID provider on a local port. Every visitor is signed in at once as `account`. */
export class OutsideProvider {
  readonly #server: Server
  readonly issuer: string
  readonly #key: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
  #provider: Provider | null = null
  /** The provider's ids of the sessions that it opened, oldest first. */
  readonly sids: string[] = []
  /** Subject of the next sign-in; null refuses it. */
  subject: string | null = null
  readonly accounts = new Map<string, Account>()
  /** Seconds by which the clock of its ID tokens is ahead. */
  secondsAhead = 0
  /** Whether the claims of a scope are only in the user info, as OpenID Connect Core has it. */
  conform = true
  /** Answers a request. Until `open` is called, the provider drops every connection. */
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

  /** Starts to answer. Before that the addresses for returning browsers are not known. */
  open(redirectUris: readonly string[]): void {
    const client = {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [...redirectUris],
      backchannel_logout_uri: new URL('/sign-in/provider/logout', redirectUris[0]).href,
      backchannel_logout_session_required: true,
    }
    const provider = new Provider(this.issuer, {
      clients: [client],
      jwks: { keys: [{ ...this.#key.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }] },
      // Without its dispatcher, which keeps it from addresses of this machine.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: GROUP_CLAIMS },
      scopes: ['openid', 'email', 'groups'],
      conformIdTokenClaims: this.conform,
      cookies: { keys: ['some key'] },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
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
    this.#signAhead(provider)
    provider.on('authorization.success', ({ oidc }) => this.sids.push(oidc.session!.sidFor(CLIENT.id)!))
    this.#provider = provider
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

  /** Lets the clock of the provider's ID tokens go ahead. */
  #signAhead(provider: Provider): void {
    const { prototype } = provider.IdToken as unknown as { prototype: { payload(): Promise<{ iat: number }> } }
    const own = prototype.payload
    const secondsAhead = () => this.secondsAhead
    prototype.payload = async function payload(this: unknown) {
      const claims = await own.call(this)
      return { ...claims, iat: Math.floor(Date.now() / 1_000) + secondsAhead() }
    }
  }

  /** Tells the service that a session has ended, as the provider does it. Rejects unless the service agrees. */
  async logout(subject: string, sid: string): Promise<void> {
    const client = await this.#provider!.Client.find(CLIENT.id)
    await (client as unknown as BackchannelClient).backchannelLogout(subject, sid)
  }

  /** Returns a logout token with these claims in place of those of a good one; undefined leaves one out. */
  async logoutToken(claims: JWTPayload, { typ = 'logout+jwt', key = this.#key, alg = 'RS256' } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const usual = {
      iss: this.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 120,
      jti: randomUUID(),
      events: LOGOUT_EVENTS,
    }
    const defined = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined)
    return new SignJWT(Object.fromEntries(defined)).setProtectedHeader({ alg, typ, kid: KEY_ID }).sign(key)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
