import { parentPort, resourceLimits, type Transferable, workerData } from 'node:worker_threads'
import { getHeapStatistics } from 'node:v8'

/** Message that asks a thread to end. */
export const CLOSE = 'close'

/** The types of what passes between a thread and its supervisor. */
export interface ThreadProtocol {
  /** Data of every start of the thread. Structured cloning must be able to copy it. */
  readonly data: unknown
  /** Messages to the thread. */
  readonly order: unknown
  /** Messages from the thread. */
  readonly report: unknown
}

/** A message for the operator, which the supervisor logs. */
export interface ThreadWarning {
  readonly kind: 'warning'
  readonly message: string
  readonly error: string
}

export function isWarning(message: unknown): message is ThreadWarning {
  return (message as { kind?: unknown } | null)?.kind === 'warning'
}

/** Limit of this thread's old generation, in bytes. `--max-old-space-size` overrides the supervisor's limit. */
export function oldGenerationBytesMax(): number {
  const young = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * 2 ** 20
  return getHeapStatistics().heap_size_limit - young
}

/** The thread's side of the connection to its `Supervisor`. */
export class ThreadPort<Protocol extends ThreadProtocol> {
  readonly data = workerData as Protocol['data']
  readonly #port = parentPort!

  /** @param transfer objects that move to the other thread instead of being copied */
  tell(message: Protocol['report'], transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer)
  }

  /** Tells the operator of a problem that does not stop the thread. */
  warn(message: string, error?: Error): void {
    this.#port.postMessage({ kind: 'warning', message, error: error?.message ?? '' } satisfies ThreadWarning)
  }

  /**
   * Starts to handle messages; earlier messages have waited.
   * @param take called with each message
   * @param close called once, when the thread should end. The thread ends with its result, or with its error
   */
  listen(take: (order: Protocol['order']) => void, close: () => Promise<void>): void {
    this.#port.on('message', (message: Protocol['order']) => {
      if (message !== CLOSE) return take(message)
      // Timers and work that nobody waits for any more must not keep the thread alive. What fails ends it as well, and
      // is told to the supervisor.
      void close().then(() => process.exit(0))
    })
  }
}
