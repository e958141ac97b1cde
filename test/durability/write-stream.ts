import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ndjsonLines } from '../../src/platform/lines/ndjson.ts'
import type { Ledger } from './ledger.ts'
import { ADMIN_KEY, type ServiceProcess } from './service-process.ts'

export const ENTRIES = '/api/knowledge/knowledge-entries'
const PARALLEL = 6
/** More lines than one transaction stores. */
const BULK_LINES = 110
/** Single writes between two bulk requests. */
const BULK_PAUSE = 30
const LINE_BYTES_MAX = 100_000

interface BulkResult {
  readonly line: number
  readonly status: string
  readonly id: string
  readonly detail?: readonly { readonly type: string }[]
}

/** Sends all kinds of writes to one process and records them in a ledger, until the process ends or refuses them. */
export class WriteStream {
  readonly #service: ServiceProcess
  readonly #ledger: Ledger
  readonly #category: string
  /** Tag of every entry that this stream writes. */
  readonly tag: string
  #stopped = false
  readonly #running: Promise<unknown>
  #answers = 0
  #waiting: { count: number; resolve: () => void }[] = []

  constructor(service: ServiceProcess, ledger: Ledger, category: string, tag: string) {
    this.#service = service
    this.#ledger = ledger
    this.#category = category
    this.tag = tag
    const writers = Array.from({ length: PARALLEL }, (_, i) => this.#until(() => this.#single(i)))
    this.#running = Promise.all([...writers, this.#bulks()])
  }

  /** Resolves after `count` answered writes, or when no more will come. */
  answered(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ count, resolve })
    this.#count(0)
    return promise
  }

  /** Ends the stream. A write without an answer is recorded as such. */
  async end(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  /** Repeats a write until stopped or unanswered. */
  async #until(write: () => Promise<boolean>): Promise<void> {
    while (!this.#stopped && (await write())) this.#count(1)
    this.#count(Infinity)
  }

  /** Sends bulk requests, rarely, so that ten rounds do not store more than can be checked ten times. */
  async #bulks(): Promise<void> {
    await this.#until(async () => {
      const isWhole = await this.#bulk()
      await this.answered(this.#answers + BULK_PAUSE)
      return isWhole
    })
  }

  #count(more: number): void {
    this.#answers += more
    for (const { count, resolve } of this.#waiting) if (count <= this.#answers) resolve()
  }

  async #single(writer: number): Promise<boolean> {
    const target = this.#ledger.random() < 0.5 ? this.#ledger.take() : null
    if (target === null) return this.#create(writer % 3 === 0 ? `${ENTRIES}/personal` : ENTRIES)
    return this.#ledger.random() < 0.3 ? this.#remove(target) : this.#update(target)
  }

  async #create(path: string): Promise<boolean> {
    const entry = this.#entry()
    const answer = await this.#answer('POST', path, entry)
    if (answer !== null) assert.equal(answer.status, 201, JSON.stringify(answer.body))
    this.#ledger.created(entry.title, answer === null ? null : answer.body.id)
    return answer !== null
  }

  async #update({ id, version }: { id: string; version: number }): Promise<boolean> {
    const { title, content, tags } = this.#entry()
    const answer = await this.#answer('PATCH', `${ENTRIES}/${id}`, { title, content, tags })
    if (answer !== null) assert.equal(answer.status, 200, JSON.stringify(answer.body))
    this.#ledger.changed(id, { title, version: version + 1 }, answer !== null)
    return answer !== null
  }

  async #remove({ id }: { id: string }): Promise<boolean> {
    const answer = await this.#answer('DELETE', `${ENTRIES}/${id}`)
    if (answer !== null) assert.equal(answer.status, 204, JSON.stringify(answer.body))
    this.#ledger.changed(id, null, answer !== null)
    return answer !== null
  }

  /** Reads results as they arrive; each line is acknowledged on its own. */
  async #bulk(): Promise<boolean> {
    const titles = Array.from({ length: BULK_LINES }, () => this.#entry())
    const booked = new Set<number>()
    try {
      const response = await fetch(`${this.#service.url}${ENTRIES}/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/x-ndjson' },
        body: titles.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      })
      if (response.status === 503) return false
      assert.equal(response.status, 200)
      for await (const { value } of ndjsonLines(response.body!, LINE_BYTES_MAX)) {
        const { line, status, id, detail } = value as BulkResult
        // The database did not acknowledge the batch, but may have stored it.
        if (status === 'failed' && detail![0].type === 'unavailable') continue
        assert.equal(status, 'created', JSON.stringify(detail))
        this.#ledger.created(titles[line - 1].title, id)
        booked.add(line - 1)
      }
      return booked.size === BULK_LINES
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return false
    } finally {
      for (const [i, { title }] of titles.entries()) if (!booked.has(i)) this.#ledger.created(title, null)
    }
  }

  /** Returns the answer; null when the connection broke or the service is unavailable. */
  async #answer(method: string, path: string, body?: object) {
    const answer = await this.#service.call(method, path, { body }).catch(() => null)
    return answer?.status === 503 ? null : answer
  }

  #entry() {
    const title = `Ledger ${randomUUID()}`
    const content = `What the ledger says of ${title}, at some length, so that it has a meaning as well.`
    return { title, content, tags: [this.tag], category_id: this.#category, language: 'en' }
  }
}
