import type { FaultDetail } from '../../api/client.ts'
import type { RecordFault } from './feed-shared.js'
import type { ReadFault, ReadItem } from './read-files.ts'

/** As many lines and characters as the service stores in one transaction. */
const BATCH = { lines: 100, characters: 1_024 * 1_024 }

/** Why a product of a feed cannot be read. */
type ProductFault = Exclude<RecordFault, 'tooLarge'> | 'productTooLarge'

export type Counted = 'created' | 'updated' | 'unchanged' | 'restored' | 'failed'

/** What could not be imported, and why: found here, or by the service. */
export interface ImportFault {
  readonly file: string
  readonly line: number | null
  readonly raw: string | null
  readonly reason: ReadFault | ProductFault | null
  readonly details: readonly FaultDetail[]
}

export interface Report {
  readonly counts: Readonly<Record<Counted, number>>
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
 * Sends what is read, a batch at a time. A run that was stopped, or whose sending failed, goes on where it was: the
 * batch in hand is sent once more, which stores nothing twice, because every entry has a reference.
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

  /** @returns whether everything was sent; false when the signal stopped it @throws what sending throws */
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
      const counted = status in counts ? (status as Counted) : 'created'
      counts[counted] += 1
      const { file, line, raw, fault: reason } = item
      if (counted === 'failed') faults.push({ file, line, raw, reason, details: detail })
    }
    this.report = { counts, faults: [...this.report.faults, ...faults], bytes }
    this.#onReport(this.report)
  }
}
