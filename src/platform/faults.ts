import type { FULL_KINDS } from './full-kinds.ts'

/**
 * Kind of a `Fault`, which a rule throws to refuse a call. A fault knows no HTTP; `platform/http/errors.ts` maps its
 * kind to a status. Callers see the messages of a fault, which name the field and never repeat the input.
 */
export type FaultKind =
  | 'invalid' // 422, the faults found in the input
  | 'unauthorized' // 401
  | 'forbidden' // 403
  | 'not_found' // 404, also for objects that the caller may not see
  | 'conflict' // 409
  | 'precondition_failed' // 412
  | 'rate_limited' // 429
  | 'unavailable' // 503, nothing was changed, try again; of type `outcome_unknown`: the change may be stored
  | 'storage_damaged' // 500, stored data is damaged or the disk fails: trying again does not help
  | keyof typeof FULL_KINDS // 507

/**
 * One faulty place, in the format of pydantic v2. `loc` begins with body, query, path or header. For a quota that the
 * tenant has used up, it is `quota` and the name of the quota.
 */
export interface FaultDetail {
  readonly loc: readonly string[]
  readonly msg: string
  readonly type: string
}

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly details: readonly FaultDetail[]
  /** Scopes that would have allowed a forbidden call. */
  readonly scopes: readonly string[]
  readonly retryAfterSeconds: number | null
  /** Whether the log already has the cause, so that not every affected request writes another line. */
  readonly isLogged: boolean

  constructor(
    kind: FaultKind,
    details: readonly FaultDetail[],
    options: { scopes?: readonly string[]; retryAfterSeconds?: number; isLogged?: boolean; cause?: unknown } = {},
  ) {
    super(details.map((d) => `${d.loc.join('.')}: ${d.msg}`).join('; '), { cause: options.cause })
    this.kind = kind
    this.details = details
    this.scopes = options.scopes ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
    this.isLogged = options.isLogged ?? false
  }

  /** Returns the same refusal with other messages or places. */
  withDetails(details: readonly FaultDetail[], cause: unknown = this.cause): Fault {
    const { kind, scopes, isLogged } = this
    return new Fault(kind, details, { scopes, isLogged, cause, retryAfterSeconds: this.retryAfterSeconds ?? undefined })
  }
}

/**
 * Error that a part of the service throws while it is out of order. Each kind of outage knows the fault that callers
 * get.
 */
export abstract class Outage extends Error {
  /**
   * Returns the fault that callers get.
   * @param cause error to log: the outage, or an error that wraps it
   */
  abstract toFault(cause: unknown): Fault
}

/**
 * Returns the fault for a part of the service that is out of order.
 * @param what the part, in callers' words
 * @param seconds until another try
 */
export function unavailable(what: string, seconds: number, cause: unknown): Fault {
  const detail = { loc: [], msg: `${what} is not available, try again`, type: 'unavailable' }
  return new Fault('unavailable', [detail], { retryAfterSeconds: Math.max(1, seconds), cause })
}

export function invalid(loc: readonly string[], type: string, msg: string): Fault {
  return new Fault('invalid', [{ loc, msg, type }])
}

export function referenceNotFound(loc: readonly string[], what: string): Fault {
  return invalid(loc, 'reference_not_found', `${what} does not exist`)
}

export function notFound(loc: readonly string[], what: string): Fault {
  return new Fault('not_found', [{ loc, msg: `${what} not found`, type: 'not_found' }])
}

export function forbidden(loc: readonly string[], msg: string, scopes: readonly string[] = []): Fault {
  return new Fault('forbidden', [{ loc, msg, type: 'forbidden' }], { scopes })
}

/**
 * Returns the fault of a request without a valid credential.
 * @param loc place at which the request should have one
 */
export function unauthorized(loc: readonly string[], msg: string): Fault {
  return new Fault('unauthorized', [{ loc, msg, type: 'unauthorized' }])
}

/**
 * Returns the fault of a request that exceeds a rate limit.
 * @param waitMs milliseconds until another try is allowed
 */
export function rateLimited(loc: readonly string[], msg: string, waitMs: number): Fault {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000)
  return new Fault('rate_limited', [{ loc, msg, type: 'rate_limited' }], { retryAfterSeconds })
}

/**
 * Returns the fault of a request that exceeds a quota of its tenant.
 * @param quota name of the quota over HTTP
 * @param waitMs milliseconds until another try is allowed; null where the tenant has to make room first
 */
export function quotaExceeded(quota: string, msg: string, waitMs: number | null): Fault {
  const detail = { loc: ['quota', quota], msg, type: 'quota_exceeded' }
  if (waitMs === null) return new Fault('quota_exceeded', [detail], { isLogged: true })
  return new Fault('rate_limited', [detail], { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
}

export function conflict(loc: readonly string[], msg: string): Fault {
  return new Fault('conflict', [{ loc, msg, type: 'conflict' }])
}
