import { parentPort, resourceLimits, type Transferable, workerData } from 'node:worker_threads'
import { getHeapStatistics } from 'node:v8'
import { type Damage, damageIn } from '../damage.ts'

/** Message that asks a thread to end. */
export const CLOSE = 'close'

/** Types of the data and the messages that pass between a thread and its supervisor. */
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

/** What the database of a thread said of damage, which the supervisor passes on. */
interface ThreadDamage {
  readonly kind: 'damage'
  readonly damage: Damage
}

export function isThreadDamage(message: unknown): message is ThreadDamage {
  return (message as { kind?: unknown } | null)?.kind === 'damage'
}

export function isWarning(message: unknown): message is ThreadWarning {
  return (message as { kind?: unknown } | null)?.kind === 'warning'
}

/**
 * Returns the limit of this thread's old generation, in bytes. `--max-old-space-size` overrides the supervisor's limit.
 */
export function oldGenerationBytesMax(): number {
  const young = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * 2 ** 20
  return getHeapStatistics().heap_size_limit - young
}

/** The thread's side of the connection to its `Supervisor`. */
export class ThreadPort<Protocol extends ThreadProtocol> {
  readonly data = workerData as Protocol['data']
  readonly #port = parentPort!

  /** Sends the supervisor a message. @param transfer objects that move to the other thread instead of being copied */
  tell(message: Protocol['report'], transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer)
  }

  /** Tells the operator of a problem that does not stop the thread. */
  warn(message: string, error?: Error): void {
    this.#port.postMessage({ kind: 'warning', message, error: error?.message ?? '' } satisfies ThreadWarning)
  }

  /** Tells the operator of damage, if an error of the database is about it. */
  noteDamage(error: unknown): void {
    const damage = damageIn(error)
    if (damage !== null) this.#port.postMessage({ kind: 'damage', damage } satisfies ThreadDamage)
  }

  /**
   * Begins to handle messages. Earlier messages have waited until now.
   * @param take called with each message
   * @param close called once, when the thread has to end. The thread ends when its promise resolves or rejects
   */
  listen(take: (order: Protocol['order']) => void, close: () => Promise<void>): void {
    this.#port.on('message', (message: Protocol['order']) => {
      if (message !== CLOSE) return take(message)
      // Timers and unfinished work must not keep the thread alive. A `close` that fails ends the thread as well, and
      // the supervisor gets the error.
      void close().then(() => process.exit(0))
    })
  }
}
