const RETRY_AFTER_MS = 400
const RELOADED = 'reloaded-for-files'
/** A second reload within this time would be a loop: the files are missing for another reason. */
const LOOP_MS = 60_000

/**
 * The fault that a file that the page loads on demand could not be fetched, most likely because a release replaced it.
 */
export class FileGone extends Error {
  override readonly name = 'FileGone'
}

/** Fetches a file that the page loads on demand, and tries once more before it gives up. @throws FileGone */
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
 * Loads the page anew, which gets the files of the new release and the policy of the present session. Call it only when
 * a person went to the page that needs one of them: a file that was fetched ahead must not take away the page that a
 * person works on.
 */
export function reloadOnce(): void {
  if (navigator.onLine && !hasJustReloaded()) window.location.reload()
}

/**
 * Tells whether the page was reloaded less than a minute ago, and stores the present time for the next call.
 * Without storage it answers true, so that no loop can begin.
 */
function hasJustReloaded(): boolean {
  try {
    const before = Number(sessionStorage.getItem(RELOADED) ?? 0)
    sessionStorage.setItem(RELOADED, String(Date.now()))
    return Date.now() - before < LOOP_MS
  } catch {
    return true
  }
}
