/**
 * Bounds searches that wait for a write that they name, and checks a caller again whose search has waited long: its key
 * may be revoked by then.
 */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { Fault, rateLimited } from '../faults.ts'
import { clientAddress } from '../throttling/client-address.ts'

/** Most searches of one credential that name a write and have no answer yet, in this process. */
const NAMED_MAX = 256
/** Milliseconds after which the caller of a search is checked again. */
const RENEW_MS = 1_000

/** By credential or visitor, how many searches name a write and have no answer yet. */
const namedByOwner = new Map<string, number>()

/** What `runSearch` is told of a request. */
export interface SearchRun {
  /** Number of searches in the request; 1 by default. */
  readonly count?: number
  /** Clock in milliseconds. */
  readonly now?: () => number
}

/**
 * Runs the searches of a request for a caller. A search whose client has gone counts until it ends, since it takes as
 * much as before.
 * @throws Fault rate_limited where too many searches of the credential wait, unauthorized or forbidden where the caller
 *   may no longer search, unavailable where it may see something else than when the search began
 */
export async function runSearch<Result>(
  request: FastifyRequest,
  caller: Caller,
  search: (caller: Caller) => Promise<Result>,
  { count = 1, now = () => performance.now() }: SearchRun = {},
): Promise<Result> {
  const began = now()
  const isNamed = (caller.texts?.watermark ?? null) !== null
  const result = await (isNamed ? runCounted(request, count, () => search(caller)) : search(caller))
  if (now() - began < RENEW_MS) return result
  if (sightOf(await request.renewCaller()) === sightOf(caller)) return result
  throw new Fault(
    'unavailable',
    [{ loc: [], msg: 'Your permissions changed while the search waited, try again', type: 'unavailable' }],
    { retryAfterSeconds: 1, isLogged: true },
  )
}

async function runCounted<Result>(
  { caller, ip }: FastifyRequest,
  count: number,
  search: () => Promise<Result>,
): Promise<Result> {
  // All visitors of a page share its publishable key.
  const visitor = caller.publishable === undefined ? null : clientAddress(ip)
  const owner = JSON.stringify([caller.tenant.id, caller.credentialId, visitor])
  const before = namedByOwner.get(owner) ?? 0
  if (before + count > NAMED_MAX) {
    throw rateLimited(['header', 'x-min-watermark'], 'Too many searches wait for writes', 1_000)
  }
  namedByOwner.set(owner, before + count)
  try {
    return await search()
  } finally {
    const left = namedByOwner.get(owner)! - count
    if (left > 0) namedByOwner.set(owner, left)
    else namedByOwner.delete(owner)
  }
}

/** Returns all that decides what a caller may see, as a text to compare. */
function sightOf({ tenant, userId, scopes, ceiling, workspaceIds, publishable }: Caller): string {
  const { workspaces } = tenant.settings
  return JSON.stringify([workspaces, userId, [...scopes].toSorted(), ceiling, workspaceIds.toSorted(), publishable])
}
