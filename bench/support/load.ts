import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Distribution } from './distribution.ts'
import { endProcess, endWithUs } from './service-process.ts'

type Headers = Readonly<Record<string, string>>

/** Load of connections that each send the next request when the last was answered. */
export interface ClosedJob {
  readonly kind: 'closed'
  readonly url: string
  readonly path: string
  readonly headers: Headers
  /** Headers that are sent in turns with the bodies; they replace `headers`. */
  readonly headersInTurns?: readonly Headers[]
  /** Bodies that are posted to the path in turns. */
  readonly bodies: readonly string[]
  /** Paths that are read in turns; they replace the bodies. */
  readonly paths?: readonly string[]
  /** Status of a good answer; 200 by default. */
  readonly status?: number
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  /** Number of requests after which the job ends early. */
  readonly countMax: number
}

/** Load of requests at fixed times until the job is stopped. */
export interface PacedJob {
  readonly kind: 'paced'
  readonly url: string
  readonly paths: readonly string[]
  readonly headers: Headers
  readonly connections: number
  readonly everyMs: number
}

export type ToLoad =
  | ClosedJob
  | PacedJob
  | { readonly kind: 'phase'; readonly name: string }
  | { readonly kind: 'stop' }

export interface ClosedFigures {
  readonly seconds: number
  readonly failures: number
  readonly latencies: Distribution
}

export interface PacedFigures {
  readonly failures: number
  readonly phases: readonly (Distribution & { readonly name: string })[]
  readonly all: Distribution
}

export type FromLoad =
  | { readonly kind: 'began' }
  | ({ readonly kind: 'ended' } & ClosedFigures)
  | { readonly kind: 'idle' }
  | ({ readonly kind: 'paced' } & PacedFigures)

/** Runs the load generator in a process of its own. */
export class LoadProcess {
  readonly #child: ChildProcess
  /** Messages that arrived before this process waited for them. */
  readonly #inbox: FromLoad[] = []
  readonly #ended = new AbortController()

  constructor() {
    this.#child = fork(fileURLToPath(new URL('../search-load.ts', import.meta.url)))
    endWithUs(this.#child)
    this.#child.on('message', (message: FromLoad) => this.#inbox.push(message))
    this.#child.on('exit', () => this.#ended.abort(new Error('The load generator ended')))
  }

  /**
   * Runs a job.
   * @param at called at the start and the end of the measured time, to read figures of the server
   */
  async runClosed(job: ClosedJob, at: (moment: 'began' | 'ended') => void): Promise<ClosedFigures> {
    this.#send(job)
    await this.#next('began')
    at('began')
    const figures = await this.#next('ended')
    at('ended')
    await this.#next('idle')
    return figures
  }

  startPaced(job: PacedJob): void {
    this.#send(job)
  }

  /** Counts requests from now on under a name. */
  phase(name: string): void {
    this.#send({ kind: 'phase', name })
  }

  stopPaced(): Promise<PacedFigures> {
    this.#send({ kind: 'stop' })
    return this.#next('paced')
  }

  close(): Promise<void> {
    return endProcess(this.#child)
  }

  #send(message: ToLoad): void {
    this.#child.send(message)
  }

  async #next<K extends FromLoad['kind']>(kind: K): Promise<Extract<FromLoad, { kind: K }>> {
    while (this.#inbox.length === 0) await once(this.#child, 'message', { signal: this.#ended.signal })
    const message = this.#inbox.shift()!
    if (message.kind !== kind) throw new Error(`The load generator sent "${message.kind}" instead of "${kind}"`)
    return message as Extract<FromLoad, { kind: K }>
  }
}
