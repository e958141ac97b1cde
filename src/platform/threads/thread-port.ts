import { parentPort, resourceLimits, type Transferable, workerData } from 'node:worker_threads'
import { getHeapStatistics } from 'node:v8'

/** Asks a thread to end. */
export const CLOSE = 'close'

/** What passes between a thread and its supervisor. */
export interface ThreadProtocol {
  /** What the thread is started with, in each life the same; must survive structured cloning. */
  readonly data: unknown
  /** What the thread is sent. */
  readonly order: unknown
  /** What it sends. */
  readonly told: unknown
}

/** Something for the operator, which the supervisor writes to the log. */
export interface ThreadWarning {
  readonly kind: 'warning'
  readonly message: string
  readonly error: string
}

export function isWarning(message: unknown): message is ThreadWarning {
  return (message as { kind?: unknown } | null)?.kind === 'warning'
}

/**
 * The heap of this thread for what lives long, in bytes. `--max-old-space-size` outranks what the supervisor asked for.
 */
export function oldGenerationBytesMax(): number {
  const young = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * 2 ** 20
  return getHeapStatistics().heap_size_limit - young
}

/** The end of a supervised thread's line to its `Supervisor`. */
export class ThreadPort<Protocol extends ThreadProtocol> {
  readonly data = workerData as Protocol['data']
  readonly #port = parentPort!

  /** @param transfer what moves to the other thread instead of being copied */
  tell(message: Protocol['told'], transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer)
  }

  /** Tells the operator of something that the thread lives with. */
  warn(message: string, error?: Error): void {
    this.#port.postMessage({ kind: 'warning', message, error: error?.message ?? '' } satisfies ThreadWarning)
  }

  /**
   * Begins to take messages; those that came before wait until then.
   * @param take called with each
   * @param close called once, when the thread is to end; it ends with that, or with the error
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
