import type { Socket } from 'node:net'
import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import type { EngineStatus, SearchAnswer, SearchRequest } from '../engine.ts'
import { packSearches, unpackAnswers, unpackError } from '../memory/host/protocol.ts'
import { FrameReader, type FromHolder, type ProcessIdentity, writeFrame } from './frames.ts'
import { type Line, type LineTrouble, RETRY_FIRST_MS } from './line.ts'

/** Milliseconds between two pings of a process that has calls to answer. */
const PING_MS = 250
/** Milliseconds without a message, in spite of pings, after which a process counts as gone. */
const SILENT_MS = 1_000
/** Failed attempts to connect, in a row, after which a process counts as unreachable. Until then it may be starting. */
const UNREACHABLE_ATTEMPTS = 10

/** Says that a process has ended or does not answer. The own engine of the calling process can answer instead. */
export class HolderGone extends Error {
  override readonly name = 'HolderGone'
}

export interface LinkWatcher {
  /** Is called when `isUp` has changed. */
  onChange(): void
  /** Is called when the line turns out to lead back to this process itself. */
  onSelf(): void
  /** Receives each kind of trouble once, and again only after the process was reached. */
  onTrouble(trouble: LineTrouble): void
}

/** Keeps a connection to another process that holds tenants. After a failure it connects again by itself. */
export class HolderLink {
  readonly #line: Line
  readonly #identity: ProcessIdentity
  readonly #watcher: LinkWatcher
  readonly #calls = new PendingCalls<null>()
  #socket: Socket | null = null
  #isUp = false
  #isClosed = false
  #waiting: { call: number; request: SearchRequest }[] = []
  /** Time of the last message from the process, or of the first call since it had none to answer. */
  #heardAtMs = 0
  #watch: NodeJS.Timeout | null = null
  #reconnect: NodeJS.Timeout | null = null
  /** Attempts to connect that failed one after the other. */
  #failures = 0
  /** Kinds of trouble that were reported since the process was last reached. */
  readonly #reports = new Set<LineTrouble['kind']>()

  /** @param identity identity of this process */
  constructor(line: Line, identity: ProcessIdentity, watcher: LinkWatcher) {
    this.#line = line
    this.#identity = identity
    this.#watcher = watcher
    this.#connect()
  }

  get address(): string {
    return this.#line.address
  }

  /** Whether the process runs and can be called, as far as this process knows. */
  get isUp(): boolean {
    return this.#isUp
  }

  /** Searches in the process. @throws HolderGone, and the errors of the process's engine */
  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#call((call) => {
      // Searches of one turn of the event loop travel together.
      if (this.#waiting.push({ call, request }) === 1) setImmediate(() => this.#sendSearches())
    })
  }

  /** Returns the status of the process's engine. @throws HolderGone, and the errors of the process's engine */
  status(tenantId: string | null): Promise<EngineStatus> {
    return this.#call((call) => writeFrame(this.#socket!, { kind: 'status', call, tenantId }))
  }

  close(): void {
    this.#isClosed = true
    if (this.#reconnect !== null) clearTimeout(this.#reconnect)
    this.#socket?.destroy()
    this.#lose()
  }

  #call<T>(send: (call: number) => void): Promise<T> {
    if (!this.#isUp) return Promise.reject(new HolderGone('the process is not there'))
    if (this.#calls.size === 0) this.#beginWatch()
    return this.#calls.open<T>(null, send)
  }

  #sendSearches(): void {
    const searches = this.#waiting.filter(({ call }) => this.#calls.contextOf(call) !== undefined)
    this.#waiting = []
    if (searches.length > 0 && this.#socket !== null) writeFrame(this.#socket, packSearches(searches))
  }

  #connect(): void {
    const socket = this.#line.open()
    const reader = new FrameReader()
    this.#socket = socket
    socket.unref()
    // Not before this event, because only it proves that the bytes come from a process of the installation.
    socket.once(this.#line.openedBy, () => {
      socket.on('data', (chunk: Buffer) => {
        this.#heardAtMs = performance.now()
        try {
          for (const message of reader.take(chunk)) this.#receive(message as FromHolder)
        } catch {
          socket.destroy()
        }
      })
    })
    socket.on('error', (error) => this.#noteFailure(error))
    socket.on('close', () => {
      if (this.#socket === socket) this.#lose()
      if (!this.#isClosed) this.#reconnect = setTimeout(() => this.#connect(), this.#pauseMs()).unref()
    })
  }

  /**
   * Returns the pause before the next attempt to connect. It doubles with every failure. A random part makes it
   * different in each process, so that not all connect at once.
   */
  #pauseMs(): number {
    const longest = Math.min(this.#line.retryMaxMs, RETRY_FIRST_MS * 2 ** this.#failures)
    this.#failures++
    return longest === RETRY_FIRST_MS ? longest : longest * (0.75 + Math.random() / 4)
  }

  #noteFailure(error: Error & { readonly code?: string }): void {
    const code = error.code ?? null
    if (this.#line.isOtherKey(error)) this.#report({ kind: 'other-key', code })
    else if (this.#failures >= UNREACHABLE_ATTEMPTS) this.#report({ kind: 'unreachable', code })
  }

  #report(trouble: LineTrouble): void {
    if (this.#isClosed || this.#reports.has(trouble.kind)) return
    this.#reports.add(trouble.kind)
    this.#watcher.onTrouble(trouble)
  }

  /** Takes the identity with which the process answers a new connection or a ping. */
  #greet({ form, instance }: ProcessIdentity): void {
    this.#failures = 0
    if (instance === this.#identity.instance) this.#watcher.onSelf()
    else if (form === this.#identity.form) this.#setUp(true)
    else this.#report({ kind: 'other-program', code: null })
  }

  #receive(message: FromHolder): void {
    if (message.kind === 'here') this.#greet(message)
    else if (message.kind === 'done') this.#calls.resolve(message.call, message.value)
    else {
      for (const { call, answer } of unpackAnswers(message)) this.#calls.resolve(call, answer)
      for (const error of message.errors) this.#calls.reject(error.call, unpackError(error))
    }
  }

  /** Ends the connection for its callers: every open call fails, so that the caller can search elsewhere. */
  #lose(): void {
    this.#socket = null
    this.#waiting = []
    if (this.#watch !== null) clearInterval(this.#watch)
    this.#watch = null
    this.#calls.rejectAll(new HolderGone('the process is gone'))
    this.#setUp(false)
  }

  #setUp(isUp: boolean): void {
    if (this.#isUp === isUp) return
    this.#isUp = isUp
    if (isUp) this.#reports.clear()
    this.#watcher.onChange()
  }

  /** Pings the process until it has answered all calls. */
  #beginWatch(): void {
    if (this.#watch !== null) return
    this.#heardAtMs = performance.now()
    let tickedAtMs = this.#heardAtMs
    this.#watch = setInterval(() => {
      const now = performance.now()
      // If this process was itself busy or paused, messages of the other one may still be unread.
      if (now - tickedAtMs > 2 * PING_MS) this.#heardAtMs = now
      tickedAtMs = now
      if (this.#calls.size === 0) {
        clearInterval(this.#watch!)
        this.#watch = null
      } else if (now - this.#heardAtMs > SILENT_MS) this.#socket?.destroy()
      else if (this.#socket !== null) writeFrame(this.#socket, { kind: 'ping' })
    }, PING_MS)
    this.#watch.unref()
  }
}
