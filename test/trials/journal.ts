import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Records what clients were told, in a file outside the service. An acknowledgement is on disk before the client goes
 * on, so that the file can be read beside the database when a trial fails.
 */
export class Journal {
  readonly path: string
  readonly #file: number

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true })
    appendFileSync(path, '')
    this.path = path
    this.#file = openSync(path, 'a')
  }

  /** Notes the request of a client, or an action on the service. */
  note(event: object): void {
    writeSync(this.#file, `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`)
  }

  /** Notes the answer to a client. */
  acknowledge(event: object): void {
    this.note(event)
    fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}
