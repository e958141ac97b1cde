import assert from 'node:assert/strict'
import type { Person } from './person.ts'
import { type Answer, type Door, HOST, type Pkce, pkce, type Stage } from './stage.ts'

export const REDIRECT = 'https://app.example/callback'
export const SCOPE = 'knowledge:read knowledge:write visibility:internal'

/** The registration of a client that acts without a person. */
export const ITSELF = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post' }

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

interface Options {
  readonly key?: string
  readonly host?: string
  readonly door?: Door
  readonly registration?: object
}

/** A client registered with a key, and its steps to access a person's knowledge. */
export class Assistant {
  readonly id: string
  readonly secret: string
  readonly managementToken: string
  readonly #stage: Stage
  readonly #host: string
  readonly #door: Door | undefined

  private constructor(stage: Stage, { host = HOST, door }: Options, registered: Answer) {
    assert.equal(registered.status, 201, registered.text)
    this.#stage = stage
    this.#host = host
    this.#door = door
    const { client_id: id, client_secret: secret, registration_access_token: token } = registered.json
    this.id = id
    this.secret = secret
    this.managementToken = token
  }

  static async register(stage: Stage, options: Options = {}): Promise<Assistant> {
    const json = {
      client_name: 'An assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...options.registration,
    }
    const sent = { json, bearer: options.key ?? stage.adminKey, host: options.host }
    return new Assistant(stage, options, await stage.send('POST', '/oauth/register', sent, options.door))
  }

  query({ challenge }: Pkce, more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      client_id: this.id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: SCOPE,
      state: 'a state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `https://${this.#host}/mcp`,
      ...more,
    }
  }

  /**
   * Does everything that a person does for the client.
   * @returns an unused code
   */
  async code(person: Person, proof: Pkce, scopes = SCOPE.split(' '), more = {}): Promise<string> {
    const { page, answer } = await person.ask(this.query(proof, more))
    assert.ok(page !== null, answer.text)
    const granted = await person.consent(await person.goOn(page), scopes)
    assert.equal(granted.status, 200, granted.text)
    const back = new URL((await person.follow(granted.json.location)).location!)
    assert.equal(back.searchParams.get('iss'), `https://${this.#host}`)
    assert.equal(back.searchParams.get('state'), 'a state')
    return back.searchParams.get('code')!
  }

  form(code: string, { verifier }: Pkce): Record<string, string> {
    return {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      client_id: this.id,
    }
  }

  token(
    form: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
    door = this.#door,
  ): Promise<Answer> {
    return this.#stage.send('POST', '/oauth/token', { form, headers, host: this.#host }, door)
  }

  async exchange(code: string, proof: Pkce): Promise<Tokens> {
    const { status, json, text } = await this.token(this.form(code, proof))
    assert.equal(status, 200, text)
    return json
  }

  /** Gets tokens for the person, with all steps before. */
  async connect(person: Person, scopes?: string[]): Promise<Tokens> {
    const proof = pkce()
    return this.exchange(await this.code(person, proof, scopes), proof)
  }

  refresh(token: string, more: Readonly<Record<string, string>> = {}, door = this.#door): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, client_id: this.id, ...more }, {}, door)
  }
}

/** Returns the status of a request that every valid credential may send, which tells whether a token works. */
export async function statusOf(stage: Stage, token: string, host = HOST): Promise<number> {
  return (await stage.send('GET', '/api/session', { bearer: token, host })).status
}

/** Requests a token of the client's own with an API key, or another credential, in place of its secret. */
export function actAs(stage: Stage, client: Assistant, bearer: string) {
  const form = { grant_type: 'client_credentials', client_id: client.id }
  return stage.send('POST', '/oauth/token', { form, bearer })
}
