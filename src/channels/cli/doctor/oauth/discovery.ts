import { type Ask, attempt, Unreachable } from './ask.ts'
import {
  type Judgement,
  judgeChallenge,
  judgePreflight,
  judgeResource,
  judgeServer,
  PREFLIGHT_HEADERS,
  PREFLIGHT_ORIGIN,
  type ResourceMetadata,
  type ServerMetadata,
  serverMetadataUrls,
} from './discovery-judges.ts'

/** The metadata that clients read before they register, and the judgement on it. */
export interface Discovery {
  readonly judged: readonly Judgement[]
  readonly resource: ResourceMetadata | null
  readonly server: ServerMetadata | null
  /** Scopes that a client asks for by default; null when the service names none. */
  readonly scopes: readonly string[] | null
  /** Whether a program answers at the address, but in nothing like the service. */
  readonly isOtherProgram: boolean
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'knowledge-doctor', version: '1' } },
}

/**
 * Sends the requests of clients in their order: for the challenge at `/mcp`, for the resource's metadata (at the
 * address in the challenge, in the path form and in the root form), and for the server's metadata by RFC 8414 and by
 * OpenID Connect.
 */
export async function discover(ask: Ask, origin: string): Promise<Discovery> {
  const mcp = `${origin}/mcp`
  const accept = 'application/json, text/event-stream'
  const answer = await attempt(ask, { method: 'POST', url: mcp, json: INITIALIZE, headers: { accept } })
  const challenge = judgeChallenge(answer, mcp)
  // Further requests would fail in the same way.
  if (answer instanceof Unreachable) {
    return { judged: [challenge.judged], resource: null, server: null, scopes: null, isOtherProgram: false }
  }
  const judged: Judgement[] = [challenge.judged]
  const pathForm = `${origin}/.well-known/oauth-protected-resource/mcp`
  const rootForm = `${origin}/.well-known/oauth-protected-resource`
  const [first, ...fallbacks] = [...new Set([challenge.metadataUrl ?? pathForm, pathForm, rootForm])]
  const primary = judgeResource(await attempt(ask, { url: first }), { at: first, mcp, isFallback: false })
  let resource = primary.metadata
  judged.push(primary.judged)
  for (const at of fallbacks) {
    const fallback = judgeResource(await attempt(ask, { url: at }), { at, mcp, isFallback: true })
    judged.push(fallback.judged)
    resource ??= fallback.metadata
  }
  const issuer = resource?.issuer ?? origin
  const urls = serverMetadataUrls(issuer)
  const oauth = judgeServer(await attempt(ask, { url: urls.oauth }), { at: urls.oauth, issuer, isFallback: false })
  const openId = judgeServer(await attempt(ask, { url: urls.openId }), { at: urls.openId, issuer, isFallback: true })
  judged.push(...oauth.judged, ...openId.judged)
  const server = oauth.metadata ?? openId.metadata
  if (server !== null) judged.push(...(await preflights(ask, server, [first, urls.oauth])))
  const isOtherProgram = challenge.metadataUrl === null && resource === null && server === null
  return { judged, resource, server, scopes: challenge.scopes ?? resource?.scopes ?? null, isOtherProgram }
}

/** Tries preflights of pages in a browser. @returns one judgement when all succeed, else one for each that fails */
async function preflights(ask: Ask, server: ServerMetadata, documents: readonly string[]): Promise<Judgement[]> {
  const calls = [
    ...documents.map((url) => ({ url, method: 'GET' })),
    ...[server.registrationEndpoint, server.tokenEndpoint]
      .filter((url) => url !== null)
      .map((url) => ({ url, method: 'POST' })),
  ]
  const all: Judgement[] = []
  for (const { url, method } of calls) {
    const answer = await attempt(ask, {
      method: 'OPTIONS',
      url,
      headers: {
        origin: PREFLIGHT_ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': PREFLIGHT_HEADERS.join(','),
      },
    })
    all.push(judgePreflight(answer, url))
  }
  const faults = all.filter(({ finding }) => finding.verdict !== 'ok')
  if (faults.length > 0) return faults
  const text = 'pages of other origins may read the metadata, register and fetch tokens'
  return [{ name: 'browser', finding: { verdict: 'ok', text }, keepsOut: 'nobody' }]
}
