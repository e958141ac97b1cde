import { createHash, randomBytes } from 'node:crypto'
import { fail, type Finding, ok, warn } from '../check.ts'
import { type Answer, type Ask, attempt, Unreachable } from './ask.ts'
import { saidBy, type ServerMetadata } from './discovery-judges.ts'

/** The request to authorize for which a client sends a person's browser to the service. */
export interface SignIn {
  readonly clientId: string
  readonly redirectUri: string
  /** Null for a request without scopes. */
  readonly scope: string | null
  /** Null for a request without a resource. */
  readonly resource: string | null
}

const INTERACTION = '/oauth/interaction/'

/**
 * Opens the sign-in page as a client does, and denies the request there, so that it ends with a redirect to the client.
 */
export async function trySignIn(ask: Ask, server: ServerMetadata, signIn: SignIn): Promise<Finding> {
  const state = randomBytes(16).toString('base64url')
  const opened = await attempt(ask, {
    url: authorizeUrl(server.authorizationEndpoint, signIn, state),
    headers: { accept: 'text/html' },
  })
  const page = judgeOpening(opened, { server, signIn })
  if (page.url === null || opened instanceof Unreachable) return page.finding
  const cookie = cookiesOf(opened)
  const pageFault = judgePage(await attempt(ask, { url: page.url, headers: { cookie, accept: 'text/html' } }))
  const back = await deny(ask, page.url, cookie)
  if (pageFault !== null) return pageFault
  return back === null ? LEFT_OPEN : judgeReturn(back, { server, signIn, state })
}

/** Denies a request. @returns the answer where the browser goes next; null when the request could not be denied */
async function deny(ask: Ask, page: string, cookie: string): Promise<Answer | Unreachable | null> {
  const headers = { cookie, origin: new URL(page).origin }
  const denied = await attempt(ask, { method: 'POST', url: `${page}/deny`, headers })
  if (denied instanceof Unreachable) return denied
  const next = denied.json?.location
  if (typeof next !== 'string' || !URL.canParse(next, page)) return null
  const url = new URL(next, page)
  // Cookies go to the service only.
  if (url.origin !== new URL(page).origin) return null
  return attempt(ask, { url: url.href, headers: { cookie: cookiesOf(denied, cookie), accept: 'text/html' } })
}

const LEFT_OPEN = warn('reaches the sign-in page; the request could not be denied there and expires in half an hour')

function authorizeUrl(endpoint: string, { clientId, redirectUri, scope, resource }: SignIn, state: string): string {
  const url = new URL(endpoint)
  const verifier = randomBytes(32).toString('base64url')
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    ...(scope === null ? {} : { scope }),
    ...(resource === null ? {} : { resource }),
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

/** Words in the answer of a service that could not fetch a client id metadata document. */
const DOCUMENT_UNREAD = 'metadata document fetch failed'

/** @returns url: the address of the sign-in page; null, with a finding that says why, when it was not reached */
export function judgeOpening(
  answer: Answer | Unreachable,
  { server, signIn }: { server: ServerMetadata; signIn: SignIn },
): { finding: Finding; url: string | null } {
  const no = (text: string) => ({ finding: fail(text), url: null })
  if (answer instanceof Unreachable) return no(answer.message)
  const { clientId, redirectUri } = signIn
  const location = answer.headers.get('location')
  if (answer.status < 300 || answer.status >= 400 || location === null) {
    const said = saidBy(answer)
    if (said.includes(DOCUMENT_UNREAD)) {
      return no(
        `the service cannot read ${clientId}, by which it knows the assistant: let its machine reach ` +
          `${new URL(clientId).origin} by https`,
      )
    }
    const help = answer.status >= 500 ? "check the service's log" : 'update the service, or report it to its makers'
    return no(`the request to sign in, with a return to ${redirectUri}, gets ${said}: ${help}`)
  }
  const target = new URL(location, server.authorizationEndpoint)
  const error = target.searchParams.get('error')
  if (error !== null) {
    const description = target.searchParams.get('error_description')
    return no(`the request to sign in is sent back with ${error}${description === null ? '' : ` (${description})`}`)
  }
  const { origin } = new URL(server.authorizationEndpoint)
  if (target.origin !== origin || !target.pathname.startsWith(INTERACTION)) {
    return no(
      `the request to sign in leads to ${target.origin}${target.pathname} and not to a page of the service: let the proxy return redirects unchanged`,
    )
  }
  return { finding: ok('reaches the sign-in page'), url: target.href }
}

/** @returns null when the answer is the sign-in page, else a finding that says what it is */
export function judgePage(answer: Answer | Unreachable): Finding | null {
  if (answer instanceof Unreachable) return fail(answer.message)
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
  if (answer.status === 200 && isPage) return null
  return fail(
    `the sign-in page gets ${saidBy(answer)}: let the proxy forward /oauth/ and /console/; if you changed the ` +
      'sources of the console, run: npm run console',
  )
}

/** Judges the redirect after a denial: it must lead to the client, with the state, the issuer and the error. */
export function judgeReturn(
  answer: Answer | Unreachable,
  { server, signIn, state }: { server: ServerMetadata; signIn: SignIn; state: string },
): Finding {
  if (answer instanceof Unreachable) return fail(answer.message)
  const location = answer.headers.get('location') ?? linkIn(answer)
  if (location === null || !URL.canParse(location)) {
    return fail(`the redirect back to ${signIn.redirectUri} gets ${saidBy(answer)}: check the service's log`)
  }
  const { searchParams } = new URL(location)
  if (location.split('?')[0] !== signIn.redirectUri.split('?')[0]) {
    return fail(
      `the redirect back leads to ${location.split('?')[0]} and not to ${signIn.redirectUri}: update the service`,
    )
  }
  if (searchParams.get('state') !== state || searchParams.get('error') !== 'access_denied') {
    return fail(`the redirect back to ${signIn.redirectUri} lacks the state or the error: update the service`)
  }
  if (searchParams.get('iss') !== server.issuer) {
    return fail(
      `the redirect back names the issuer ${searchParams.get('iss')} and not ${server.issuer}: set PUBLIC_URL to the address that clients use`,
    )
  }
  return ok(`reaches the sign-in page, and ${signIn.redirectUri} from there`)
}

/** Returns the link to the client: one that registered itself gets a page with a link in place of a redirect. */
function linkIn({ text }: Answer): string | null {
  return /<a href="([^"]*)"/.exec(text)?.[1].replaceAll('&amp;', '&') ?? null
}

/** Returns the Cookie header that a browser would send next. */
function cookiesOf(answer: Answer, earlier = ''): string {
  const jar = new Map<string, string>()
  const pairs = [...earlier.split('; '), ...answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])]
  for (const pair of pairs) {
    const [name, ...value] = pair.split('=')
    if (name !== '') jar.set(name, value.join('='))
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
