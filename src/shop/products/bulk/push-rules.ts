import type { Caller } from '../../../platform/access/caller.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FaultOf, type PushedBatch, pushBatches } from '../../../platform/lines/push-batches.ts'
import type { ProductSource, ProductWrite } from '../contract.ts'
import type { ProductOutcome } from '../write.ts'
import type { FullSync, SyncOutcome } from './full-sync.ts'
import type { MaxRetired } from './max-retired.ts'

/** What shares a transaction, and thereby one sync of the disk. */
export const PRODUCT_BATCH = { lines: 200, bytes: 1_024 * 1_024 }

/** A line of a feed, counted from 1: the product on it, or what is known of one that was refused. */
export type ProductLine = { readonly line: number; readonly bytes: number } & (
  | { readonly input: ProductWrite; readonly externalId?: undefined }
  | {
      readonly input?: undefined
      /** What the line calls its product; undefined where that cannot be read. */
      readonly externalId: string | undefined
    }
)

/** What is pushed to where. */
export interface PushTarget {
  /** Id or slug. */
  readonly site: string
  readonly source: ProductSource
  /** Only says what would be done. */
  readonly dryRun: boolean
  /** How many products the push may retire as a full sync; null when it is none, and retires nothing. */
  readonly maxRetired: MaxRetired | null
}

export interface PushOptions {
  /** The feed's reader counts its lines in it; whoever reports a failed line counts that, before the next batch. */
  readonly tally: LineTally
  /** Answers who pushes, with their rights as of now: a key revoked during a push writes and retires no more. */
  readonly renewCaller: () => Promise<Caller>
  /** See `takeAll`. */
  readonly faultOf?: FaultOf
}

interface Push extends PushOptions {
  /** Stores the first of several products, or says what that would do. */
  readonly take: (products: readonly ProductWrite[]) => Promise<ProductOutcome[]>
  readonly dryRun: boolean
  readonly sync: FullSync | null
}

/** One push of a feed to a site, over HTTP or from a file. `ProductRules.beginPush` makes it. */
export class ProductPush {
  readonly #push: Push
  /** Whether storage and the rights of the caller have held so far. */
  #isWhole = true

  constructor(push: Push) {
    this.#push = push
  }

  /**
   * Stores the products of the lines as they come, or says what that would do, and tells the full sync what they name.
   * Ends before the lines do once the feed is hopeless.
   */
  async *run<L extends ProductLine>(lines: AsyncIterable<L>): AsyncGenerator<PushedBatch<L, ProductOutcome>> {
    const { tally, take, faultOf, sync } = this.#push
    const options = { limits: PRODUCT_BATCH, tally, take, faultOf }
    for await (const batch of pushBatches<L, ProductWrite, ProductOutcome>(lines, options)) {
      if (batch.refusal !== null) this.#isWhole = false
      else if (sync !== null) await this.#unlessRefused(() => this.#tell(sync, batch))
      yield batch
    }
  }

  /**
   * Ends the full sync: retires what no line named.
   * @returns what was retired, also where retiring failed on the way; null when it cannot begin: the push is no full sync, its feed is hopeless, or not all of it was stored
   *   because storage or the rights of the caller did not hold
   */
  async finish(): Promise<SyncOutcome | null> {
    const { sync, tally, renewCaller, faultOf } = this.#push
    if (sync === null || tally.isHopeless || !this.#isWhole) return null
    return this.#unlessRefused(async () => {
      await renewCaller()
      return sync.finish(renewCaller, faultOf)
    })
  }

  /** Tells the full sync which products the lines name, those that could not be stored among them. */
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
        // What a dry run would create has no id.
        if (!this.#push.dryRun || outcome.status !== 'created') named.push(outcome.id)
      }
    }
    if (hasStored) sync.named(named)
    await sync.keep(kept)
  }

  /** Does some work. @returns null, and the push is whole no more, when storage or the rights of the caller fail */
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
