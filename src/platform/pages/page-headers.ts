/**
 * Pages may load only files of this service, and no other page may frame them.
 * @param pictures further sources of pictures
 */
const pagePolicy = (pictures: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${pictures}`,
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const PAGE_POLICY = pagePolicy('')
const POLICY_WITH_PICTURES = pagePolicy(' https:')

/**
 * Returns the headers of an HTML page on which people act.
 * @param caching `no-cache` for a page that is the same for all people, `no-store` for a page about one person
 * @param hasForeignPictures whether the page may load pictures from https addresses of others; by default it may not
 */
export function pageHeaders(
  caching: 'no-cache' | 'no-store',
  hasForeignPictures = false,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': caching,
    'content-security-policy': hasForeignPictures ? POLICY_WITH_PICTURES : PAGE_POLICY,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // Not `no-referrer`: browsers would send `Origin: null` with forms, and writes are checked by their origin.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
