import type { Caller } from '../../../platform/access/caller.ts'
import type { FaultDetail } from '../../../platform/faults.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FaultOf, type PushedBatch, pushBatches } from '../../../platform/lines/push-batches.ts'
import type { ProductSource } from '../contract.ts'
import type { ProductInput } from '../input.ts'
import type { RunRecord } from '../sync-runs/run-record.ts'
import type { ProductOutcome } from '../write.ts'
import type { FullSync, SyncOutcome } from './full-sync.ts'
import type { MaxRetired } from './max-retired.ts'

/** Most lines and bytes that share a transaction, and thereby one sync of the disk. */
export const PRODUCT_BATCH = { lines: 200, bytes: 1_024 * 1_024 }

/** Line of a feed, numbered from 1, with its product, or with the external_id and faults of a refused line. */
export type ProductLine = { readonly line: number; readonly bytes: number } & (
  | { readonly input: ProductInput; readonly externalId?: undefined; readonly faults?: undefined }
  | {
      readonly input?: undefined
      /** External_id of the line; undefined when it cannot be read. */
      readonly externalId: string | undefined
      /** Faults of the line, if they are known. */
      readonly faults?: readonly FaultDetail[]
    }
)

/** Site and source of a push, and whether it writes and retires. */
export interface PushTarget {
  /** Id or slug of the site. */
  readonly site: string
  readonly source: ProductSource
  /** Whether to write nothing, and only tell the outcomes. */
  readonly dryRun: boolean
  /** Most products that a full sync may retire; null for a push that is no full sync, and retires none. */
  readonly maxRetired: MaxRetired | null
}

export interface PushOptions {
  /** Counts of lines. The reader counts all lines; the caller of `run` counts failed lines after each batch. */
  readonly tally: LineTally
  /** Returns the caller with current rights, so that a key revoked during the push writes and retires nothing more. */
  readonly renewCaller: () => Promise<Caller>
  /** Turns an error into a fault; see `takeAll`. */
  readonly faultOf?: FaultOf
}

interface Push extends PushOptions {
  /** Stores the first products, or tells the outcomes without storing. */
  readonly take: (products: readonly ProductInput[]) => Promise<ProductOutcome[]>
  readonly dryRun: boolean
  readonly sync: FullSync | null
  /** Record of the push; null for a dry run. */
  readonly record: RunRecord | null
}

/** Push of one feed to a site, over HTTP or from a file. `ProductRules.beginPush` makes it. */
export class ProductPush {
  readonly #push: Push
  /** False once storage failed, or the caller lost the right to push. */
  #isWhole = true

  constructor(push: Push) {
    this.#push = push
  }

  /**
   * Stores the products of the lines as they arrive, or only tells the outcomes. Tells the full sync which products the
   * lines name. Ends early once most lines have failed.
   */
  async *run<L extends ProductLine>(lines: AsyncIterable<L>): AsyncGenerator<PushedBatch<L, ProductOutcome>> {
    const { tally, take, faultOf, sync, record } = this.#push
    const options = { limits: PRODUCT_BATCH, tally, take, faultOf }
    let isComplete = false
    try {
      for await (const batch of pushBatches<L, ProductInput, ProductOutcome>(lines, options)) {
        if (record !== null) noteRefused(record, batch)
        if (batch.refusal !== null) this.#isWhole = false
        else if (sync !== null) await this.#unlessRefused(() => this.#tell(sync, batch))
        yield batch
      }
      isComplete = true
    } finally {
      if (!isComplete) await this.breakOff()
      else if (tally.isOver) await this.breakOff(tally.isHopeless ? tally.reason : null)
    }
  }

  /** Records that the feed was not read to its end. @param reason sentence for people; null unless most lines failed */
  async breakOff(reason: string | null = null): Promise<void> {
    await this.#unlessRefused(async () => this.#push.record?.breakOff(reason))
  }

  /**
   * Ends the full sync: retires the products that no line named.
   * @returns the outcome, also when retiring failed on the way; null when retiring cannot begin, because the push is no
   *   full sync, most lines failed, storage failed, or the caller lost the right to push
   */
  async finish(): Promise<SyncOutcome | null> {
    const { tally, record } = this.#push
    if (tally.isOver) return null
    const outcome = await this.#finishSync()
    await this.#unlessRefused(async () => (this.#isWhole ? record?.finish(outcome) : record?.breakOff()))
    return outcome
  }

  async #finishSync(): Promise<SyncOutcome | null> {
    const { sync, renewCaller, faultOf } = this.#push
    if (sync === null || !this.#isWhole) return null
    return this.#unlessRefused(async () => {
      await renewCaller()
      return sync.finish(renewCaller, faultOf)
    })
  }

  /** Tells the full sync which products the lines name, including those that could not be stored. */
  async #tell(sync: FullSync, { lines, outcomes }: PushedBatch<ProductLine, ProductOutcome>): Promise<void> {
    const storedIds: string[] = []
    const failedExternalIds: string[] = []
    let hasStored = false
    for (const [i, { line, input, externalId }] of lines.entries()) {
      const outcome = outcomes[i]
      if (outcome === null || outcome.status === 'failed') {
        const name = input === undefined ? externalId : input.fields.external_id
        if (name == null) sync.noteUnreadable(`${this.#push.tally.unit} ${line}`)
        else failedExternalIds.push(name)
      } else {
        hasStored = true
        // A product that a dry run would create has no id.
        if (!this.#push.dryRun || outcome.status !== 'created') storedIds.push(outcome.id)
      }
    }
    if (hasStored) sync.noteStored(storedIds)
    if (failedExternalIds.length === 0) return
    // A batch of refused lines has not renewed the caller yet, and keeping their products is a write too.
    await this.#push.renewCaller()
    await sync.keep(failedExternalIds)
  }

  /** Runs work. When storage fails or the caller lost the right, marks the push as not whole. @returns null then */
  async #unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if ((this.#push.faultOf?.(error) ?? null) === null) throw error
      this.#isWhole = false
      return null
    }
  }
}

function noteRefused(record: RunRecord, { lines, outcomes }: PushedBatch<ProductLine, ProductOutcome>): void {
  for (const [i, { line, input, externalId, faults = [] }] of lines.entries()) {
    const outcome = outcomes[i]
    if (outcome === null) record.refused(line, externalId ?? null, faults)
    else if (outcome.status === 'failed') record.refused(line, input?.fields.external_id ?? null, outcome.fault.details)
  }
}
