import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Where the OAuth server leaves what kept it from answering a request, which it tells nobody else: our own HTTP frame
 * then answers and logs it as on every route.
 */
export const failing = new AsyncLocalStorage<{ cause?: unknown }>()
