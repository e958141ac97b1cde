const INTERVAL_MS = 60_000

export interface WarningLog {
  /** Logs what is new. */
  look(): Promise<void>
  /** Resolves when a running look has ended. */
  close(): Promise<void>
}

/**
 * Logs what somebody should look after, each once until it is over: not everybody asks for the status. Warnings that
 * differ in their numbers alone are the same.
 */
export function startWarningLog(
  warningsNow: () => Promise<readonly string[]>,
  warn: (text: string) => void,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): WarningLog {
  let known = new Set<string>()
  let running: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    const warnings = await warningsNow()
    const kinds = warnings.map((text) => text.replaceAll(/[\d.]*\d/g, 'n'))
    for (const [i, kind] of kinds.entries()) if (!known.has(kind)) warn(warnings[i])
    known = new Set(kinds)
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
