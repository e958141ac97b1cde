const INTERVAL_MS = 60_000

export interface WarningLog {
  /** Logs the warnings that are new. */
  look(): Promise<void>
  /** Resolves when a running look has ended. */
  close(): Promise<void>
}

/**
 * Logs each warning of the installation once until it is over, for operators who never ask for the status. Warnings
 * that differ in their numbers alone are the same.
 */
export function startWarningLog(
  warningsNow: () => Promise<readonly string[]>,
  warn: (text: string) => void,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): WarningLog {
  let lastKinds = new Set<string>()
  let running: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    const warnings = await warningsNow()
    const kinds = warnings.map((text) => text.replaceAll(/[\d.]*\d/g, 'n'))
    for (const [i, kind] of kinds.entries()) if (!lastKinds.has(kind)) warn(warnings[i])
    lastKinds = new Set(kinds)
  }

  const timer = setInterval(() => (running = running.then(look).catch(onError)), intervalMs)
  timer.unref()
  return {
    look,
    close: () => {
      clearInterval(timer)
      return running
    },
  }
}
