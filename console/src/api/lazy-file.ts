const RETRY_AFTER_MS = 400
const RELOADED = 'reloaded-for-files'
/** A second reload within this time would be a loop: the files are missing for another reason. */
const LOOP_MS = 60_000

/**
 * Fetches a file that the page loads on demand. After a release the files of an open page are gone: this tries once
 * more, and then loads the page anew, which gets the files of the new release.
 * @throws what the import throws when the page was loaded anew just before, or the browser is offline
 */
export async function lazyFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
  }
  try {
    return await load()
  } catch (error) {
    if (!navigator.onLine || hasJustReloaded()) throw error
    window.location.reload()
    return new Promise(() => {})
  }
}

/** Also notes the time for the next call. */
function hasJustReloaded(): boolean {
  try {
    const before = Number(sessionStorage.getItem(RELOADED) ?? 0)
    sessionStorage.setItem(RELOADED, String(Date.now()))
    return Date.now() - before < LOOP_MS
  } catch {
    return true
  }
}
