import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { answerOf, ApiFault, reached } from './client.ts'
import { createGate } from './gate.ts'

/**
 * The credential of an operator. It is in the memory of this tab alone: neither a cookie nor the browser's storage has
 * it, so that it ends with the tab, with a reload, or after an hour without a key or a click.
 */
let credential: string | null = null
/** Whether an operator has signed in since the page was loaded. */
let isEntered = false
let watchers: readonly (() => void)[] = []
let idleTimer: ReturnType<typeof setTimeout> | undefined

const PATHS = '/api/operator/'
const IDLE_MS = 60 * 60_000

/** Gate that is shut while the operator has to enter the credential again; text typed meanwhile stays where it is. */
export const operatorGate = createGate()

/** The client for the routes of operators. It sends the credential to them alone, and never the session's cookie. */
export const operatorApi = createClient<paths>({ fetch: withCredential })

async function withCredential(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  if (origin !== window.location.origin || !pathname.startsWith(PATHS)) throw new Error('Not a path of operators')
  const again = request.clone()
  const response = await sendWithCredential(request)
  if (response.status !== 401) return response
  credential = null
  if (!(await operatorGate.pass())) return response
  return sendWithCredential(again)
}

function sendWithCredential(request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  if (credential !== null) headers.set('authorization', `Bearer ${credential}`)
  return reached(new Request(request, { headers, credentials: 'omit' }))
}

/**
 * Reason why a credential does not open the pages of operators: the service does not know it, or the browser is outside
 * the networks that operators are served in.
 */
export type Refusal = 'unknown' | 'network'

/**
 * Signs an operator in, if the service knows the credential.
 * @returns null when the pages are open, else the reason why not
 * @throws ApiFault and Unreachable for all other failures
 */
export async function enter(candidate: string): Promise<Refusal | null> {
  const client = createClient<paths>({
    fetch: (request) =>
      reached(new Request(request, { headers: { authorization: `Bearer ${candidate}` }, credentials: 'omit' })),
  })
  try {
    await answerOf(client.GET('/api/operator/status'))
  } catch (error) {
    if (error instanceof ApiFault && error.status === 401) return 'unknown'
    // Outside of the networks that operators are served in, their paths do not exist.
    if (error instanceof ApiFault && error.status === 404) return 'network'
    throw error
  }
  credential = candidate
  isEntered = true
  watchIdleness()
  for (const watcher of watchers) watcher()
  operatorGate.open()
  return null
}

/** Ends the visit of the operator, and drops all loaded data by a full page load. */
export function leave(): void {
  credential = null
  window.location.assign('/console/operator')
}

/**
 * Calls the watcher when an operator signs in. Made for `useSyncExternalStore`.
 * @returns function that ends the calls
 */
export function watchEntering(watcher: () => void): () => void {
  watchers = [...watchers, watcher]
  return () => {
    watchers = watchers.filter((each) => each !== watcher)
  }
}

export const hasEntered = (): boolean => isEntered

function watchIdleness(): void {
  const forget = (): void => {
    credential = null
    void operatorGate.pass()
  }
  const begin = (): void => {
    clearTimeout(idleTimer)
    if (credential !== null) idleTimer = setTimeout(forget, IDLE_MS)
  }
  if (idleTimer === undefined) for (const kind of ['keydown', 'pointerdown']) document.addEventListener(kind, begin)
  begin()
}
