import { createHash } from 'node:crypto'
import type { Caller } from '../../../platform/access/caller.ts'
import type { LineTally } from '../../../platform/http/lines/line-tally.ts'
import { textFaults } from '../../../platform/contract/text-faults.ts'
import { BATCH } from '../../../shop/products/bulk/bulk-push.ts'
import { checkProduct } from '../../../shop/products/check-product.ts'
import type { ProductWrite } from '../../../shop/products/contract.ts'
import type { FullSync } from '../../../shop/products/bulk/full-sync.ts'
import type { ProductRules, PushPlace } from '../../../shop/products/rules.ts'
import type { ProductOutcome } from '../../../shop/products/write.ts'
import { type ImportReport, sayFaults } from '../import/report.ts'
import type { FeedRecord } from './feed.ts'
import { recordOf, type RecordRules } from './record.ts'

interface Options {
  readonly sync: FullSync | null
  /** Of the feed; what fails is added. */
  readonly tally: LineTally
  /** Only says what would be done. */
  readonly dryRun: boolean
  readonly report: ImportReport
  readonly map: ReadonlyMap<string, string>
}

/** Checks products and stores them, a batch at a time. */
export class ProductWriter {
  /** Products without an external_id that were stored. */
  unnamed = 0
  /** Columns that `--map` names and no record has had so far. */
  readonly missing: Set<string>
  readonly #rules: ProductRules
  readonly #caller: Caller
  readonly #place: PushPlace
  readonly #sync: FullSync | null
  readonly #tally: LineTally
  readonly #dryRun: boolean
  readonly #report: ImportReport
  #batch: { name: string; product: ProductWrite }[] = []
  #bytes = 0
  #refused: string[] = []

  constructor(rules: ProductRules, caller: Caller, place: PushPlace, { sync, tally, dryRun, report, map }: Options) {
    this.missing = new Set(map.keys())
    this.#rules = rules
    this.#caller = caller
    this.#place = place
    this.#sync = sync
    this.#tally = tally
    this.#dryRun = dryRun
    this.#report = report
  }

  async take(read: FeedRecord, rules: RecordRules): Promise<void> {
    if ('fault' in read) return this.#refuse(read.name, {}, read.fault)
    for (const column of this.missing) if (Object.hasOwn(read.record, column)) this.missing.delete(column)
    const product = recordOf(read.record, rules)
    // A line that says nothing of its state is known by its text, so that it is skipped the next time.
    product.sync_hash ??= createHash('sha256').update(JSON.stringify(product)).digest('hex')
    const unsound = textFaults(product, ['body'])
    const faults = unsound.length > 0 ? unsound : checkProduct(product)?.details
    if (faults !== undefined) this.#refuse(read.name, product, sayFaults(faults))
    else this.#batch.push({ name: read.name, product: product as ProductWrite })
    this.#bytes += read.bytes
    if (this.#batch.length >= BATCH.lines || this.#bytes >= BATCH.bytes) await this.flush()
  }

  async flush(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    const products = batch.map(({ product }) => product)
    const outcomes: ProductOutcome[] = []
    while (outcomes.length < products.length) {
      const left = products.slice(outcomes.length)
      const take = this.#dryRun ? 'preview' : 'bulk'
      outcomes.push(...(await this.#rules[take](this.#caller, this.#place, left)))
    }
    for (const [i, outcome] of outcomes.entries()) {
      const { name, product } = batch[i]
      if (outcome.status === 'failed') this.#refuse(name, product, sayFaults(outcome.fault.details))
      else {
        this.#report.counts[outcome.status]++
        if ((product.external_id ?? null) === null) this.unnamed++
      }
    }
    const stored = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [] : outcome.id))
    if (stored.length > 0) this.#sync?.named(stored)
    await this.#sync?.keep(this.#refused)
    this.#refused = []
  }

  #refuse(name: string, product: Readonly<Record<string, unknown>>, reason: string): void {
    this.#report.fail(name, reason)
    this.#tally.failed++
    const { external_id: id } = product
    if (typeof id === 'string' && textFaults(id, []).length === 0) this.#refused.push(id)
    else this.#sync?.missed(name)
  }
}
