import { createHash } from 'node:crypto'
import { isSoundText } from '../../../platform/contract/text-faults.ts'
import type { PushedBatch } from '../../../platform/lines/push-batches.ts'
import type { ProductLine } from '../../../shop/products/bulk/push-rules.ts'
import { checkProduct } from '../../../shop/products/check-product.ts'
import type { ProductWrite } from '../../../shop/products/contract.ts'
import type { ProductOutcome } from '../../../shop/products/write.ts'
import { CommandFailed } from '../failure.ts'
import { faultsOf, type ImportReport, sayFaults } from '../import/report.ts'
import type { Progress } from '../progress.ts'
import type { Feed, FeedRecord } from './feed.ts'
import { recordOf, type RecordRules } from './record.ts'

interface Import {
  readonly report: ImportReport
  readonly progress: Progress
  readonly stop: AbortSignal
}

/** The records of a feed as lines of a push, and the report of what becomes of them. */
export class FeedLines {
  /** Products without an external_id that were stored. */
  unnamed = 0
  /** Why the rest of the feed could not be read; null when all of it could. */
  cut: string | null = null
  /** Columns that `--map` names and no record has had so far. */
  readonly missing: Set<string>
  readonly #feed: Feed
  readonly #rules: RecordRules
  readonly #report: ImportReport
  readonly #progress: Progress
  readonly #stop: AbortSignal

  constructor(feed: Feed, rules: RecordRules, { report, progress, stop }: Import) {
    this.missing = new Set(rules.map?.keys())
    this.#feed = feed
    this.#rules = rules
    this.#report = report
    this.#progress = progress
    this.#stop = stop
  }

  /**
   * Reads all that can be read of the feed, and reports at once what is no product. A feed that is cut off ends, with
   * `cut` set: what came before is stored.
   * @throws what `stop` was aborted with: what is in hand then is imported the next time
   */
  async *read(): AsyncGenerator<ProductLine> {
    const { records, tally } = this.#feed
    try {
      for await (const record of records) {
        yield this.#lineOf(record)
        this.#progress.update(this.#report.done, this.#feed.fraction())
        this.#stop.throwIfAborted()
        if (tally.isHopeless) return
      }
    } catch (error) {
      if (this.#stop.aborted || !(error instanceof CommandFailed)) throw error
      this.cut = error.message
    }
  }

  /** Reports what became of the products of a batch. */
  tell({ lines, outcomes }: PushedBatch<ProductLine, ProductOutcome>): void {
    for (const [i, { line, input }] of lines.entries()) {
      const outcome = outcomes[i]
      // What was refused before is reported already.
      if (outcome === null) continue
      if (outcome.status === 'failed') this.#fail(line, sayFaults(outcome.fault.details))
      else {
        this.#report.counts[outcome.status]++
        if ((input?.external_id ?? null) === null) this.unnamed++
      }
    }
  }

  #lineOf(read: FeedRecord): ProductLine {
    const { line, bytes } = read
    if ('fault' in read) {
      this.#fail(line, read.fault)
      return { line, bytes, externalId: undefined }
    }
    for (const column of this.missing) if (Object.hasOwn(read.record, column)) this.missing.delete(column)
    const product = recordOf(read.record, this.#rules)
    // A line that says nothing of its state is known by its text, so that it is skipped the next time.
    product.sync_hash ??= createHash('sha256').update(JSON.stringify(product)).digest('hex')
    const faults = faultsOf(product, (value) => checkProduct(value)?.details ?? null)
    if (faults === null) return { line, bytes, input: product as ProductWrite }
    this.#fail(line, sayFaults(faults))
    const { external_id: id } = product
    return { line, bytes, externalId: typeof id === 'string' && isSoundText(id) ? id : undefined }
  }

  #fail(line: number, reason: string): void {
    const { tally } = this.#feed
    this.#report.fail(`${tally.unit} ${line}`, reason)
    tally.failed++
  }
}
