/** A page runs and shows what this service serves, and nothing else; nobody may frame it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Headers of every HTML page that people act on.
 * @param caching `no-cache` for a page that is the same for everybody, `no-store` for one of a person's own
 */
export function pageHeaders(caching: 'no-cache' | 'no-store'): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': caching,
    'content-security-policy': PAGE_POLICY,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // Not `no-referrer`: with it browsers send `Origin: null` along with forms, and writes are judged by their origin.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
