/** A gate at which refused requests wait until the person has proved again who they are. */
export interface Gate {
  /** Calls the watcher at each change. Made for `useSyncExternalStore`. @returns function that ends the calls */
  readonly watch: (watcher: () => void) => () => void
  /** Tells whether requests are waiting. */
  readonly isShut: () => boolean
  /**
   * Shuts the gate and waits until it opens.
   * @returns false at once when no page is shown that could open it
   */
  readonly pass: () => Promise<boolean>
  /** Lets all waiting requests go on. */
  readonly open: () => void
}

/** Makes a gate, open at first. */
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
      const opening = new Promise<void>((resolve) => {
        waiting = [...waiting, resolve]
      })
      for (const watcher of watchers) watcher()
      await opening
      return true
    },
    open: () => {
      isOpen = true
      const freed = waiting
      waiting = []
      for (const release of freed) release()
      for (const watcher of watchers) watcher()
    },
  }
}
