/** Where people land when no other path is named. */
export const HOME = '/console'

// Browsers read a backslash as a slash and skip control characters, so "/\evil" and "/\t/evil" would leave the service.
// The service has the same check (src/identity/sessions/return-path.ts); a test keeps the two alike.
const PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/** The path to return to, if it belongs to this service; HOME for anything else, especially another host. */
export function returnPath(wanted: unknown, origin: string): string {
  if (typeof wanted !== 'string' || !PATH.test(wanted)) return HOME
  try {
    const url = new URL(wanted, origin)
    const path = url.pathname + url.search + url.hash
    // Resolved dots can leave two slashes at the beginning ("/a/..//evil"), which browsers would take for a host.
    return url.origin === origin && PATH.test(path) ? path : HOME
  } catch {
    return HOME
  }
}
