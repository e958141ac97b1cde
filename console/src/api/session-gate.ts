/**
 * What happens when the session ends while somebody works: the requests that the service refused wait until the person
 * has signed in again, and are then sent once more. So nothing that was typed is lost.
 */
let isOpen = true
let watchers: readonly (() => void)[] = []
let waiting: readonly (() => void)[] = []

/** Calls the watcher at each change. @returns ends that. For `useSyncExternalStore`. */
export function watchGate(watcher: () => void): () => void {
  watchers = [...watchers, watcher]
  return () => {
    watchers = watchers.filter((each) => each !== watcher)
  }
}

/** Whether requests are waiting for a new sign-in. */
export const isGateShut = (): boolean => !isOpen

/**
 * Waits until the person has signed in again.
 * @returns false at once when no page is shown that could ask for it
 */
export async function signedInAgain(): Promise<boolean> {
  if (watchers.length === 0) return false
  isOpen = false
  const opened = new Promise<void>((resolve) => {
    waiting = [...waiting, resolve]
  })
  for (const watcher of watchers) watcher()
  await opened
  return true
}

/** Lets all waiting requests go on. */
export function openGate(): void {
  isOpen = true
  const released = waiting
  waiting = []
  for (const release of released) release()
  for (const watcher of watchers) watcher()
}
