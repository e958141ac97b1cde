import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Counter, Gauge, Registry } from 'prom-client'
import { RestartPauses } from '../restart-pauses.ts'
import { atMostEvery } from '../telemetry/at-most-every.ts'
import { mergedMetrics } from './merged-metrics.ts'
import {
  COUNT_VARIABLE,
  FIRST_VARIABLE,
  type FromProcess,
  NUMBER_VARIABLE,
  SOCKETS_VARIABLE,
  type StopSignal,
  type ToProcess,
} from './messages.ts'

/** Time for processes to send their metrics for a scrape. */
const METRICS_WITHIN_MS = 1_000
/** Time for which the metrics of all processes are answered again. */
const METRICS_EVERY_MS = 1_000

interface ProcessLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface SupervisorOptions {
  readonly count: number
  /** After this time, a process that was asked to end is killed. */
  readonly endWithinMs: number
  /** After this time, a new process that has not come to serve in place of another is killed. */
  readonly startWithinMs: number
  readonly log: ProcessLog
  /** Milliseconds for which the metrics of all processes are answered again; by default a second. */
  readonly metricsEveryMs?: number
}

/** One of the processes, through all its restarts. */
interface Slot {
  readonly number: number
  readonly pauses: RestartPauses
  worker: Worker | null
  startedAtMs: number
  restarts: number
  /** Timer of the next start. */
  timer: NodeJS.Timeout | null
}

/** A scrape that waits for the metrics of processes. */
interface Scrape {
  readonly call: number
  /** Processes that have not answered yet. */
  readonly waitsFor: Map<Worker, Slot>
  readonly texts: string[]
  readonly end: () => void
}

/**
 * Runs a number of service processes that share their port. Node's cluster takes the connections in the parent process
 * and gives them to the processes in turn. A process gets a connection only once it has taken its previous one, so a
 * process that is busy, paused or gone gets no more.
 *
 * The first process starts alone, so that the schema is updated once and the first tenant made once. A process that
 * ends by itself is started again (`RestartPauses`). If one ends before it serves, and no other serves, everything ends
 * with its exit code: the cause concerns all processes, and the program that started the service has to learn of it.
 */
export class ProcessSupervisor {
  readonly #options: SupervisorOptions
  readonly #slots: readonly Slot[]
  /** All processes that have not ended: those of the slots, their replacements that start, and those that hand over. */
  readonly #running = new Set<Worker>()
  /** Processes that have said that they serve. */
  readonly #serving = new WeakSet<Worker>()
  /** Processes that others have taken over from. */
  readonly #replaced = new Set<Worker>()
  /** Paths of the sockets at which processes are reached. */
  readonly #sockets = new WeakMap<Worker, string>()
  /** Folder of the sockets. Only the user of the service may enter it. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'knowledge-'))
  readonly #ended = Promise.withResolvers<number>()
  /** The running scrape. */
  #scrape: Scrape | null = null
  /** Returns the metrics of all processes. */
  readonly #metrics: () => Promise<string>
  #lastScrape = 0
  #isStopping = false
  #stopSignal: StopSignal | null = null
  #isReplacing = false
  #exitCode = 0

  /** @throws the system's error when the folder of the sockets cannot be made */
  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#metrics = this.#sharedScrapes(options.metricsEveryMs ?? METRICS_EVERY_MS)
    this.#slots = Array.from({ length: options.count }, (_, i) => ({
      number: i + 1,
      pauses: new RestartPauses(),
      worker: null,
      startedAtMs: 0,
      restarts: 0,
      timer: null,
    }))
  }

  /** Starts the processes. @returns the exit code, once all of them have ended for good */
  async run(): Promise<number> {
    const [first, ...others] = this.#slots
    if (await whenServing(this.#start(first, true))) for (const slot of others) if (!this.#isStopping) this.#start(slot)
    const exitCode = await this.#ended.promise
    rmSync(this.#folder, { recursive: true, force: true })
    return exitCode
  }

  /** Lets every process finish its requests and end. */
  stop(signal: StopSignal): void {
    this.#isStopping = true
    this.#stopSignal = signal
    for (const { timer } of this.#slots) if (timer !== null) clearTimeout(timer)
    for (const worker of this.#running) {
      // A process that does not serve yet has nothing to finish.
      if (this.#serving.has(worker)) tell(worker, { kind: 'stop', signal })
      else worker.process.kill(signal)
    }
    setTimeout(() => this.kill(), this.#options.endWithinMs).unref()
    this.#endIfEmpty()
  }

  /** Ends every process at once. */
  kill(exitCode = 1): void {
    this.#isStopping = true
    this.#exitCode = exitCode
    for (const worker of this.#running) worker.process.kill('SIGKILL')
    this.#endIfEmpty()
  }

  /**
   * Replaces the processes one after the other: each new process serves before its predecessor closes the port and
   * finishes its requests. A new process that does not serve in time is killed, and the remaining ones stay as they
   * are.
   */
  async replaceAll(): Promise<void> {
    if (this.#isStopping) return
    const { log } = this.#options
    if (this.#isReplacing) return log.warn({}, 'the processes are being replaced already')
    this.#isReplacing = true
    log.info({}, 'replacing the processes')
    for (const slot of this.#slots) {
      const isReplaced = await this.#replace(slot)
      if (this.#isStopping) break
      if (isReplaced) continue
      log.warn({ process: slot.number }, 'the new process did not start: the others are not replaced')
      break
    }
    this.#isReplacing = false
  }

  /** Replaces the process of a slot. @returns whether a new process serves */
  async #replace(slot: Slot): Promise<boolean> {
    const old = slot.worker
    // The process has ended, and its restart will bring a new one anyway.
    if (old === null) return true
    const fresh = this.#fork(slot, false)
    const serves = await this.#servesInTime(slot, fresh)
    if (!serves || this.#isStopping) return serves
    // The old process may have ended and been restarted meanwhile.
    const previous = slot.worker
    slot.worker = fresh
    slot.startedAtMs = performance.now()
    if (slot.timer !== null) clearTimeout(slot.timer)
    this.#tellPeers()
    if (previous === null || previous.isDead()) return true
    this.#replaced.add(previous)
    tell(previous, { kind: 'hand-over' })
    const late = setTimeout(() => previous.process.kill('SIGKILL'), this.#options.endWithinMs)
    await once(previous, 'exit')
    clearTimeout(late)
    return true
  }

  /** Waits until a new process serves, and kills it if it does not in time. @returns whether it serves */
  async #servesInTime(slot: Slot, fresh: Worker): Promise<boolean> {
    const { log, startWithinMs } = this.#options
    const late = setTimeout(() => {
      const details = { process: slot.number, pid: fresh.process.pid, afterMs: startWithinMs }
      log.warn(details, 'the new process has not come to serve, and is killed')
      fresh.process.kill('SIGKILL')
    }, startWithinMs)
    const serves = await whenServing(fresh)
    clearTimeout(late)
    return serves
  }

  #start(slot: Slot, isFirst = false): Worker {
    slot.timer = null
    slot.startedAtMs = performance.now()
    slot.worker = this.#fork(slot, isFirst)
    return slot.worker
  }

  #fork(slot: Slot, isFirst: boolean): Worker {
    const worker = cluster.fork({
      [NUMBER_VARIABLE]: String(slot.number),
      [COUNT_VARIABLE]: String(this.#slots.length),
      [FIRST_VARIABLE]: String(isFirst),
      [SOCKETS_VARIABLE]: this.#folder,
    })
    this.#running.add(worker)
    worker.on('message', (message: FromProcess) => this.#receive(slot, worker, message))
    worker.on('exit', (code, signal) => this.#onExit(slot, worker, code, signal))
    worker.on('error', (error) => this.#options.log.warn({ err: error, process: slot.number }, 'a process failed'))
    return worker
  }

  #receive(slot: Slot, worker: Worker, message: FromProcess): void {
    if (message.kind === 'scrape') void this.#answerScrape(worker, message.call)
    else if (message.kind === 'metrics') this.#noteMetrics(worker, message.call, message.text)
    else {
      if (message.socket !== null) this.#sockets.set(worker, message.socket)
      this.#serving.add(worker)
      this.#tellPeers()
      this.#options.log.info({ process: slot.number, pid: worker.process.pid }, 'a process serves')
    }
  }

  #onExit(slot: Slot, worker: Worker, code: number | null, signal: string | null): void {
    this.#running.delete(worker)
    const socket = this.#sockets.get(worker)
    // A process that was killed leaves its socket behind.
    if (socket !== undefined) rmSync(socket, { force: true })
    this.#waitNoLongerFor(worker)
    const isOwn = slot.worker === worker
    if (isOwn) slot.worker = null
    if (this.#isStopping) {
      // A process that did not serve yet ends by the signal itself.
      if (code !== 0 && signal !== this.#stopSignal && this.#exitCode === 0) this.#exitCode = 1
      return this.#endIfEmpty()
    }
    // A predecessor ends as it should, and `replaceAll` reports a new process that fails.
    if (this.#replaced.delete(worker) || !isOwn) return
    this.#tellPeers()
    if (!this.#serving.has(worker) && !this.#slots.some((each) => this.#serverOf(each) !== null))
      return this.kill(code ?? 1)
    const waitMs = slot.pauses.afterEnd(performance.now() - slot.startedAtMs)
    slot.restarts++
    const details = { process: slot.number, pid: worker.process.pid, code, signal, restartAfterMs: waitMs }
    this.#options.log.warn(details, 'a process ended and is started again')
    slot.timer = setTimeout(() => this.#start(slot), waitMs)
  }

  /** Sends every process, also one that is about to end, the sockets of those that serve. */
  #tellPeers(): void {
    const peers = this.#slots.flatMap((slot) => {
      const server = this.#serverOf(slot)
      const socket = server === null ? undefined : this.#sockets.get(server)
      return socket === undefined ? [] : [[slot.number, socket] as const]
    })
    for (const worker of this.#running) tell(worker, { kind: 'peers', peers })
  }

  /** Returns the process of a slot if it serves. */
  #serverOf({ worker }: Slot): Worker | null {
    return worker !== null && this.#serving.has(worker) ? worker : null
  }

  #endIfEmpty(): void {
    if ([...this.#running].every((worker) => worker.isDead())) this.#ended.resolve(this.#exitCode)
  }

  /** Sends a process the metrics of all. */
  async #answerScrape(worker: Worker, call: number): Promise<void> {
    tell(worker, { kind: 'scraped', call, text: await this.#metrics() })
  }

  /** Returns a function that scrapes. Processes share a scrape, since clients may ask for metrics without end. */
  #sharedScrapes(everyMs: number): () => Promise<string> {
    let running: Promise<string> | null = null
    const last = atMostEvery(everyMs, () => this.#scrapeAll())
    return () => (running ??= last().finally(() => (running = null)))
  }

  /** Returns the metrics of all processes, each with its number, and those of the supervisor. */
  async #scrapeAll(): Promise<string> {
    const waitsFor = new Map<Worker, Slot>()
    for (const slot of this.#slots) {
      const server = this.#serverOf(slot)
      if (server !== null) waitsFor.set(server, slot)
    }
    const servers = [...waitsFor.keys()]
    const texts: string[] = []
    const call = ++this.#lastScrape
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, METRICS_WITHIN_MS)
      const end = (): void => {
        clearTimeout(late)
        resolve()
      }
      this.#scrape = { call, waitsFor, texts, end }
      for (const worker of servers) tell(worker, { kind: 'tell-metrics', call })
      if (servers.length === 0) end()
    })
    this.#scrape = null
    const responders = new Set(this.#slots.filter(({ worker }) => worker !== null && servers.includes(worker)))
    for (const slot of waitsFor.values()) responders.delete(slot)
    texts.push(await this.#ownMetrics(responders))
    return mergedMetrics(texts)
  }

  #noteMetrics(worker: Worker, call: number, text: string): void {
    // The answer belongs to an earlier scrape, which has ended without it.
    if (this.#scrape?.call !== call) return
    this.#scrape.texts.push(text)
    this.#waitNoLongerFor(worker)
  }

  #waitNoLongerFor(worker: Worker): void {
    if (this.#scrape === null) return
    this.#scrape.waitsFor.delete(worker)
    if (this.#scrape.waitsFor.size === 0) this.#scrape.end()
  }

  /** Returns the supervisor's own metrics. @param responders processes that have sent their metrics */
  async #ownMetrics(responders: ReadonlySet<Slot>): Promise<string> {
    const registry = new Registry()
    const common = { labelNames: ['process'] as const, registers: [registry] }
    const down = new Gauge({
      name: 'service_process_down',
      help: 'Whether a process of the service has ended, or does not answer',
      ...common,
    })
    const restarts = new Counter({
      name: 'service_process_restarts_total',
      help: 'How often a process of the service ended by itself and was started again',
      ...common,
    })
    for (const slot of this.#slots) {
      down.set({ process: slot.number }, responders.has(slot) ? 0 : 1)
      restarts.inc({ process: slot.number }, slot.restarts)
    }
    return registry.metrics()
  }
}

/** Resolves to true when the process serves, or to false when it has ended before. */
function whenServing(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    const onMessage = ({ kind }: FromProcess): void => {
      if (kind === 'serving') end(true)
    }
    const onExit = (): void => end(false)
    const end = (serves: boolean): void => {
      worker.off('message', onMessage)
      worker.off('exit', onExit)
      resolve(serves)
    }
    worker.on('message', onMessage)
    worker.on('exit', onExit)
  })
}

/** Sends a message, unless the process has ended meanwhile. */
function tell(worker: Worker, message: ToProcess): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
