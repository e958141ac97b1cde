import type { Caller } from '../../../platform/access/caller.ts'
import type { FaultDetail } from '../../../platform/faults.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FaultOf, type PushedBatch, pushBatches } from '../../../platform/lines/push-batches.ts'
import type { ProductSource, ProductWrite } from '../contract.ts'
import type { RunRecord } from '../sync-runs/run-record.ts'
import type { ProductOutcome } from '../write.ts'
import type { FullSync, SyncOutcome } from './full-sync.ts'
import type { MaxRetired } from './max-retired.ts'

/** Most lines and bytes that share a transaction, and thereby one sync of the disk. */
export const PRODUCT_BATCH = { lines: 200, bytes: 1_024 * 1_024 }

/** A line of a feed, counted from 1: its product, or what is known of a refused one. */
export type ProductLine = { readonly line: number; readonly bytes: number } & (
  | { readonly input: ProductWrite; readonly externalId?: undefined; readonly faults?: undefined }
  | {
      readonly input?: undefined
      /** The external_id of the line; undefined when it cannot be read. */
      readonly externalId: string | undefined
      /** What is wrong with it, if that is known. */
      readonly faults?: readonly FaultDetail[]
    }
)

/** Where and how products are pushed. */
export interface PushTarget {
  /** Id or slug. */
  readonly site: string
  readonly source: ProductSource
  /** Writes nothing, and only says what a push would do. */
  readonly dryRun: boolean
  /** How many products a full sync may retire; null when the push is not a full sync and retires nothing. */
  readonly maxRetired: MaxRetired | null
}

export interface PushOptions {
  /** The reader counts the lines here. The caller of `run` counts failed lines, before it asks for the next batch. */
  readonly tally: LineTally
  /** The pushing caller with current rights, so that a key revoked during the push writes and retires nothing more. */
  readonly renewCaller: () => Promise<Caller>
  /** See `takeAll`. */
  readonly faultOf?: FaultOf
}

interface Push extends PushOptions {
  /** Stores the first of the products, or says what storing them would do. */
  readonly take: (products: readonly ProductWrite[]) => Promise<ProductOutcome[]>
  readonly dryRun: boolean
  readonly sync: FullSync | null
  /** Null for a dry run. */
  readonly record: RunRecord | null
}

/** One push of a feed to a site, over HTTP or from a file. `ProductRules.beginPush` makes it. */
export class ProductPush {
  readonly #push: Push
  /** False once storage failed, or the caller lost the right to push. */
  #isWhole = true

  constructor(push: Push) {
    this.#push = push
  }

  /**
   * Stores the products of the lines as they arrive, or says what storing them would do, and tells the full sync which
   * products the lines name. Ends early once the feed is hopeless.
   */
  async *run<L extends ProductLine>(lines: AsyncIterable<L>): AsyncGenerator<PushedBatch<L, ProductOutcome>> {
    const { tally, take, faultOf, sync, record } = this.#push
    const options = { limits: PRODUCT_BATCH, tally, take, faultOf }
    let isThrough = false
    try {
      for await (const batch of pushBatches<L, ProductWrite, ProductOutcome>(lines, options)) {
        if (record !== null) noteRefused(record, batch)
        if (batch.refusal !== null) this.#isWhole = false
        else if (sync !== null) await this.#unlessRefused(() => this.#tell(sync, batch))
        yield batch
      }
      isThrough = true
    } finally {
      if (!isThrough) await this.breakOff()
      else if (tally.isOver) await this.breakOff(tally.isHopeless ? tally.reason : null)
    }
  }

  /** Notes that the feed was not read to its end. @param reason why, if most of its lines were of no use */
  async breakOff(reason: string | null = null): Promise<void> {
    await this.#unlessRefused(async () => this.#push.record?.breakOff(reason))
  }

  /**
   * Ends the full sync: retires the products that no line named.
   * @returns what was retired, also when retiring failed on the way; null when it cannot begin, because the push is no
   *   full sync, its feed is hopeless, not all of it was stored, or the caller lost the right to push
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
    const named: string[] = []
    const kept: string[] = []
    let hasStored = false
    for (const [i, { line, input, externalId }] of lines.entries()) {
      const outcome = outcomes[i]
      if (outcome === null || outcome.status === 'failed') {
        const name = input === undefined ? externalId : input.external_id
        if (name == null) sync.missed(`${this.#push.tally.unit} ${line}`)
        else kept.push(name)
      } else {
        hasStored = true
        // A product that a dry run would create has no id.
        if (!this.#push.dryRun || outcome.status !== 'created') named.push(outcome.id)
      }
    }
    if (hasStored) sync.named(named)
    if (kept.length === 0) return
    // Nothing else renews the caller for a batch of refused lines, and keeping their products is a write too.
    await this.#push.renewCaller()
    await sync.keep(kept)
  }

  /** Runs some work. @returns null, and the push is no longer whole, when storage fails or the caller lost the right */
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
    else if (outcome.status === 'failed') record.refused(line, input?.external_id ?? null, outcome.fault.details)
  }
}
