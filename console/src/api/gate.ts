/** Lets requests that the service refused wait until somebody has proved again who they are. */
export interface Gate {
  /** Calls the watcher at each change. @returns ends that. For `useSyncExternalStore`. */
  readonly watch: (watcher: () => void) => () => void
  /** Whether requests are waiting. */
  readonly isShut: () => boolean
  /**
   * Shuts the gate and waits until it opens.
   * @returns false at once when no page is shown that could open it
   */
  readonly pass: () => Promise<boolean>
  /** Lets all waiting requests go on. */
  readonly open: () => void
}

/** A gate of its own, open at first. */
export function createGate(): Gate {
  let isOpen = true
  let watchers: readonly (() => void)[] = []
  let waiting: readonly (() => void)[] = []
  return {
    watch: (watcher) => {
      watchers = [...watchers, watcher]
      return () => {
        watchers = watchers.filter((each) => each !== watcher)
      }
    },
    isShut: () => !isOpen,
    pass: async () => {
      if (watchers.length === 0) return false
      isOpen = false
      const opened = new Promise<void>((resolve) => {
        waiting = [...waiting, resolve]
      })
      for (const watcher of watchers) watcher()
      await opened
      return true
    },
    open: () => {
      isOpen = true
      const released = waiting
      waiting = []
      for (const release of released) release()
      for (const watcher of watchers) watcher()
    },
  }
}
