/** Colour schemes that people choose from: as the system says, light or dark. */
export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const YEAR_S = 365 * 24 * 60 * 60

/** Returns the scheme that is shown; scheme.js has set it before the first paint. */
export function shownScheme(): Scheme {
  const { scheme } = document.documentElement.dataset
  return scheme === 'light' || scheme === 'dark' ? scheme : 'system'
}

/** Shows a scheme and keeps it in a cookie, which scheme.js can read at once. */
export function chooseScheme(scheme: Scheme): void {
  if (scheme === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme
  const maxAgeS = scheme === 'system' ? 0 : YEAR_S
  // oxlint-disable-next-line unicorn/no-document-cookie -- the cookie store is not in every browser
  document.cookie = `scheme=${scheme}; Path=/; Max-Age=${maxAgeS}; SameSite=Lax`
}
