import { makePath } from '../../categories/path-rules.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { WritePosition, WriterOptions } from '../../../embedding/document-writer.ts'
import { mayReadBack } from '../../../platform/access/read-back.ts'
import type { Visibility } from '../../../platform/access/visibility.ts'
import { compileCheck } from '../../../platform/contract/check.ts'
import { joinFaults, withFurtherFaults } from '../../../platform/contract/all-faults.ts'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { Fault } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FaultOf, type PushedBatch, pushBatches, takeAll } from '../../../platform/lines/push-batches.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import { type BulkEntry, BulkLine } from '../contract.ts'
import { binnedReferences, findBinnedBySourceReference, findBinnedEntry } from '../bin/bin-store.ts'
import { discard } from '../bin/discard.ts'
import { draftOf, type EntryDraft, sameContent } from '../writes/draft.ts'
import * as store from '../store.ts'
import { categoryOfLine } from '../writes/line-category.ts'
import { faultsOfLine } from '../writes/input-faults.ts'
import { requireBothSightFields, type LineOutcome, writeOnlyOutcome } from '../writes/write-only.ts'
import * as visible from '../visibility/visible-store.ts'
import { changedRow, EntryWriter, requireLevel, requireSameType } from '../writes/write.ts'

/** Outcome of one entry of an import. */
export type BulkOutcome =
  | { readonly status: 'created' | 'updated' | 'unchanged' | 'restored'; readonly id: string }
  | { readonly status: 'failed'; readonly fault: Fault }

/** Most lines and bytes that share a transaction, and thereby one sync of the disk. */
export const BATCH = { lines: 100, bytes: 1_024 * 1_024 }

/** Checks a line of an import. @returns its faults; null when the line is a valid entry */
export const checkEntry = compileCheck(BulkLine, ['body'])

/** Line of an import. A refused line has no input. */
interface EntryLine {
  readonly bytes: number
  readonly input?: BulkEntry | undefined
}

interface EntryImportOptions {
  /** Counts of lines. The reader counts all lines; the caller of `importLines` counts failed lines after each batch. */
  readonly tally: LineTally
  /** Returns the caller with current rights, so that a key that is revoked during the import writes nothing more. */
  readonly renewCaller: () => Promise<Caller>
  /** Turns an error into a fault; see `takeAll`. */
  readonly faultOf: FaultOf
  /** Whether to store nothing, and only tell the outcomes. */
  readonly isDryRun?: boolean
}

/** Write that an input asks for. */
interface Plan {
  readonly input: BulkEntry
  /** The input with all defaults. */
  readonly draft: EntryDraft
  /** Id of the entry that the input replaces; null for a new entry. */
  readonly replacedId: string | null
  /** Whether the entry of `replacedId` rests in the bin, from which the input restores it. */
  readonly isBinned: boolean
  /** Path of the category that must be made first; null when the category exists. */
  readonly newCategory: string | null
}

/** Id in place of that of a category that is not made yet. */
const NEW_CATEGORY_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Milliseconds after which a transaction takes no further line. Other writers wait for it, and lines that are long, or
 * that a model prepares vectors for, take many times as long as short ones.
 */
const HOLD_MAX_MS = 30

/** Characters of stored entries that one transaction may read to replace them. One entry may have a million. */
const REPLACED_CHARACTERS_MAX = 4 * 1_024 * 1_024

/** Stores many entries, for imports over HTTP and by the command line. */
export class EntryBulkRules {
  readonly #writer: EntryWriter

  constructor(options: WriterOptions) {
    this.#writer = new EntryWriter(options)
  }

  /**
   * Stores entries as they arrive, a batch at a time. An entry whose `source_reference` exists already updates that
   * entry, so a second import makes no duplicates. A bad entry does not affect the others. The outcomes for a caller
   * without `knowledge:read` do not reveal what was stored before. A dry run is the `preview` of each batch.
   */
  importLines<L extends EntryLine>(
    lines: AsyncIterable<L>,
    { tally, renewCaller, faultOf, isDryRun = false }: EntryImportOptions,
  ): AsyncGenerator<PushedBatch<L, LineOutcome>> {
    const take = async (inputs: readonly BulkEntry[]): Promise<LineOutcome[]> => {
      const caller = await renewCaller()
      const outcomes = isDryRun ? await this.preview(caller, inputs) : await this.#storeFirst(caller, inputs)
      return mayReadBack(caller) ? outcomes : outcomes.map((outcome, i) => writeOnlyOutcome(outcome, inputs[i]))
    }
    return pushBatches<L, BulkEntry, LineOutcome>(lines, { limits: BATCH, tally, take, faultOf })
  }

  /** Stores a batch of entries like `importLines`. @returns outcomes in order */
  async storeBatch(caller: Caller, inputs: readonly BulkEntry[]): Promise<BulkOutcome[]> {
    return (await takeAll(inputs, (some) => this.#storeFirst(caller, some))).outcomes
  }

  /** Tells the outcomes of `storeBatch` without writing. Checks no references: the import may create their targets. */
  async preview(caller: Caller, inputs: readonly BulkEntry[]): Promise<BulkOutcome[]> {
    const { queries } = this.#writer.database
    const binned = await this.#binnedReferences(queries, caller, inputs)
    const outcomes: BulkOutcome[] = []
    for (const input of inputs) {
      try {
        const plan = await this.#plan(queries, caller, input, binned)
        const stored = await findReplaced(queries, caller, plan)
        if (stored === null) outcomes.push({ status: 'created', id: newId() })
        else if (plan.isBinned) outcomes.push({ status: 'restored', id: stored.id })
        else {
          const same = sameContent(stored, changedRow(caller, stored, replacementOf(stored, plan), stored.seq))
          outcomes.push({ status: same ? 'unchanged' : 'updated', id: stored.id })
        }
      } catch (error) {
        // A dry run makes no categories, so the categories of its entries may not exist.
        outcomes.push(await this.#failed(error, () => this.#faultsOfLine(queries, caller, input, false)))
      }
    }
    return outcomes
  }

  /**
   * Adds the further faults of a line that breaks the contract.
   * @param checksReferences false in a dry run, which does not create the categories that lines name
   */
  async completeLine(caller: Caller, line: unknown, fault: Fault, checksReferences = true): Promise<Fault> {
    const further = await this.#faultsOfLine(this.#writer.database.queries, caller, line, checksReferences)
    return joinFaults(fault, further, BulkLine)
  }

  #faultsOfLine(db: Queries, caller: Caller, line: unknown, checksReferences: boolean): Promise<Fault[]> {
    return faultsOfLine(db, caller, line, { checksReferences })
  }

  /** Returns the outcome of an input that the rules refused, with all its faults. Throws other errors again. */
  async #failed(error: unknown, findFurther: () => Promise<Fault[]>): Promise<BulkOutcome> {
    const fault = await withFurtherFaults(error, findFurther, BulkLine)
    if (!(fault instanceof Fault)) throw fault
    return { status: 'failed', fault }
  }

  /** Returns ids and references of imported entries below a `source_reference`. @param prefix ends with `/` */
  async importedBelow(caller: Caller, prefix: string): Promise<{ id: string; source_reference: string }[]> {
    return store.importedBelow(this.#writer.database.queries, caller.tenant.id, prefix)
  }

  /** Deletes entries in one transaction. Skips entries that do not exist or that the caller may not see. */
  async removeAll(caller: Caller, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#writer.write(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      const visibleIds = await visible.filterVisible(tx, caller, ids)
      await discard(tx, this.#writer.database.portable, caller, [...visibleIds], seq)
    })
  }

  /**
   * Stores the first inputs in one transaction: all of them, unless they replace too much text or take too long.
   * @returns outcomes of the stored inputs, in order, at least one
   */
  async #storeFirst(caller: Caller, inputs: readonly BulkEntry[]): Promise<BulkOutcome[]> {
    return this.#writer.write(caller, (tx) => this.#putFirst(tx, caller, inputs))
  }

  async #putFirst(tx: Tx, caller: Caller, inputs: readonly BulkEntry[]): Promise<BulkOutcome[]> {
    const { seq, ...models } = await advanceWatermark(tx, caller.tenant.id, inputs.length)
    const binned = await this.#binnedReferences(tx, caller, inputs)
    const outcomes: BulkOutcome[] = []
    const deadline = performance.now() + HOLD_MAX_MS
    let replacedCharacters = 0
    for (const [i, input] of inputs.entries()) {
      const waiting = threadSlices.pauseHolding()
      if (waiting !== undefined) await waiting
      const number = seq - inputs.length + 1 + i
      try {
        const plan = await this.#plan(tx, caller, input, binned)
        const stored = await findReplaced(tx, caller, plan)
        // The characters were read, so they count even if the rules refuse the line.
        if (stored !== null) replacedCharacters += stored.content.length + stored.metadata.length
        const whole = plan.newCategory === null ? plan : await this.#withCategory(tx, caller, plan, plan.newCategory)
        outcomes.push(await this.#put(tx, caller, whole, stored, { seq: number, ...models }))
      } catch (error) {
        outcomes.push(await this.#failed(error, () => this.#faultsOfLine(tx, caller, input, true)))
      }
      if (replacedCharacters > REPLACED_CHARACTERS_MAX || performance.now() > deadline) break
    }
    return outcomes
  }

  /** Makes the category of an input that has no faults: a failed line must not leave a category behind. */
  async #withCategory(tx: Tx, caller: Caller, plan: Plan, path: string): Promise<Plan> {
    const [fault, ...further] = await this.#faultsOfLine(tx, caller, plan.input, true)
    if (fault !== undefined) throw joinFaults(fault, further, BulkLine)
    return { ...plan, draft: { ...plan.draft, category_id: await makePath(tx, caller, path) } }
  }

  async #put(
    tx: Tx,
    caller: Caller,
    plan: Plan,
    stored: EntryRow | null,
    position: WritePosition,
  ): Promise<BulkOutcome> {
    if (stored === null) {
      return { status: 'created', id: (await this.#writer.insert(tx, caller, plan.draft, position)).id }
    }
    const { type: _type, ...fields } = replacementOf(stored, plan)
    if (plan.isBinned) {
      await this.#writer.bringBack(tx, caller, stored, fields, position)
      return { status: 'restored', id: stored.id }
    }
    const changed = await this.#writer.change(tx, caller, stored, fields, position)
    return { status: changed === null ? 'unchanged' : 'updated', id: stored.id }
  }

  /**
   * Checks an input and plans its write. Does not read the text of the entry that the input replaces, because a line of
   * a hundred bytes may name an entry of a million characters.
   * @param binned references of entries in the bin
   * @throws Fault invalid, forbidden
   */
  async #plan(db: Queries, caller: Caller, input: BulkEntry, binned: ReadonlySet<string>): Promise<Plan> {
    const category = await categoryOfLine(db, caller, input)
    const draft = draftOf(caller, { source: 'import', ...input, category_id: category.id ?? NEW_CATEGORY_ID })
    const { newPath: newCategory } = category
    requireLevel(caller, draft)
    const { source_reference: reference } = draft
    if (reference === null) return { input, draft, replacedId: null, isBinned: false, newCategory }
    requireBothSightFields(caller, input)
    // Without `knowledge:read`, entries of other types do not count: a refusal would reveal that they exist.
    const type = mayReadBack(caller) ? null : draft.type
    // An import never changes a private note, not even its owner's: that would publish the note.
    const head = await visible.findHeadBySourceReference(db, caller, reference, type)
    if (head !== null) requireSameType(draft.type, head.type)
    if (head !== null || !binned.has(reference)) {
      return { input, draft, replacedId: head?.id ?? null, isBinned: false, newCategory }
    }
    // An entry of another type stays in the bin, because the type of an entry never changes.
    const binnedId = await findBinnedBySourceReference(db, caller, reference, draft.type)
    return { input, draft, replacedId: binnedId, isBinned: binnedId !== null, newCategory }
  }

  #binnedReferences(db: Queries, caller: Caller, inputs: readonly BulkEntry[]): Promise<Set<string>> {
    const references = inputs.flatMap(({ source_reference: reference }) => reference ?? [])
    return binnedReferences(db, this.#writer.database.portable, caller.tenant.id, references)
  }
}

/** Reads the row of the entry that an input replaces; null for a new entry. */
async function findReplaced(db: Queries, caller: Caller, { replacedId: id, isBinned }: Plan): Promise<EntryRow | null> {
  if (id === null) return null
  return isBinned ? findBinnedEntry(db, caller.tenant.id, id) : visible.findVisibleEntry(db, caller, id)
}

/**
 * Returns the draft that replaces a stored entry. Absent fields get their defaults, except those that link the entry to
 * others or to its page, or decide who sees it.
 */
function replacementOf(stored: EntryRow, { input, draft }: Plan): EntryDraft {
  return {
    ...draft,
    translation_group_id: input.translation_group_id ?? stored.translation_group_id,
    visibility: input.visibility ?? (stored.visibility as Visibility),
    workspace_id: input.workspace_id === undefined ? stored.workspace_id : input.workspace_id,
    url: input.url === undefined ? stored.url : input.url,
  }
}
