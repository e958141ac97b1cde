/** Path to which people come when no other is named. */
export const HOME = '/console'

// Browsers read a backslash as a slash and skip control characters, so "/\evil" and "/\t/evil" would leave the service.
// The service has the same check (src/identity/sessions/return-path.ts); a test keeps the two alike.
const PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/** Returns the path to return to, if it belongs to this service; HOME for any other value, especially another host. */
export function returnPath(candidate: unknown, origin: string): string {
  if (typeof candidate !== 'string' || !PATH.test(candidate)) return HOME
  try {
    const url = new URL(candidate, origin)
    const path = url.pathname + url.search + url.hash
    // Resolved dots can leave two slashes at the beginning ("/a/..//evil"), which browsers would take for a host.
    return url.origin === origin && PATH.test(path) ? path : HOME
  } catch {
    return HOME
  }
}
