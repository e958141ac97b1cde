import type { Socket } from 'node:net'
import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import type { EngineStatus, SearchAnswer, SearchRequest } from '../engine.ts'
import { packSearches, unpackAnswers, unpackError } from '../memory/host/protocol.ts'
import { FrameReader, type FromHolder, type ProcessIdentity, writeFrame } from './frames.ts'
import { type Line, type LineTrouble, RETRY_FIRST_MS } from './line.ts'

/** How often a process is asked whether it is there while it has calls to answer. */
const PING_MS = 250
/** A process that says nothing for so long, though it is asked, counts as gone. */
const SILENT_MS = 1_000
/** Attempts in a row after which it is told that a process is not reached. Until then it may just be starting again. */
const ATTEMPTS_UNTOLD = 10

/** A process does not answer, or has ended. Its own engine can do what was asked of it. */
export class HolderGone extends Error {
  override readonly name = 'HolderGone'
}

export interface LinkWatcher {
  /** `isUp` has changed. */
  onChange(): void
  /** The line leads back to this very process. */
  onSelf(): void
  /** Called once for each kind until the process is reached again. */
  onTrouble(trouble: LineTrouble): void
}

/** The connection to another process, which holds indexes. It connects by itself, again and again. */
export class HolderLink {
  readonly #line: Line
  readonly #identity: ProcessIdentity
  readonly #watcher: LinkWatcher
  readonly #calls = new PendingCalls<null>()
  #socket: Socket | null = null
  #isUp = false
  #isClosed = false
  #waiting: { call: number; request: SearchRequest }[] = []
  /** When the process last said something, or was first asked. */
  #heardAtMs = 0
  #watch: NodeJS.Timeout | null = null
  #reconnect: NodeJS.Timeout | null = null
  /** Attempts to connect that failed one after the other. */
  #failures = 0
  readonly #told = new Set<LineTrouble['kind']>()

  /** @param identity of this process */
  constructor(line: Line, identity: ProcessIdentity, watcher: LinkWatcher) {
    this.#line = line
    this.#identity = identity
    this.#watcher = watcher
    this.#connect()
  }

  get address(): string {
    return this.#line.address
  }

  /** Whether the process is there, as far as is known. */
  get isUp(): boolean {
    return this.#isUp
  }

  /** @throws HolderGone, or what the engine of the process throws */
  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#call((call) => {
      // Searches of one turn of the event loop travel together.
      if (this.#waiting.push({ call, request }) === 1) setImmediate(() => this.#sendSearches())
    })
  }

  /** @throws HolderGone, or what the engine of the process throws */
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
    // Not before: until then nobody knows whose bytes they are.
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

  /** Doubles with every failure, a little different in each process, so that not all come at once. */
  #pauseMs(): number {
    const longest = Math.min(this.#line.retryMaxMs, RETRY_FIRST_MS * 2 ** this.#failures)
    this.#failures++
    return longest === RETRY_FIRST_MS ? longest : longest * (0.75 + Math.random() / 4)
  }

  #noteFailure(error: Error & { readonly code?: string }): void {
    const code = error.code ?? null
    if (this.#line.isOtherKey(error)) this.#tell({ kind: 'other-key', code })
    else if (this.#failures >= ATTEMPTS_UNTOLD) this.#tell({ kind: 'unreachable', code })
  }

  #tell(trouble: LineTrouble): void {
    if (this.#isClosed || this.#told.has(trouble.kind)) return
    this.#told.add(trouble.kind)
    this.#watcher.onTrouble(trouble)
  }

  #greet({ program, instance }: ProcessIdentity): void {
    this.#failures = 0
    if (instance === this.#identity.instance) this.#watcher.onSelf()
    else if (program === this.#identity.program) this.#setUp(true)
    else this.#tell({ kind: 'other-program', code: null })
  }

  #receive(message: FromHolder): void {
    if (message.kind === 'here') this.#greet(message)
    else if (message.kind === 'done') this.#calls.resolve(message.call, message.value)
    else {
      for (const { call, answer } of unpackAnswers(message)) this.#calls.resolve(call, answer)
      for (const error of message.errors) this.#calls.reject(error.call, unpackError(error))
    }
  }

  /** Fails every call, so that each goes on elsewhere. */
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
    if (isUp) this.#told.clear()
    this.#watcher.onChange()
  }

  /** Asks the process whether it is there until it has answered everything. */
  #beginWatch(): void {
    if (this.#watch !== null) return
    this.#heardAtMs = performance.now()
    let lookedAtMs = this.#heardAtMs
    this.#watch = setInterval(() => {
      const now = performance.now()
      // This process was busy or paused itself: what the other one said is still to be read.
      if (now - lookedAtMs > 2 * PING_MS) this.#heardAtMs = now
      lookedAtMs = now
      if (this.#calls.size === 0) {
        clearInterval(this.#watch!)
        this.#watch = null
      } else if (now - this.#heardAtMs > SILENT_MS) this.#socket?.destroy()
      else if (this.#socket !== null) writeFrame(this.#socket, { kind: 'ping' })
    }, PING_MS)
    this.#watch.unref()
  }
}
