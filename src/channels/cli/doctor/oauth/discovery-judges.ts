import { fail, type Finding, ok, warn } from '../check.ts'
import { type Answer, Unreachable } from './ask.ts'

/** A finding, and the clients that it keeps out: none, all, or those that compare addresses exactly. */
export interface Judgement {
  readonly name: string
  readonly finding: Finding
  readonly keepsOut: 'nobody' | 'exact' | 'all'
}

export interface Challenge {
  readonly judged: Judgement
  readonly metadataUrl: string | null
  readonly scopes: readonly string[] | null
}

export interface ResourceMetadata {
  readonly resource: string
  readonly issuer: string
  readonly scopes: readonly string[] | null
}

export interface ServerMetadata {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly registrationEndpoint: string | null
  readonly grantTypes: readonly string[] | null
  readonly supportsDocuments: boolean
}

const fine = (name: string, text: string): Judgement => ({ name, finding: ok(text), keepsOut: 'nobody' })
const odd = (name: string, text: string): Judgement => ({ name, finding: warn(text), keepsOut: 'nobody' })
const broken = (name: string, text: string, keepsOut: 'exact' | 'all' = 'all'): Judgement => ({
  name,
  finding: fail(text),
  keepsOut,
})

/** Judges the answer to a call of `/mcp` without a token, which every client makes first. */
export function judgeChallenge(answer: Answer | Unreachable, mcp: string): Challenge {
  const none = { metadataUrl: null, scopes: null }
  const name = 'challenge'
  if (answer instanceof Unreachable) return { ...none, judged: broken(name, answer.message) }
  const { status, headers } = answer
  if (status === 404) {
    return {
      ...none,
      judged: broken(
        name,
        `there is nothing at ${mcp} (404), so no assistant gets in: update to a version that serves it, or let ` +
          'the proxy forward exactly /mcp, not only paths below it',
      ),
    }
  }
  if (status >= 300 && status < 400) {
    const text = `${mcp} redirects to ${headers.get('location')}, which clients do not follow: let the proxy forward /mcp unchanged`
    return { ...none, judged: broken(name, text) }
  }
  if (status !== 401) {
    const text = `${mcp} answers ${status} to a call without a token instead of 401, which starts the sign-in: let the proxy forward it unchanged`
    return { ...none, judged: broken(name, text) }
  }
  const header = headers.get('www-authenticate') ?? ''
  const metadataUrl = parameterOf(header, 'resource_metadata')
  const scopes = parameterOf(header, 'scope')?.split(' ') ?? null
  if (metadataUrl === null) {
    const text = `the 401 of ${mcp} names no resource_metadata in WWW-Authenticate, so clients guess its address. Let the proxy forward the header`
    return { metadataUrl, scopes, judged: odd(name, text) }
  }
  return { metadataUrl, scopes, judged: fine(name, `401 at ${mcp} names ${metadataUrl}`) }
}

function parameterOf(header: string, name: string): string | null {
  return new RegExp(`[\\s,]${name}="([^"]*)"`).exec(` ${header}`)?.[1] ?? null
}

/** Judges the protected resource metadata (RFC 9728) at one address. */
export function judgeResource(
  answer: Answer | Unreachable,
  { at, mcp, isFallback }: { at: string; mcp: string; isFallback: boolean },
): { judged: Judgement; metadata: ResourceMetadata | null } {
  const name = isFallback ? 'fallback' : 'resource'
  const lost = (text: string) => ({
    judged: isFallback ? odd(name, text) : broken(name, text),
    metadata: null,
  })
  if (answer instanceof Unreachable) return lost(answer.message)
  if (answer.status !== 200 || answer.json === null) {
    return lost(
      `${at} answers ${saidBy(answer)} instead of the resource's metadata: let the proxy forward /.well-known/`,
    )
  }
  const { resource, authorization_servers: servers, scopes_supported: scopes } = answer.json
  const issuer = Array.isArray(servers) ? (servers[0] as unknown) : undefined
  if (typeof resource !== 'string' || typeof issuer !== 'string' || !URL.canParse(issuer)) {
    return lost(`the metadata at ${at} lacks resource or authorization_servers`)
  }
  const metadata = { resource, issuer, scopes: stringsOf(scopes) }
  if (resource === mcp) return { metadata, judged: fine(name, `${at} is about ${resource}`) }
  if (resource.replace(/\/$/, '') === mcp) {
    const text = `the metadata is about ${resource}, but the address is ${mcp}: the slash at the end keeps out clients that compare exactly. Set PUBLIC_URL without a path, and do not let a proxy rewrite the metadata`
    return { metadata, judged: broken(name, text, 'exact') }
  }
  if (URL.canParse(resource) && covers(resource, mcp)) {
    return isFallback
      ? { metadata, judged: fine(name, `${at} is about the whole service`) }
      : {
          metadata,
          judged: broken(
            name,
            `the metadata at ${at} is about ${resource} and not about ${mcp}, which some clients require`,
            'exact',
          ),
        }
  }
  const text = `the metadata at ${at} is about ${resource}, but clients asked for ${mcp}: they stop here. Set PUBLIC_URL to the address that clients use, and let the proxy forward the Host header`
  return {
    metadata,
    judged: isFallback ? odd(name, text) : broken(name, `${text}, or enter ${resource} in the clients`),
  }
}

/** Tells whether an address lies below the resource, by the rule of the MCP SDK. */
function covers(resource: string, address: string): boolean {
  const [one, other] = [new URL(resource), new URL(address)]
  return one.origin === other.origin && `${other.pathname}/`.startsWith(one.pathname.replace(/\/*$/, '/'))
}

/** Returns the addresses of an issuer's metadata by RFC 8414 and by OpenID Connect. */
export function serverMetadataUrls(issuer: string): { oauth: string; openId: string } {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return {
    oauth: `${origin}/.well-known/oauth-authorization-server${path}`,
    openId: `${origin}${path}/.well-known/openid-configuration`,
  }
}

/** Judges the authorization server metadata (RFC 8414), or its equivalent of OpenID Connect. */
export function judgeServer(
  answer: Answer | Unreachable,
  { at, issuer, isFallback }: { at: string; issuer: string; isFallback: boolean },
): { judged: readonly Judgement[]; metadata: ServerMetadata | null } {
  const name = isFallback ? 'openid' : 'server'
  const fault = (text: string) => (isFallback ? odd(name, text) : broken(name, text))
  if (answer instanceof Unreachable) return { judged: [fault(answer.message)], metadata: null }
  if (answer.status !== 200 || answer.json === null) {
    const text = `${at} answers ${saidBy(answer)} instead of the server's metadata: let the proxy forward /.well-known/`
    return { judged: [fault(text)], metadata: null }
  }
  const { json } = answer
  const { authorization_endpoint: authorization, token_endpoint: token, registration_endpoint: registration } = json
  if (
    typeof authorization !== 'string' ||
    typeof token !== 'string' ||
    ![authorization, token].every((url) => URL.canParse(url))
  ) {
    return { judged: [fault(`the metadata at ${at} lacks authorization_endpoint or token_endpoint`)], metadata: null }
  }
  const judged: Judgement[] = []
  if (json.issuer !== issuer) {
    judged.push(
      fault(
        `the metadata at ${at} names the issuer ${String(json.issuer)}, but ${issuer} was asked: clients refuse it. ` +
          'Set PUBLIC_URL to the address that clients use, and let the proxy forward the Host header',
      ),
    )
  }
  for (const [member, needed, why] of NEEDED) {
    const values = stringsOf(json[member]) ?? DEFAULTS[member]
    if (!values.includes(needed)) judged.push(fault(`${member} at ${at} does not name ${needed}: ${why}`))
  }
  const supportsDocuments = json.client_id_metadata_document_supported === true
  if (judged.length === 0) {
    judged.push(fine(name, `${at} has what clients need${supportsDocuments ? ', client id documents included' : ''}`))
  }
  return {
    judged,
    metadata: {
      issuer: typeof json.issuer === 'string' ? json.issuer : issuer,
      authorizationEndpoint: authorization,
      tokenEndpoint: token,
      registrationEndpoint: typeof registration === 'string' && URL.canParse(registration) ? registration : null,
      grantTypes: stringsOf(json.grant_types_supported),
      supportsDocuments,
    },
  }
}

const NEEDED = [
  ['code_challenge_methods_supported', 'S256', 'clients refuse a server that does not announce PKCE'],
  ['response_types_supported', 'code', 'no client has another way to sign in'],
  ['token_endpoint_auth_methods_supported', 'none', 'clients without a secret cannot fetch tokens'],
  ['grant_types_supported', 'refresh_token', 'people have to sign in again each time a token expires'],
] as const

/** Values that a missing member stands for (RFC 8414, section 2). */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  code_challenge_methods_supported: [],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['client_secret_basic'],
  grant_types_supported: ['authorization_code', 'implicit'],
}

/** Judges whether a page of another origin may call an endpoint, as clients in browsers do. */
export function judgePreflight(answer: Answer | Unreachable, at: string): Judgement {
  const name = 'browser'
  const what = `pages cannot call ${at}: clients that run in a browser do not get in; other clients do`
  if (answer instanceof Unreachable) return odd(name, answer.message)
  const origin = answer.headers.get('access-control-allow-origin')
  if (answer.status >= 300 || (origin !== '*' && origin !== PREFLIGHT_ORIGIN)) {
    return odd(name, `${what}. Let the proxy forward OPTIONS, and return the Access-Control headers`)
  }
  const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/\s*,\s*/)
  const missing = PREFLIGHT_HEADERS.filter((header) => !allowed.includes(header))
  return missing.length === 0
    ? fine(name, `pages of other origins may call ${at}`)
    : odd(name, `${what}, because Access-Control-Allow-Headers lacks ${missing.join(', ')}`)
}

export const PREFLIGHT_ORIGIN = 'https://vscode.dev'
export const PREFLIGHT_HEADERS: readonly string[] = ['content-type', 'mcp-protocol-version']

/** Returns the status of an answer with the server's error message, if there is one. */
export function saidBy({ status, json, text, headers }: Answer): string {
  const words =
    json?.error === undefined ? detailOf(json) : [json.error, json.error_description].filter(Boolean).join(': ')
  if (words !== null && words !== '') return `${status} (${shortened(words)})`
  const page = /<code>([\s\S]*?)<\/p>/.exec(text)?.[1].replaceAll(/<[^>]*>/g, '')
  if (page !== undefined) return `${status} (${shortened(page)})`
  const type = headers.get('content-type')
  return status === 200 ? `200 with ${type ?? 'nothing that is JSON'}` : String(status)
}

function detailOf(json: Answer['json']): string | null {
  const detail = Array.isArray(json?.detail) ? (json.detail as { loc?: unknown[]; msg?: string }[]) : []
  return detail.length === 0
    ? null
    : detail.map(({ loc, msg }) => `${loc?.slice(1).join('.') ?? ''} ${msg}`.trim()).join('; ')
}

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

function stringsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : null
}
