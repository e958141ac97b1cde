import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Takes the internal error of the OAuth server during a request. The server reports such an error only as an event;
 * our HTTP frame then answers and logs the error as on every route.
 */
export const internalError = new AsyncLocalStorage<{ cause?: unknown }>()
