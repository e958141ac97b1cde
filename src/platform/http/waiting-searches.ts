/**
 * Bounds searches that wait for a write that they name, and checks a caller again whose search has waited long: its key
 * may be revoked by then.
 */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { Fault, rateLimited } from '../faults.ts'

/** Most searches of one credential that name a write and have no answer yet, in this process. */
const NAMING_MAX = 256
/** Milliseconds after which the caller of a search is checked again. */
const RENEW_MS = 1_000

/** By owner, how many of its searches name a write and have no answer yet. */
const naming = new Map<string, number>()

/**
 * Runs a search for a caller. A search whose client has gone counts until it ends, since it takes as much as before.
 * @throws Fault rate_limited where too many searches of the credential wait, unauthorized or forbidden where the caller
 *   may no longer search, unavailable where it may see something else than when the search began
 */
export async function runSearch<Result>(
  request: FastifyRequest,
  caller: Caller,
  search: (caller: Caller) => Promise<Result>,
): Promise<Result> {
  const began = performance.now()
  const result = await (caller.texts?.watermark == null ? search(caller) : counted(request, () => search(caller)))
  if (performance.now() - began < RENEW_MS) return result
  if (sightOf(await request.renewCaller()) === sightOf(caller)) return result
  throw new Fault(
    'unavailable',
    [{ loc: [], msg: 'Your permissions changed while the search waited, try again', type: 'unavailable' }],
    { retryAfterSeconds: 1, isLogged: true },
  )
}

async function counted<Result>({ caller, ip }: FastifyRequest, search: () => Promise<Result>): Promise<Result> {
  // All visitors of a page share its publishable key.
  const owner = JSON.stringify([caller.tenant.id, caller.credentialId, caller.publishable === undefined ? null : ip])
  const before = naming.get(owner) ?? 0
  if (before >= NAMING_MAX) throw rateLimited(['header', 'x-min-watermark'], 'Too many searches wait for writes', 1_000)
  naming.set(owner, before + 1)
  try {
    return await search()
  } finally {
    const left = naming.get(owner)! - 1
    if (left > 0) naming.set(owner, left)
    else naming.delete(owner)
  }
}

/** Returns all that decides what a caller may see, as a text to compare. */
function sightOf({ tenant, userId, scopes, ceiling, workspaceIds, publishable }: Caller): string {
  const { workspaces } = tenant.settings
  return JSON.stringify([workspaces, userId, [...scopes].toSorted(), ceiling, workspaceIds.toSorted(), publishable])
}
