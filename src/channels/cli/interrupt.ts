import type { Config } from '../../config.ts'
import type { StopSignal } from '../../platform/processes/messages.ts'
import type { CommandCall } from './command-call.ts'

/** Exit code of a command that ctrl-C ended, by the convention of shells. */
export const INTERRUPTED = 130

/** Signals this near to each other are one press of ctrl-C, which may come from the terminal and the parent process. */
const SAME_PRESS_MS = 300

/**
 * Calls `first` at the first SIGINT or SIGTERM, and `second` at each later one.
 * @returns a function that stops listening
 */
export function onStopSignal(first: (signal: StopSignal) => void, second: () => void): () => void {
  let pressedAt: number | null = null
  const listener = (signal: StopSignal): void => {
    if (pressedAt === null) {
      pressedAt = performance.now()
      first(signal)
    } else if (performance.now() - pressedAt > SAME_PRESS_MS) second()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}

/**
 * Lets ctrl-C or SIGTERM end `work` gently: the signal aborts, and `work` finishes its current step. A second ctrl-C
 * ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stopListening = onStopSignal(
    () => stopping.abort(),
    () => process.exit(INTERRUPTED),
  )
  try {
    return await work(stopping.signal)
  } finally {
    stopListening()
  }
}

/**
 * Lets ctrl-C end a backup or restore of PostgreSQL, which other programs carry out, and says so. SQLite is copied in
 * one step that occupies the thread, so there the signal ends the process at once.
 */
export async function undoneByInterrupt(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { stderr }: Pick<CommandCall, 'stderr'>,
  work: (signal?: AbortSignal) => Promise<number>,
): Promise<number> {
  if (databaseUrl === null) return work()
  return interruptible(async (signal) => {
    try {
      return await work(signal)
    } catch (error) {
      if (!signal.aborted) throw error
      stderr.write('Interrupted; nothing is left of it.\n')
      return INTERRUPTED
    }
  })
}
