import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endProcess, endWithUs } from './service-process.ts'

/** A process that runs a module. It and its parent send each other messages. */
export class Child<To extends object, From> {
  readonly #child: ChildProcess
  readonly #inbox: From[] = []
  readonly #ended = new AbortController()

  /**
   * Starts the process.
   * @param niceness how much the process gives way to others, see nice(2)
   */
  constructor(module: URL, niceness = 0) {
    this.#child = fork(fileURLToPath(module))
    if (niceness > 0) setPriority(this.#child.pid!, niceness)
    endWithUs(this.#child)
    this.#child.on('message', (message) => this.#inbox.push(message as From))
    this.#child.on('exit', () => this.#ended.abort(new Error(`${basename(module.pathname)} ended`)))
  }

  send(message: To): void {
    this.#child.send(message)
  }

  /**
   * Waits for the next message.
   * @returns the next message
   * @throws Error when the process has ended
   */
  async next(): Promise<From> {
    while (this.#inbox.length === 0) await once(this.#child, 'message', { signal: this.#ended.signal })
    return this.#inbox.shift()!
  }

  close(): Promise<void> {
    return endProcess(this.#child)
  }
}
