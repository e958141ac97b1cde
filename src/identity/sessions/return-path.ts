import { invalid } from '../../platform/faults.ts'

/** Where somebody goes who came from nowhere in particular. */
export const DEFAULT_PATH = '/console'
const LENGTH_MAX = 1_000
/** Browsers take a backslash for a slash, and drop control characters before they look. The console asks the same. */
const FORM = /^\/(?!\/)[^\\\p{Cc}]*$/u
const ANYWHERE = 'http://host.invalid'

/**
 * The place to go back to after signing in: a path of this service and nothing else.
 * @returns it as it is written in a header, percent-encoded
 * @throws Fault naming the parameter
 */
export function returnPath(raw: string | undefined): string {
  if (raw === undefined || raw === '') return DEFAULT_PATH
  const url = FORM.test(raw) && URL.canParse(raw, ANYWHERE) ? new URL(raw, ANYWHERE) : null
  const path = url?.origin === ANYWHERE ? url.pathname + url.search + url.hash : ''
  // Looked at again as it will be sent: `/.//host` has become `//host`.
  if (!FORM.test(path) || path.length > LENGTH_MAX)
    throw invalid(['query', 'return_to'], 'value_error', 'Input should be a path of this service')
  return path
}
