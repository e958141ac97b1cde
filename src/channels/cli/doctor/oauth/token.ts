import { randomBytes } from 'node:crypto'
import { fail, type Finding, ok } from '../check.ts'
import { type Answer, type Ask, attempt, Unreachable } from './ask.ts'
import { saidBy } from './discovery-judges.ts'

export interface TokenClient {
  readonly clientId: string
  readonly clientSecret: string | null
  readonly method: 'none' | 'client_secret_post' | 'client_secret_basic'
  readonly redirectUri: string
  readonly resource: string
}

/**
 * Requests tokens for an invented code and for an invented refresh token. The service must know the client and refuse
 * both with `invalid_grant`: after that error clients let the person sign in again.
 */
export async function tryTokens(ask: Ask, endpoint: string, client: TokenClient): Promise<Finding> {
  const random = () => randomBytes(32).toString('base64url')
  const grants: (Record<string, string> & { grant_type: string })[] = [
    { grant_type: 'authorization_code', code: random(), code_verifier: random(), redirect_uri: client.redirectUri },
    { grant_type: 'refresh_token', refresh_token: random() },
  ]
  for (const grant of grants) {
    const { form, headers } = authenticated(client)
    const body = { ...grant, ...form, resource: client.resource }
    const finding = judgeTokenRefusal(await attempt(ask, { method: 'POST', url: endpoint, form: body, headers }), grant)
    if (finding.verdict !== 'ok') return finding
  }
  return ok(`is known at the token endpoint (${client.method}); an invalid code or refresh token gets invalid_grant`)
}

function authenticated({ clientId, clientSecret, method }: TokenClient): {
  form: Record<string, string>
  headers: Record<string, string>
} {
  const secret = clientSecret ?? ''
  if (method === 'client_secret_basic') {
    const pair = [clientId, secret].map(encodeURIComponent).join(':')
    return { form: {}, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
  }
  const form = { client_id: clientId, ...(method === 'client_secret_post' ? { client_secret: secret } : {}) }
  return { form, headers: {} }
}

export function judgeTokenRefusal(answer: Answer | Unreachable, { grant_type }: { grant_type: string }): Finding {
  if (answer instanceof Unreachable) return fail(answer.message)
  const { status, json } = answer
  if (status === 400 && json?.error === 'invalid_grant') return ok('')
  const said = `the token endpoint answers ${saidBy(answer)} to an invalid grant of type ${grant_type}`
  if (status >= 500) return fail(`${said}: check the service's log`)
  if (json?.error === 'invalid_client')
    return fail(`${said}: it does not accept how the client authenticates; update the service`)
  return fail(
    `${said} and not 400 invalid_grant, after which clients let people sign in again: let the proxy return it unchanged`,
  )
}
