import { createHash } from 'node:crypto'
import { isSoundText } from '../../../platform/contract/text-faults.ts'
import type { PushedBatch } from '../../../platform/lines/push-batches.ts'
import type { ProductLine } from '../../../shop/products/bulk/push-rules.ts'
import { checkPatch, checkProduct } from '../../../shop/products/check-product.ts'
import type { ProductWrite } from '../../../shop/products/contract.ts'
import type { ProductInput } from '../../../shop/products/input.ts'
import type { ProductPatchLine } from '../../../shop/products/patch-contract.ts'
import type { ProductOutcome } from '../../../shop/products/write.ts'
import { type FeedRecord, UnusableFeed } from '../../import/feeds/feed-record.ts'
import { recordOf, type RecordRules } from '../../import/feeds/record.ts'
import { patchOf } from '../../import/feeds/update.ts'
import { sayFaults } from '../../import/say-faults.ts'
import { faultsOf, type ImportReport } from '../import/report.ts'
import type { Progress } from '../progress.ts'
import type { Feed } from './feed.ts'

/** Characters of an unreadable price that the report shows. */
const SHOWN_PRICE_MAX = 40

/** Most fields and properties of which the losses are counted: a feed may name properties without end. */
const COUNTED_FIELDS_MAX = 1_000

/** Fields that an update changes, by the names that `--update` has for them. */
export type UpdatedFields = ReadonlyMap<string, readonly string[]>

/** A record that could be read. */
type ReadRecord = Extract<FeedRecord, { readonly record: unknown }>

interface Import {
  /** Fields to change in products that exist; null for an import of whole products. */
  readonly update: UpdatedFields | null
  readonly report: ImportReport
  readonly progress: Progress
  readonly stop: AbortSignal
}

/** Turns the records of a feed into lines of a push, and reports the results. */
export class FeedLines {
  /** Number of stored products without an external_id. */
  unnamed = 0
  /** Why the rest of the feed could not be read; null when the feed is complete. */
  cut: string | null = null
  /** The number of prices that cannot be read, and the first one. */
  readonly unreadPrices = { count: 0, first: '' }
  /** The number of products with a price, by their currency; null counts those without one. */
  readonly currencies = new Map<string | null, number>()
  /** The number of products in which a field had a value and is empty now, by the field. */
  readonly emptied = new Map<string, number>()
  /** Whether products lost more than `emptied` counts. */
  isEmptiedCut = false
  /** Number of records of an update whose product the site does not have. */
  absent = 0
  /** Columns that `--map` names and no record so far has. */
  readonly missing: Set<string>
  /** Names of `--update` for which no record so far has a column. */
  readonly missingUpdates: Set<string>
  /** Products without a currency, which the check sets to the default. */
  readonly #unnamedCurrency = new WeakSet<object>()
  readonly #feed: Feed
  readonly #rules: RecordRules
  readonly #report: ImportReport
  readonly #progress: Progress
  readonly #stop: AbortSignal
  readonly #update: UpdatedFields | null
  readonly #updatedFields: ReadonlySet<string>

  constructor(feed: Feed, rules: RecordRules, { update, report, progress, stop }: Import) {
    this.missing = new Set(rules.map?.keys())
    this.missingUpdates = new Set(update?.keys())
    this.#update = update
    this.#updatedFields = new Set([...(update?.values() ?? [])].flat())
    this.#feed = feed
    this.#rules = { ...rules, onUnreadPrice: (text) => this.#noteUnreadPrice(text) }
    this.#report = report
    this.#progress = progress
    this.#stop = stop
  }

  /**
   * Reads the products of the feed, and reports at once records that are not products. An incomplete feed sets `cut`
   * after its last product.
   * @throws the reason of `stop` when it was aborted; the next import then stores the products of the open batch
   */
  async *read(): AsyncGenerator<ProductLine> {
    const { records, tally } = this.#feed
    try {
      for await (const record of records) {
        yield this.#lineOf(record)
        this.#progress.update(this.#report.done, this.#feed.fraction())
        this.#stop.throwIfAborted()
        if (tally.isOver) return
      }
    } catch (error) {
      if (this.#stop.aborted || !(error instanceof UnusableFeed)) throw error
      this.cut = error.message
    }
  }

  /** Reports the results of a batch. */
  tell({ lines, outcomes }: PushedBatch<ProductLine, ProductOutcome>): void {
    for (const [i, { line, input }] of lines.entries()) {
      const outcome = outcomes[i]
      // Null stands for a line that was refused before the push, and reported then.
      if (outcome === null) continue
      if (outcome.status === 'failed') {
        if (outcome.fault.kind === 'not_found') this.absent++
        this.#fail(line, sayFaults(outcome.fault.details), input?.fields.external_id)
      } else {
        for (const field of outcome.cleared ?? []) this.#countEmptied(field)
        this.#report.counts[outcome.status]++
        if ((input?.fields.external_id ?? null) === null) this.unnamed++
        if (input?.kind === 'whole') this.#countCurrency(input.fields)
      }
    }
  }

  #lineOf(feedRecord: FeedRecord): ProductLine {
    const { line, bytes } = feedRecord
    if ('fault' in feedRecord) {
      this.#fail(line, feedRecord.fault)
      return { line, bytes, externalId: undefined }
    }
    for (const column of this.missing) if (Object.hasOwn(feedRecord.record, column)) this.missing.delete(column)
    const input = this.#update === null ? this.#productOf(feedRecord) : this.#patchOf(feedRecord, this.#update)
    const check = input.kind === 'whole' ? checkProduct : checkPatch
    const faults = faultsOf(input.fields, (value) => check(value)?.details ?? null)
    if (faults === null) return { line, bytes, input }
    this.#fail(line, sayFaults(faults))
    // Of any shape, as long as no check has passed it.
    const id: unknown = input.fields.external_id
    return { line, bytes, externalId: typeof id === 'string' && isSoundText(id) ? id : undefined, faults }
  }

  /** Returns the product of a record, unchecked. */
  #productOf({ record }: ReadRecord): ProductInput {
    const product = recordOf(record, this.#rules)
    // Without a hash of its own, a line gets the hash of its text, so that the next import skips it if unchanged.
    product.sync_hash ??= createHash('sha256').update(JSON.stringify(product)).digest('hex')
    if (product.currency === undefined) this.#unnamedCurrency.add(product)
    return { kind: 'whole', fields: product as ProductWrite }
  }

  /** Returns the patch of a record, unchecked. */
  #patchOf({ record }: ReadRecord, update: UpdatedFields): ProductInput {
    const patch = patchOf(record, this.#updatedFields, this.#rules)
    for (const name of this.missingUpdates)
      if (update.get(name)!.some((field) => field in patch)) this.missingUpdates.delete(name)
    return { kind: 'patch', fields: patch as ProductPatchLine }
  }

  #countCurrency(product: ProductWrite): void {
    const { price_current, price_msrp, price_special } = product
    if ((price_current ?? price_msrp ?? price_special ?? null) === null) return
    const currency = this.#unnamedCurrency.has(product) ? null : (product.currency ?? null)
    this.currencies.set(currency, (this.currencies.get(currency) ?? 0) + 1)
  }

  #countEmptied(field: string): void {
    const count = this.emptied.get(field) ?? 0
    if (count > 0 || this.emptied.size < COUNTED_FIELDS_MAX) this.emptied.set(field, count + 1)
    else this.isEmptiedCut = true
  }

  #noteUnreadPrice(text: string): void {
    if (this.unreadPrices.count++ === 0) this.unreadPrices.first = text.slice(0, SHOWN_PRICE_MAX)
  }

  #fail(line: number, reason: string, externalId: string | null = null): void {
    const { tally } = this.#feed
    const name = externalId === null ? '' : ` (${externalId})`
    this.#report.fail(`${tally.unit} ${line}${name}`, reason)
    tally.failed++
  }
}
