import { statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import { Supervisor, type ThreadHealth, type ThreadLog } from '../../platform/threads/supervisor.ts'
import { EmbeddingNonsense, EmbeddingUnavailable } from '../embedder.ts'
import { absenceOf, FOLDER, type ModelPlace, runtimeAbsence } from './availability.ts'
import type { ModelForm } from './model-form.ts'
import type { ReaderReport, ReaderThreadProtocol } from './protocol.ts'
import { withoutFolders } from './without-folders.ts'
import type { Purpose, Reading, ReadOptions, TextReader } from './reader.ts'

export interface ContextualReaderOptions extends ModelPlace {
  /** Most threads of a run of the model. */
  readonly threads: number
  readonly log: ThreadLog
  /** Another model than the one that ships with the service. */
  readonly form?: ModelForm
}

/**
 * Mebibytes of the thread's heap: the tokenizer takes 40, twice that while its file is read, and the longest word that
 * it may be given 30 more.
 */
const HEAP_MB = 192
/** Bytes of the tokenizer's file for which that is enough. */
const TOKENIZER_BYTES = 2_500_000
const YOUNG_HEAP_MB = 16
/** Milliseconds without a text after which the thread ends and gives its memory back. */
const REST_AFTER_MS = 60 * 60_000
/** Milliseconds after which a model that could not be loaded is tried again: memory may be free then, a file repaired. */
const RELOAD_MS = 10 * 60_000
/** Milliseconds in which a query must be read. Its search goes on without. */
const QUERY_WITHIN_MS = 6_000

/**
 * Reads texts in a thread of its own, because a run of the model blocks the thread that makes it. The thread starts with
 * the first text, loads the model then, and ends when no text has come for an hour. One reader serves a process.
 * Other models have readers of their own (`Readers`).
 */
export class ContextualReader implements TextReader {
  readonly absence: string | null
  readonly #name: string
  readonly #thread: Supervisor<ReaderThreadProtocol>
  readonly #log: ThreadLog
  /** Folder of the model's files, with the separator at its end. */
  readonly #folder: string
  readonly #calls = new PendingCalls<{ readonly texts: number }>()
  #restTimer: NodeJS.Timeout | null = null
  /** The last failure to load; null while there is none, and once the model was loaded. */
  #failure: { readonly message: string; readonly reason: string; readonly at: number } | null = null
  #isClosed = false

  constructor({ threads, log, form, ...place }: ContextualReaderOptions) {
    this.absence = form === undefined ? absenceOf(place) : runtimeAbsence(place.runtimeFrom)
    this.#name = form?.name ?? 'the contextual model'
    this.#log = log
    this.#folder = join(form?.folder ?? fileURLToPath(place.folder ?? FOLDER), sep)
    this.#thread = new Supervisor({
      name: 'reader',
      module: new URL('worker.ts', import.meta.url),
      data: { folder: place.folder ?? FOLDER, runtimeFrom: place.runtimeFrom ?? import.meta.url, threads, form },
      heapMb: form === undefined ? HEAP_MB : heapMbFor(form),
      youngHeapMb: YOUNG_HEAP_MB,
      startAfterMs: Infinity,
      log,
      onMessage: (report) => this.#receive(report),
      onEnd: (cause) =>
        this.#calls.rejectAll(unavailable(`the thread that reads texts ended: ${cause.message}`, cause)),
    })
  }

  get trouble(): string | null {
    return this.absence ?? this.#failure?.reason ?? null
  }

  get health(): ThreadHealth {
    return this.#thread.health
  }

  async read(texts: readonly string[], purpose: Purpose, { signal, owner = '' }: ReadOptions = {}): Promise<Reading> {
    signal?.throwIfAborted()
    if (texts.length === 0) return { vectors: [], tokens: 0 }
    this.#requireReadable()
    const within = purpose === 'query' ? AbortSignal.timeout(QUERY_WITHIN_MS) : undefined
    let call = 0
    const giveUp = (error: Error): void => {
      this.#thread.post({ kind: 'drop', call })
      this.#calls.reject(call, error)
    }
    const onAbort = (): void => giveUp(signal?.reason as Error)
    const onLate = (): void => giveUp(unavailable(`${this.#name} did not read a query in time`))
    try {
      return await this.#calls.open<Reading>({ texts: texts.length }, (id) => {
        call = id
        signal?.addEventListener('abort', onAbort)
        within?.addEventListener('abort', onLate)
        this.#thread.post({ kind: 'read', call, purpose, owner, texts })
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
      within?.removeEventListener('abort', onLate)
      this.#restLater()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#restTimer !== null) clearTimeout(this.#restTimer)
    this.#calls.rejectAll(unavailable('the service is stopping'))
    await this.#thread.close()
  }

  /** @throws EmbeddingUnavailable when the model cannot read now */
  #requireReadable(): void {
    if (this.#isClosed) throw unavailable('the service is stopping')
    if (this.absence !== null) throw unavailable(this.#cannotLoad(this.absence), null, RELOAD_MS)
    const waitMs = this.#failure === null ? 0 : this.#failure.at + RELOAD_MS - Date.now()
    if (waitMs > 0) throw unavailable(this.#cannotLoad(this.#failure!.reason), null, waitMs)
    if (this.#thread.isDown) throw unavailable('the thread that reads texts is starting again')
  }

  #receive(report: ReaderReport): void {
    if (report.kind === 'unloadable') return this.#onUnloadable(report.reason)
    this.#failure = null
    this.#thread.noteUse()
    const { call } = report
    if (report.kind === 'failed') {
      const { message, isNonsense } = report
      return this.#calls.reject(call, isNonsense ? new EmbeddingNonsense(message) : unavailable(message))
    }
    const { vectors, tokens } = report
    const count = this.#calls.contextOf(call)?.texts ?? 0
    const width = vectors.length / count
    const each = Array.from({ length: count }, (_, i) => vectors.slice(i * width, (i + 1) * width))
    this.#calls.resolve(call, { vectors: each, tokens } satisfies Reading)
  }

  #onUnloadable(message: string): void {
    if (this.#failure?.message !== message) this.#log.warn({ reason: message }, `${this.#name} cannot be loaded`)
    const reason = withoutFolders(message, [this.#folder])
    this.#failure = { message, reason, at: Date.now() }
    this.#thread.rest()
    this.#calls.rejectAll(unavailable(this.#cannotLoad(reason), null, RELOAD_MS))
  }

  #cannotLoad(reason: string): string {
    return `${this.#name} cannot be loaded: ${reason}`
  }

  /** Ends the thread once no text has come for a while. */
  #restLater(): void {
    if (this.#restTimer !== null) clearTimeout(this.#restTimer)
    if (this.#isClosed || this.#calls.size > 0) return
    this.#restTimer = setTimeout(() => {
      if (this.#calls.size === 0) this.#thread.rest()
    }, REST_AFTER_MS).unref()
  }
}

/** Returns the mebibytes of the heap for a model, whose vocabulary may be several times as large as ours. */
function heapMbFor({ folder }: ModelForm): number {
  const bytes = statSync(join(folder, 'tokenizer.json'), { throwIfNoEntry: false })?.size ?? 0
  return Math.ceil(HEAP_MB * Math.max(1, bytes / TOKENIZER_BYTES))
}

function unavailable(message: string, cause: unknown = null, retryAfterMs?: number): EmbeddingUnavailable {
  return new EmbeddingUnavailable(message, { retryAfterMs, ...(cause === null ? {} : { cause }) })
}
