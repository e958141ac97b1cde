import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import { EmbeddingNonsense, EmbeddingUnavailable } from '../embedder.ts'
import type { Purpose, Reading, ReadOptions, TextReader } from './reader.ts'

/** Asks for the vectors of texts. */
interface ReadReport extends Omit<ReadOptions, 'signal'> {
  readonly kind: 'read'
  readonly call: number
  readonly purpose: Purpose
  readonly texts: readonly string[]
}

/** Messages of a thread to the one that has the reader. */
export type RelayReport =
  | ReadReport
  /** Says that nothing waits for a call any more. */
  | { readonly kind: 'drop'; readonly call: number }

/** Answers to a call. */
export type RelayOrder =
  | { readonly kind: 'read'; readonly call: number; readonly reading: Reading }
  | { readonly kind: 'unread'; readonly call: number; readonly error: PackedError }

interface PackedError {
  readonly message: string
  /** Null when the model gave nonsense. */
  readonly retryAfterMs: number | null
}

/** Reads texts through the thread that has the reader. */
export class RelayedReader implements TextReader {
  readonly absence: string | null
  readonly #tell: (report: RelayReport) => void
  readonly #calls = new PendingCalls<null>()

  /** @param absence that of the reader itself */
  constructor(absence: string | null, tell: (report: RelayReport) => void) {
    this.absence = absence
    this.#tell = tell
  }

  /** The thread that has the reader knows more. */
  get trouble(): string | null {
    return this.absence
  }

  async read(texts: readonly string[], purpose: Purpose, { signal, ...options }: ReadOptions = {}): Promise<Reading> {
    signal?.throwIfAborted()
    let call = 0
    const onAbort = (): void => {
      this.#tell({ kind: 'drop', call })
      this.#calls.reject(call, signal?.reason as Error)
    }
    try {
      return await this.#calls.open<Reading>(null, (id) => {
        call = id
        signal?.addEventListener('abort', onAbort)
        this.#tell({ ...options, kind: 'read', call, purpose, texts })
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Receives the answer to a call. */
  receive(order: RelayOrder): void {
    if (order.kind === 'read') this.#calls.resolve(order.call, order.reading)
    else this.#calls.reject(order.call, unpacked(order.error))
  }

  close(): Promise<void> {
    this.#calls.rejectAll(new EmbeddingUnavailable('the service is stopping'))
    return Promise.resolve()
  }
}

/** Reads texts for another thread, whose `RelayedReader` asks for them. */
export class ReaderRelay {
  readonly #reader: TextReader
  readonly #answer: (order: RelayOrder) => void
  readonly #calls = new Map<number, AbortController>()

  constructor(reader: TextReader, answer: (order: RelayOrder) => void) {
    this.#reader = reader
    this.#answer = answer
  }

  receive(report: RelayReport): void {
    if (report.kind === 'drop') this.#calls.get(report.call)?.abort()
    else void this.#read(report)
  }

  /** Gives up all calls, since the thread that waits for them has ended. */
  dropAll(): void {
    for (const call of this.#calls.values()) call.abort()
  }

  async #read({ call, purpose, texts, form, owner }: ReadReport): Promise<void> {
    const dropped = new AbortController()
    this.#calls.set(call, dropped)
    try {
      const reading = await this.#reader.read(texts, purpose, { signal: dropped.signal, form, owner })
      if (!dropped.signal.aborted) this.#answer({ kind: 'read', call, reading })
    } catch (error) {
      if (!dropped.signal.aborted) this.#answer({ kind: 'unread', call, error: packed(error as Error) })
    } finally {
      if (this.#calls.get(call) === dropped) this.#calls.delete(call)
    }
  }
}

function packed(error: Error): PackedError {
  const { message } = error
  if (error instanceof EmbeddingNonsense) return { message, retryAfterMs: null }
  return { message, retryAfterMs: error instanceof EmbeddingUnavailable ? error.retryAfterMs : 0 }
}

function unpacked({ message, retryAfterMs }: PackedError): Error {
  return retryAfterMs === null ? new EmbeddingNonsense(message) : new EmbeddingUnavailable(message, { retryAfterMs })
}
