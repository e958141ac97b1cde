/** Where people land when nothing else is named. */
export const HOME = '/console'

// Browsers read a backslash as a slash and skip control characters, so that "/\evil" and "/\t/evil" leave the service.
// The service asks the same where it sends somebody back (src/identity/sessions/return-path.ts); a test holds the two together.
const PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/** A path of this service to return to, as named in an address; anything else, above all another host, is HOME. */
export function returnPath(wanted: unknown, origin: string): string {
  if (typeof wanted !== 'string' || !PATH.test(wanted)) return HOME
  try {
    const url = new URL(wanted, origin)
    const path = url.pathname + url.search + url.hash
    // Dots may leave two slashes at the beginning ("/a/..//evil"), which would name a host when followed.
    return url.origin === origin && PATH.test(path) ? path : HOME
  } catch {
    return HOME
  }
}
