import type { OAuthClientProvider } from '@modelcontextprotocol/client'

type Method<K extends keyof OAuthClientProvider> = NonNullable<OAuthClientProvider[K]>
type Client = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>

/** Keeps an assistant's connection, as both lines of the SDK ask for it. */
export class Wallet implements OAuthClientProvider {
  client: Client = undefined
  stored: Tokens = undefined
  /** Where the SDK sent the person's browser. */
  sentTo: URL | null = null
  #verifier = ''
  #discovery: Parameters<Method<'saveDiscoveryState'>>[0] | undefined
  readonly #name: string
  readonly redirectUrl: string

  constructor(name: string, redirectUrl: string) {
    this.#name = name
    this.redirectUrl = redirectUrl
  }

  get clientMetadata() {
    return {
      client_name: this.#name,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  readonly clientInformation = (): Client => this.client
  readonly saveClientInformation: Method<'saveClientInformation'> = (client) => {
    this.client = client
  }
  readonly tokens = (): Tokens => this.stored
  readonly saveTokens: Method<'saveTokens'> = (tokens) => {
    this.stored = tokens
  }
  readonly redirectToAuthorization: Method<'redirectToAuthorization'> = (url) => {
    this.sentTo = url
  }
  readonly saveCodeVerifier: Method<'saveCodeVerifier'> = (verifier) => {
    this.#verifier = verifier
  }
  readonly invalidateCredentials: Method<'invalidateCredentials'> = () => {
    this.stored = undefined
  }
  readonly saveDiscoveryState: Method<'saveDiscoveryState'> = (state) => {
    this.#discovery = state
  }
  readonly discoveryState: Method<'discoveryState'> = () => this.#discovery
  readonly codeVerifier: Method<'codeVerifier'> = () => this.#verifier
}
