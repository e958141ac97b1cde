import { invalid } from '../../platform/faults.ts'

/** Path that a person goes to after signing in, unless the request names another. */
export const DEFAULT_PATH = '/console'
const LENGTH_MAX = 1_000
/**
 * Form of a path. Backslashes and control characters are refused, because browsers read a backslash as a slash and drop
 * control characters before that. The console checks the same form.
 */
const FORM = /^\/(?!\/)[^\\\p{Cc}]*$/u
const ANYWHERE = 'http://host.invalid'

/**
 * Checks the path to return to after signing in. Only a path of this service is allowed.
 * @returns the path for a header, percent-encoded
 * @throws Fault naming the parameter
 */
export function returnPath(raw: string | undefined): string {
  if (raw === undefined || raw === '') return DEFAULT_PATH
  const url = FORM.test(raw) && URL.canParse(raw, ANYWHERE) ? new URL(raw, ANYWHERE) : null
  const path = url?.origin === ANYWHERE ? url.pathname + url.search + url.hash : ''
  // Checked again after normalisation: `/.//host` has become `//host`.
  if (!FORM.test(path) || path.length > LENGTH_MAX)
    throw invalid(['query', 'return_to'], 'value_error', 'Input should be a path of this service')
  return path
}
