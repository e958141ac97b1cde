import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { answerOf, ApiFault, reached } from './client.ts'
import { createGate } from './gate.ts'

/**
 * The credential of an operator. It is in the memory of this tab and nowhere else: neither a cookie nor the browser's
 * storage has it, so that it ends with the tab, a reload or an hour in which nobody does anything.
 */
let credential: string | null = null
/** Whether somebody has signed in since the page was loaded. */
let isEntered = false
let watchers: readonly (() => void)[] = []
let idleTimer: ReturnType<typeof setTimeout> | undefined

const PATHS = '/api/operator/'
const IDLE_MS = 60 * 60_000

/** Shut while the credential has to be entered again; what was typed stays where it is. */
export const operatorGate = createGate()

/** The routes of operators. The credential goes nowhere else, and the session's cookie does not come along. */
export const operatorApi = createClient<paths>({ fetch: withCredential })

async function withCredential(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  if (origin !== window.location.origin || !pathname.startsWith(PATHS)) throw new Error('Not a path of operators')
  const again = request.clone()
  const response = await sent(request)
  if (response.status !== 401) return response
  credential = null
  if (!(await operatorGate.pass())) return response
  return sent(again)
}

function sent(request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  if (credential !== null) headers.set('authorization', `Bearer ${credential}`)
  return reached(new Request(request, { headers, credentials: 'omit' }))
}

/** Why a credential does not open the pages of operators. */
export type Refusal = 'unknown' | 'network'

/**
 * Signs an operator in, if the service knows the credential.
 * @returns why it does not open the pages; null when it does
 * @throws ApiFault and Unreachable for everything else
 */
export async function enter(entered: string): Promise<Refusal | null> {
  const asking = createClient<paths>({
    fetch: (request) =>
      reached(new Request(request, { headers: { authorization: `Bearer ${entered}` }, credentials: 'omit' })),
  })
  try {
    await answerOf(asking.GET('/api/operator/status'))
  } catch (error) {
    if (error instanceof ApiFault && error.status === 401) return 'unknown'
    // Outside of the networks that operators are served in, their paths do not exist.
    if (error instanceof ApiFault && error.status === 404) return 'network'
    throw error
  }
  credential = entered
  isEntered = true
  watchIdleness()
  for (const watcher of watchers) watcher()
  operatorGate.open()
  return null
}

/** Ends the visit of the operator, with everything that was loaded. */
export function leave(): void {
  credential = null
  window.location.assign('/console/operator')
}

/** Calls the watcher when somebody signs in. @returns ends that. For `useSyncExternalStore`. */
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
