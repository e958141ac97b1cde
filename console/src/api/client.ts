import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { isGateShut, sessionIdentified, signedInAgain } from './session-gate.ts'
import { isReading, timeLimitMs } from './time-limit.ts'

/**
 * The service's HTTP API, typed by its OpenAPI document. The browser sends the session's cookie itself. Queries pass
 * their `signal`, so that a request ends when its page no longer needs the answer.
 */
export const api = createClient<paths>({ fetch: throughSessions })

/**
 * Routes that sign in. To them a 401 is an ordinary answer; on all other routes a 401 says that the session is over.
 */
const SIGN_IN = /^\/api\/session(\/methods|\/passkey(-options)?|\/second-factor(\/.*)?)?$/

/**
 * Sends a request, and sends it again after a new sign-in when the service refuses the credential. Sends nothing while
 * the browser has another person's session. Requests that sign in are sent once.
 */
async function throughSessions(request: Request): Promise<Response> {
  if (SIGN_IN.test(new URL(request.url).pathname)) return reached(request)
  await sessionIdentified()
  if (isGateShut()) await signedInAgain()
  const again = request.clone()
  const response = await reached(request)
  if (response.status !== 401 || !(await signedInAgain())) return response
  return reached(again)
}

/** No answer came: the network is away, or the service. */
export class Unreachable extends Error {
  override readonly name: string = 'Unreachable'
}

/** No answer came in time; the service may have done what it was asked. */
export class TooSlow extends Unreachable {
  override readonly name = 'TooSlow'
  readonly isWrite: boolean

  constructor(request: Request) {
    super('The service does not answer in time')
    this.isWrite = !isReading(request)
  }
}

/**
 * Sends a request within its time limit.
 * @throws Unreachable when no answer came, TooSlow when none came in time, and the reason of the request's signal
 *   when the caller gave up
 */
export async function reached(request: Request): Promise<Response> {
  const limit = new AbortController()
  const limitMs = timeLimitMs(request)
  // The limit holds for the body of the answer too, so the timer is never cleared; after the body has been read the
  // abort does nothing.
  if (limitMs !== null) setTimeout(() => limit.abort(new TooSlow(request)), limitMs)
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) })
  } catch (error) {
    if (request.signal.aborted || error instanceof TooSlow) throw error
    throw new Unreachable('The service does not answer', { cause: error })
  }
}

/** Body of a route's success answer with status `Status`. */
export type AnswerOf<
  Path extends keyof paths,
  Method extends keyof paths[Path],
  Status extends number = 200,
> = paths[Path][Method] extends { responses: Record<Status, { content: { 'application/json': infer Body } }> }
  ? Body
  : never

export interface FaultDetail {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** The service refused a request. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  readonly status: number
  readonly details: readonly FaultDetail[]
  /** Seconds until a retry makes sense; null when the service does not say. */
  readonly retryAfterSeconds: number | null
  /** Number of this answer in the service's logs; null when a proxy answered. */
  readonly requestId: string | null

  constructor(response: Response, details: readonly FaultDetail[]) {
    super(`${response.status} ${details.map(({ msg }) => msg).join('; ')}`)
    this.status = response.status
    this.details = details
    this.requestId = response.headers.get('x-request-id')
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null
  }

  /** Tells whether one of the faults has this type. */
  is(type: string): boolean {
    return this.details.some((detail) => detail.type === type)
  }

  /** Returns the message of the fault at a field of the body; null when that field has none. */
  onField(name: string): string | null {
    return this.details.find(({ loc }) => loc[0] === 'body' && loc[1] === name)?.msg ?? null
  }
}

interface Outcome {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/** The data of a call's successful outcome. */
type DataOf<O> = O extends { data: infer Data } ? Data : never

/**
 * Waits for an answer.
 * @throws ApiFault when the service refuses, Unreachable when it does not answer
 */
export async function answerOf<O extends Outcome>(call: Promise<O>): Promise<DataOf<O>> {
  const { data, error, response } = await whole(call)
  if (response.ok) return data as DataOf<O>
  throw new ApiFault(response, detailsOf(error))
}

/**
 * Waits for the whole answer. One that breaks off, or that is a page of a proxy instead of JSON, counts as no answer.
 * @throws Unreachable
 */
async function whole<O>(call: Promise<O>): Promise<O> {
  try {
    return await call
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError)
      throw new Unreachable('The answer cannot be read', { cause: error })
    throw error
  }
}

/** Finds the cursor of the next page in a Link header (RFC 8288). */
const NEXT = /[?&]cursor=([\w-]+)[^>]*>; rel="next"/

/** Returns the cursor of the next page of a list; null on the last page. */
export function cursorIn(response: Response): string | null {
  return NEXT.exec(response.headers.get('link') ?? '')?.[1] ?? null
}

/** Waits for all pages of a list. @param ask requests one page by the query it is given @throws like `answerOf` */
export async function everyPage<Item>(
  ask: (query: { cursor?: string }) => Promise<{ data?: Item[]; error?: unknown; response: Response }>,
): Promise<Item[]> {
  const items: Item[] = []
  let query: { cursor?: string } = {}
  for (;;) {
    const outcome = await whole(ask(query))
    if (!outcome.response.ok) throw new ApiFault(outcome.response, detailsOf(outcome.error))
    items.push(...(outcome.data ?? []))
    const cursor = cursorIn(outcome.response)
    if (cursor === null) return items
    query = { cursor }
  }
}

/**
 * Waits for one page of a list.
 * @returns its rows, the cursor of the next page (null on the last one), and the total (null when the request did not
 *   ask for it)
 * @throws like `answerOf`
 */
export async function onePage<Item>(
  call: Promise<{ data?: Item[]; error?: unknown; response: Response }>,
): Promise<{ readonly rows: readonly Item[]; readonly next: string | null; readonly total: number | null }> {
  const { data = [], error, response } = await whole(call)
  if (!response.ok) throw new ApiFault(response, detailsOf(error))
  const total = response.headers.get('x-total-count')
  const next = NEXT.exec(response.headers.get('link') ?? '')?.[1] ?? null
  return { rows: data, next, total: total === null ? null : Number(total) }
}

function detailsOf(error: unknown): readonly FaultDetail[] {
  const detail = (error as { detail?: unknown } | null | undefined)?.detail
  return Array.isArray(detail) ? (detail as FaultDetail[]) : []
}
