import type { FaultDetail } from '../../api/client.ts'
import type { RecordFault } from './feed-shared.js'
import type { ReadFault, ReadItem } from './read-item.ts'

/** Most lines and characters that the service stores in one transaction. */
const BATCH = { lines: 100, characters: 1_024 * 1_024 }

/** Reasons why a product of a feed cannot be read. */
type ProductFault = Exclude<RecordFault, 'tooLarge'> | 'productTooLarge'

export type Outcome = 'created' | 'updated' | 'unchanged' | 'restored' | 'failed'

/**
 * An entry or product that could not be imported, with the reason that the page found, or the details from the service.
 */
export interface ImportFault {
  readonly file: string
  readonly line: number | null
  readonly raw: string | null
  readonly reason: ReadFault | ProductFault | null
  readonly details: readonly FaultDetail[]
}

export interface Report {
  readonly counts: Readonly<Record<Outcome, number>>
  readonly faults: readonly ImportFault[]
  readonly bytes: number
}

export interface LineResult {
  readonly status: string
  readonly detail?: readonly FaultDetail[]
}

export const NO_REPORT: Report = {
  counts: { created: 0, updated: 0, unchanged: 0, restored: 0, failed: 0 },
  faults: [],
  bytes: 0,
}

/**
 * Sends the entries that are read, a batch at a time. A run that was stopped, or whose sending failed, goes on where it
 * was: the unfinished batch is sent once more, which stores nothing twice, because every entry has a reference.
 */
export class ImportRun {
  report = NO_REPORT
  readonly #items: AsyncGenerator<ReadItem>
  readonly #send: (lines: readonly string[], signal: AbortSignal) => Promise<readonly LineResult[]>
  readonly #onReport: (report: Report) => void
  #batch: ReadItem[] = []
  #isRead = false

  constructor(
    items: AsyncGenerator<ReadItem>,
    send: (lines: readonly string[], signal: AbortSignal) => Promise<readonly LineResult[]>,
    onReport: (report: Report) => void,
  ) {
    this.#items = items
    this.#send = send
    this.#onReport = onReport
  }

  /**
   * Sends the remaining batches.
   * @returns true when all were sent; false when the signal stopped it
   * @throws whatever sending throws
   */
  async go(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      await this.#fill(signal)
      if (signal.aborted) return false
      if (this.#batch.length === 0) return true
      const sent = this.#batch.filter(({ entry }) => entry !== null)
      const lines = sent.map(({ entry }) => JSON.stringify(entry))
      const results = lines.length === 0 ? [] : await this.#send(lines, signal)
      this.#tell(new Map(sent.map((item, i) => [item, results[i]])))
      this.#batch = []
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    let characters = 0
    while (!this.#isRead && !signal.aborted && this.#batch.length < BATCH.lines && characters < BATCH.characters) {
      const { done, value } = await this.#items.next()
      if (done === true) this.#isRead = true
      else {
        this.#batch.push(value)
        characters += value.bytes
      }
    }
  }

  #tell(results: ReadonlyMap<ReadItem, LineResult | undefined>): void {
    const counts = { ...this.report.counts }
    const faults: ImportFault[] = []
    let { bytes } = this.report
    for (const item of this.#batch) {
      bytes += item.bytes
      const { status = 'failed', detail = [] } = results.get(item) ?? {}
      const outcome = status in counts ? (status as Outcome) : 'created'
      counts[outcome] += 1
      const { file, line, raw, fault: reason } = item
      if (outcome === 'failed') faults.push({ file, line, raw, reason, details: detail })
    }
    this.report = { counts, faults: [...this.report.faults, ...faults], bytes }
    this.#onReport(this.report)
  }
}
