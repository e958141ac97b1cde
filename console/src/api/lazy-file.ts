const RETRY_AFTER_MS = 400
const RELOADED = 'reloaded-for-files'
/** A second reload within this time would be a loop: the files are missing for another reason. */
const LOOP_MS = 60_000

/** A file that the page loads on demand could not be fetched, most likely because a release replaced it. */
export class FileGone extends Error {
  override readonly name = 'FileGone'
}

/**
 * Fetches a file that the page loads on demand; tries once more before it gives up.
 * @throws FileGone
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
    throw new FileGone('A file of the console is gone', { cause: error })
  }
}

/**
 * Loads the page anew, which gets the files of the new release. Only for somebody who went to what needs the file: what
 * is merely fetched ahead must not take away the page that somebody works on.
 */
export function reloadForFiles(): void {
  if (navigator.onLine && !hasJustReloaded()) window.location.reload()
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
