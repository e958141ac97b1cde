import assert from 'node:assert/strict'
import { ndjsonLines } from '../../src/platform/lines/ndjson.ts'
import { ADMIN_KEY, type ServiceProcess } from './service-process.ts'

const LINE_BYTES_MAX = 100_000

type Sync = 'full' | 'delta'

interface PushResult {
  readonly status: string
  readonly external_id?: string
  readonly retired?: number
}

/** Returns a product as a round pushes it: title, description, brand and price all depend on the round. */
export function productOf(externalId: string, round: number): Record<string, unknown> {
  return {
    external_id: externalId,
    title: `Okapi ${externalId} of round ${round}`,
    description: `What round ${round} says of ${externalId}, at some length, so that it has a meaning as well.`,
    brand: `Round ${round}`,
    price_current: `${round}.90`,
    language: 'en',
    sync_hash: `${round}`,
  }
}

/** One push of products in one stream. */
export class ProductPush {
  readonly round: number
  /** Ids of lines that were answered as stored. */
  readonly acknowledged = new Set<string>()
  /** Number of products that a full sync retired; null when it did not say. */
  retired: number | null = null
  readonly #done: Promise<void>
  #waiting: { count: number; resolve: () => void }[] = []

  /**
   * Begins the push.
   * @param isOpen whether the stream stays open after the last line until the service ends it
   */
  constructor(service: ServiceProcess, externalIds: readonly string[], round: number, sync: Sync, isOpen = false) {
    this.round = round
    this.#done = this.#run(service, externalIds, sync, isOpen).finally(() => this.#wake(Infinity))
  }

  /** Resolves after that many answered lines, or when no more will come. */
  answered(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ count, resolve })
    this.#wake(this.acknowledged.size)
    return promise
  }

  /** Resolves when the stream has ended, regularly or not. */
  ended(): Promise<void> {
    return this.#done
  }

  #wake(count: number): void {
    this.#waiting = this.#waiting.filter((each) => {
      if (each.count > count) return true
      each.resolve()
      return false
    })
  }

  async #run(service: ServiceProcess, externalIds: readonly string[], sync: Sync, isOpen: boolean): Promise<void> {
    const lines = externalIds.map((id) => `${JSON.stringify(productOf(id, this.round))}\n`).join('')
    const body = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(lines)
        if (!isOpen) controller.close()
      },
    })
    try {
      const response = await fetch(`${service.url}/api/knowledge/products/bulk?site_id=default&sync=${sync}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/x-ndjson' },
        body: body.pipeThrough(new TextEncoderStream()),
        duplex: 'half',
      })
      assert.equal(response.status, 200)
      for await (const { value } of ndjsonLines(response.body!, LINE_BYTES_MAX)) {
        const { status, external_id: id, retired } = value as PushResult
        if (status === 'finished') this.retired = retired!
        else {
          assert.ok(['created', 'updated', 'unchanged'].includes(status), JSON.stringify(value))
          this.acknowledged.add(id!)
        }
        this.#wake(this.acknowledged.size)
      }
    } catch (error) {
      // These tests break connections on purpose.
      if (error instanceof assert.AssertionError) throw error
    }
  }
}
