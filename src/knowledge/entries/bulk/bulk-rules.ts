import type { Caller } from '../../../platform/access/caller.ts'
import { isTold } from '../../../platform/access/told.ts'
import type { Visibility } from '../../../platform/access/visibility.ts'
import { recordAudit } from '../../../platform/audit/audit.ts'
import { compileCheck } from '../../../platform/contract/check.ts'
import { completed, joinFaults } from '../../../platform/contract/all-faults.ts'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { Fault } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FaultOf, type PushedBatch, pushBatches, takeAll } from '../../../platform/lines/push-batches.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import { BulkLine, type EntryCreate } from '../contract.ts'
import { draftOf, type EntryDraft, sameContent } from '../writes/draft.ts'
import * as store from '../store.ts'
import { faultsOfLine } from '../writes/input-faults.ts'
import { requireWholePlace, type ToldOutcome, untold } from '../writes/untold-writes.ts'
import * as visible from '../visibility/visible-store.ts'
import {
  changedRow,
  type EntryRulesOptions,
  EntryWriter,
  requireLevel,
  requireSameType,
  type WritePosition,
} from '../writes/write.ts'

/** What became of one entry of several. */
export type BulkOutcome =
  | { readonly status: 'created' | 'updated' | 'unchanged'; readonly id: string }
  | { readonly status: 'failed'; readonly fault: Fault }

/** What shares a transaction, and thereby one sync of the disk. */
export const BATCH = { lines: 100, bytes: 1_024 * 1_024 }

/** Checks a line of an import. @returns its faults; null when it is an entry */
export const checkEntry = compileCheck(BulkLine, ['body'])

/** A line of an import: the entry on it, or nothing where it was refused. */
interface EntryLine {
  readonly bytes: number
  readonly input?: EntryCreate | undefined
}

interface EntryPushOptions {
  /** The reader of the lines counts them in it; whoever reports a failed line counts that, before the next batch. */
  readonly tally: LineTally
  /** Answers who imports, with their rights as of now: a key revoked during an import writes no more. */
  readonly renewCaller: () => Promise<Caller>
  /** See `takeAll`. */
  readonly faultOf: FaultOf
}

/** Stored text that one transaction replaces: each entry of a bulk may replace a million characters. */
const REPLACED_CHARACTERS_MAX = 4 * 1_024 * 1_024

/** Many entries at once: imports over HTTP and on the command line. */
export class EntryBulkRules {
  readonly #writer: EntryWriter

  constructor(options: EntryRulesOptions) {
    this.#writer = new EntryWriter(options)
  }

  /**
   * Stores entries as they come, a batch at a time. One with a `source_reference` that the tenant has already updates
   * that entry, so that importing again doubles nothing. A bad one spoils only itself. What a caller without
   * `knowledge:read` is told does not depend on what was there.
   */
  push<L extends EntryLine>(
    lines: AsyncIterable<L>,
    { tally, renewCaller, faultOf }: EntryPushOptions,
  ): AsyncGenerator<PushedBatch<L, ToldOutcome>> {
    const take = async (inputs: readonly EntryCreate[]): Promise<ToldOutcome[]> => {
      const caller = await renewCaller()
      const stored = await this.#storeFirst(caller, inputs)
      return isTold(caller) ? stored : stored.map((outcome, i) => untold(outcome, inputs[i]))
    }
    return pushBatches<L, EntryCreate, ToldOutcome>(lines, { limits: BATCH, tally, take, faultOf })
  }

  /** Stores a batch of entries as `push` does. @returns outcomes in order */
  async storeBatch(caller: Caller, inputs: readonly EntryCreate[]): Promise<BulkOutcome[]> {
    return (await takeAll(inputs, (some) => this.#storeFirst(caller, some))).outcomes
  }

  /** What `storeBatch` would answer, with nothing written. References to what does not exist yet are not judged. */
  async preview(caller: Caller, inputs: readonly EntryCreate[]): Promise<BulkOutcome[]> {
    const { queries } = this.#writer.database
    const outcomes: BulkOutcome[] = []
    for (const input of inputs) {
      try {
        const { draft, known } = await this.#plan(queries, caller, input)
        if (known === null) outcomes.push({ status: 'created', id: newId() })
        else {
          const same = sameContent(known, changedRow(caller, known, draft, known.seq))
          outcomes.push({ status: same ? 'unchanged' : 'updated', id: known.id })
        }
      } catch (error) {
        // A dry run makes no categories, so those of its entries are not there.
        outcomes.push(await this.#failed(error, () => this.#faultsOfLine(queries, caller, input, false)))
      }
    }
    return outcomes
  }

  /**
   * Adds to the faults of a line that breaks the contract what else is wrong with it.
   * @param judgesReferences false in a dry run, which makes none of what lines refer to
   */
  async completeLine(caller: Caller, line: unknown, fault: Fault, judgesReferences = true): Promise<Fault> {
    const further = await this.#faultsOfLine(this.#writer.database.queries, caller, line, judgesReferences)
    return joinFaults(fault, further, BulkLine)
  }

  #faultsOfLine(db: Queries, caller: Caller, line: unknown, judgesReferences: boolean): Promise<Fault[]> {
    return faultsOfLine(db, caller, line, { judgesReferences })
  }

  /** The outcome of an input that the rules refused, with all that is wrong with it. */
  async #failed(error: unknown, findFurther: () => Promise<Fault[]>): Promise<BulkOutcome> {
    const fault = await completed(error, findFurther, BulkLine)
    if (!(fault instanceof Fault)) throw fault
    return { status: 'failed', fault }
  }

  /** Ids and references of imported entries whose `source_reference` begins with `prefix`, which ends with `/`. */
  async importedBelow(caller: Caller, prefix: string): Promise<{ id: string; source_reference: string }[]> {
    return store.importedBelow(this.#writer.database.queries, caller.tenant.id, prefix)
  }

  /** Removes those of the entries that exist and the caller may see, in one transaction. */
  async removeAll(caller: Caller, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const { portable } = this.#writer.database
    await this.#writer.write(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      const seen = await visible.filterVisible(tx, caller, ids)
      for (const id of seen) await store.removeEntry(tx, portable, caller.tenant.id, id, seq)
      const events = Array.from(seen, (id) => ({ action: 'delete', resourceType: 'entry', resourceId: id }) as const)
      await recordAudit(tx, caller.tenant.id, caller, events)
    })
  }

  /**
   * Stores the first of several entries in one transaction: all of them unless they replace more text than it should.
   * @returns outcomes of the first inputs, in order, at least one
   */
  async #storeFirst(caller: Caller, inputs: readonly EntryCreate[]): Promise<BulkOutcome[]> {
    return this.#writer.write(caller, (tx) => this.#putFirst(tx, caller, inputs))
  }

  async #putFirst(tx: Tx, caller: Caller, inputs: readonly EntryCreate[]): Promise<BulkOutcome[]> {
    const { seq, model } = await advanceWatermark(tx, caller.tenant.id, inputs.length)
    const outcomes: BulkOutcome[] = []
    let replaced = 0
    for (const [i, input] of inputs.entries()) {
      const waiting = threadSlices.pauseHolding()
      if (waiting !== undefined) await waiting
      const number = seq - inputs.length + 1 + i
      try {
        const { draft, known } = await this.#plan(tx, caller, input)
        if (known !== null) replaced += known.content.length + known.metadata.length
        outcomes.push(await this.#put(tx, caller, draft, known, { seq: number, model }))
      } catch (error) {
        outcomes.push(await this.#failed(error, () => this.#faultsOfLine(tx, caller, input, true)))
      }
      if (replaced > REPLACED_CHARACTERS_MAX) break
    }
    return outcomes
  }

  async #put(
    tx: Tx,
    caller: Caller,
    draft: EntryDraft,
    known: EntryRow | null,
    position: WritePosition,
  ): Promise<BulkOutcome> {
    if (known === null) return { status: 'created', id: (await this.#writer.insert(tx, caller, draft, position)).id }
    const { type: _type, ...fields } = draft
    const changed = await this.#writer.change(tx, caller, known, fields, position)
    return { status: changed === null ? 'unchanged' : 'updated', id: known.id }
  }

  /** Finds the entry that an input of a bulk replaces, and what it is to become. */
  async #plan(db: Queries, caller: Caller, input: EntryCreate): Promise<{ draft: EntryDraft; known: EntryRow | null }> {
    const draft = draftOf(caller, { source: 'import', ...input })
    requireLevel(caller, draft)
    if (draft.source_reference === null) return { draft, known: null }
    requireWholePlace(caller, input)
    // That there is one of another type is not for everybody to know: without `knowledge:read` it is left alone.
    const type = isTold(caller) ? null : draft.type
    // A private note is not an import's to change, not even for its owner: it would be published.
    const known = await visible.findBySourceReference(db, caller, draft.source_reference, type)
    if (known === null) return { draft, known }
    requireSameType(draft.type, known.type)
    // The whole entry is replaced, absent fields by their defaults, but for what ties it to others and hides it.
    const whole = {
      ...draft,
      translation_group_id: input.translation_group_id ?? known.translation_group_id,
      visibility: input.visibility ?? (known.visibility as Visibility),
      workspace_id: input.workspace_id === undefined ? known.workspace_id : input.workspace_id,
    }
    return { draft: whole, known }
  }
}
