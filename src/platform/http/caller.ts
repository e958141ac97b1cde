import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller, ResolveCaller } from '../access/caller.ts'
import type { Scope } from '../access/scopes.ts'
import { Fault, type FaultKind, forbidden, invalid } from '../faults.ts'
import { clientAddress } from '../throttling/client-address.ts'
import { firstFault } from './errors.ts'
import type { HeldMemory } from './transport/held-memory.ts'
import { authorizationOf, type PageAccess } from './page-access.ts'
import type { RateLimits } from './rate-limit.ts'
import type { TenantRates } from './tenant-rates.ts'
import type { Turns } from './transport/turns.ts'

const AUDIT_SOURCE_CHARACTERS_MAX = 50
const CLIENT_ID_CHARACTERS_MAX = 200

/** Conditions under which a route accepts a request without a full caller. */
interface Leniency {
  /** Whether the route accepts a request whose credential storage cannot look up. */
  readonly bestEffort?: boolean
  /**
   * Kind of credential that a request may lack. A bearer credential must be valid if one is sent; a session may have
   * ended.
   */
  readonly optional?: 'bearer' | 'session'
  /** Whether the route accepts a session that may only set up a second factor. */
  readonly beforeSecondFactor?: boolean
}

function hasCredential(kind: 'bearer' | 'session', headers: IncomingHttpHeaders): boolean {
  const { authorization, cookie } = headers
  return kind === 'bearer' ? /^bearer /i.test(authorization ?? '') : authorization === undefined && cookie !== undefined
}

/**
 * Returns the hook of every route that is not public. The hook checks the credential (401), rate and held memory (429),
 * scopes (403) and gateway headers (422), before the body is read. Call it once per route.
 * @param limits null when there are no limits
 * @param rates counts the requests of tenants that have a quota
 * @param pages limits publishable keys, which have none of the limits of other credentials
 * @param turns the turns in which accepted requests go on
 */
export function protect(
  resolveCaller: ResolveCaller,
  limits: RateLimits | null,
  rates: TenantRates,
  pages: PageAccess,
  heldMemory: HeldMemory,
  turns: Turns,
  needed: readonly Scope[],
  { bestEffort = false, optional, beforeSecondFactor = false }: Leniency = {},
): onRequestHookHandler {
  return (request, reply, done) => {
    const headers = request.raw.headers
    if (optional === 'session') {
      try {
        demandSameOrigin(request)
      } catch (error) {
        return done(error as Error)
      }
    }
    if (optional !== undefined && !hasCredential(optional, headers)) return turns.enterRequest(request, done)
    const auditSource = contextHeader(headers['x-audit-source'], 'x-audit-source', AUDIT_SOURCE_CHARACTERS_MAX)
    const clientId = contextHeader(headers['x-client-id'], 'x-client-id', CLIENT_ID_CHARACTERS_MAX)
    const facts = {
      authorization: authorizationOf(request),
      hasApiKeyHeader: headers['x-api-key'] !== undefined,
      cookies: headers.cookie,
      host: request.host,
      scopes: (headers['x-scopes'] as string | undefined) ?? '',
      auditSource: typeof auditSource === 'string' ? auditSource : undefined,
      clientId: typeof clientId === 'string' ? clientId : undefined,
    }
    const admit = (caller: Caller) => {
      request.record.tenantId = caller.tenant.id
      request.record.credentialId = caller.credentialId
      request.record.isVisitors = caller.publishable !== undefined
      if (caller.lacksSecondFactor === true && !beforeSecondFactor) return refuse(secondFactorNeeded())
      try {
        if (caller.credentialKind === 'session') demandSameOrigin(request)
        if (caller.publishable !== undefined) pages.admit(request, reply, caller, caller.publishable)
        else if (caller.credentialId !== null) limits?.countRequest(caller.credentialId, Date.now())
        if (caller.tenant.quotas !== undefined) rates.countRequest(caller, Date.now())
        heldMemory.admit(caller, request.ip)
        demandScopes(caller, needed)
        const fault = typeof auditSource === 'object' ? auditSource : typeof clientId === 'object' ? clientId : null
        // Faults of path and query are reported first.
        if (fault !== null) throw firstFault(request, ['params', 'querystring']) ?? fault
        request.caller = withSearchCount(caller, request)
        request.renewCaller = async () => {
          const renewed = await resolveCaller(facts)
          if (renewed.lacksSecondFactor === true && !beforeSecondFactor) throw secondFactorNeeded()
          demandScopes(renewed, needed)
          return renewed
        }
      } catch (error) {
        done(error as Error)
        return
      }
      turns.enterRequest(request, () => {
        // Nothing to do if the client has gone.
        if (!reply.raw.destroyed) done()
      })
    }
    const withSearchCount = (caller: Caller, { ip }: FastifyRequest): Caller => {
      const { credentialId, publishable, tenant } = caller
      const isLimited = limits !== null && credentialId !== null
      if (publishable === undefined && !isLimited && tenant.quotas === undefined) return caller
      let before = 0
      const countSearches = (count: number): void => {
        if (publishable !== undefined) pages.countSearches(credentialId, ip, before, count)
        else if (isLimited) limits.countSearches(credentialId, before, count, Date.now())
        if (tenant.quotas !== undefined) rates.countSearches(caller, before, count, Date.now())
        before += count
      }
      return { ...caller, countSearches }
    }
    const refuse = (error: Error) => {
      if (optional === 'session' && isRefusal(error)) return turns.enterRequest(request, done)
      if (limits !== null && error instanceof Fault && error.kind === 'unauthorized') {
        try {
          limits.countRefusal(clientAddress(request.ip), Date.now())
        } catch (tooMany) {
          return done(tooMany as Error)
        }
      }
      if (!bestEffort || isRefusal(error)) return done(error)
      request.log.warn({ err: error }, 'the caller could not be looked up')
      turns.enterRequest(request, done)
    }
    resolveCaller(facts).then(admit, refuse)
  }
}

function secondFactorNeeded(): Fault {
  const msg = 'Set up a second factor first: your organisation demands it'
  return new Fault('forbidden', [{ loc: ['header', 'cookie'], msg, type: 'second_factor_needed' }])
}

/** Faults for which a credential could not be checked. */
const UNCHECKED: ReadonlySet<FaultKind> = new Set(['unavailable', 'storage_full', 'storage_damaged'])

/** Tells whether the error refuses the credential, rather than telling that it could not be checked. */
function isRefusal(error: Error): boolean {
  return error instanceof Fault && !UNCHECKED.has(error.kind)
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a request by session that a page of another origin made. Browsers attach the session's cookie to whatever
 * request any page makes. So a write by session must come from a page of the same origin, which browsers send in Origin
 * or Sec-Fetch-Site and pages cannot forge. The scheme counts too: otherwise an attacker on a plain-http path could act
 * against a service that uses TLS.
 * @throws Fault forbidden
 */
export function demandSameOrigin(request: FastifyRequest): void {
  const { method, headers } = request
  if (SAFE_METHODS.has(method)) return demandPageOrScript(headers['sec-fetch-dest'])
  const { origin } = headers
  const isSame =
    origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : originOf(origin) === ownOrigin(request)
  if (isSame) return
  throw forbidden(['header', 'origin'], hasNoOrigin(headers) ? originMissing(request) : FOREIGN)
}

const FOREIGN = 'Pages of another origin may not do this'

function hasNoOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

/**
 * Returns the message for a request without Origin. Only programs leave Origin out, and most of them want an API key.
 */
function originMissing(request: FastifyRequest): string {
  const example = `Origin: ${ownOrigin(request) ?? 'the address of the service'}`
  return `The header Origin is missing. Browsers send it by themselves; a program sends ${example}, or uses an API key`
}

/**
 * Refuses a request by session for a picture or a frame. A picture in an entry makes the browser of each reader send a
 * request with the reader's session: an export would be made, and audited, in the reader's name. Browsers say in
 * Sec-Fetch-Dest what an answer is for, and pages cannot forge it.
 * @throws Fault forbidden
 */
function demandPageOrScript(destination: string | string[] | undefined): void {
  if (destination === undefined || destination === 'document' || destination === 'empty') return
  throw forbidden(['header', 'sec-fetch-dest'], 'A session reads for pages and scripts, not for pictures or frames')
}

/**
 * Returns the service's origin as browsers see it: https when its public address has https or a trusted proxy says so.
 */
function ownOrigin({ host, protocol, server }: FastifyRequest): string | null {
  const isSecure = server.isPublicOverTls || protocol.toLowerCase() === 'https'
  return originOf(`${isSecure ? 'https' : 'http'}://${host}`)
}

/**
 * Returns the origin of an address as browsers write it: in lower case, without the default port; null for an address
 * that has no origin.
 */
function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null
}

function demandScopes(caller: Caller, needed: readonly Scope[]): void {
  for (const scope of needed) {
    if (caller.scopes.has(scope)) continue
    throw forbidden(['header', 'authorization'], `Scope ${scope} is needed`, needed)
  }
}

/** Returns the header's text; undefined when absent or empty; a fault when it is not valid. */
function contextHeader(raw: string | string[] | undefined, name: string, max: number): string | undefined | Fault {
  if (raw === undefined || raw === '') return undefined
  const text = decoded(String(raw))
  if (/\p{Cc}/u.test(text)) {
    return invalid(['header', name], 'string_unicode', 'Input should be a valid string without control characters')
  }
  if (text.length <= max || Array.from(text).length <= max) return text
  return invalid(['header', name], 'string_too_long', `String should have at most ${max} characters`)
}

/** Returns a header's text as UTF-8. Node decodes headers as Latin-1, but gateways send UTF-8. */
function decoded(raw: string): string {
  if (/^[ -~]*$/.test(raw)) return raw
  const bytes = Buffer.from(raw, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : raw
}
