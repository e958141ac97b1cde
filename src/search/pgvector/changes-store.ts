/**
 * Applies changes to a replica. Each transaction locks the state of the replica and checks what it relies on, so that
 * several processes may bring one replica up to date.
 */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { DocumentValues, IndexDefinition, ValueChange, ValueReplacement } from '../engine.ts'
import type { PreparedDocument } from '../indexing/prepared-document.ts'
import {
  awaitedAmong,
  type AwaitedText,
  forgetGone,
  forgetUnseen,
  noteAwaited,
  noteGone,
  settleAwaited,
  type SettledText,
} from './awaited-store.ts'
import {
  dimensionsFor,
  documentsAmong,
  indexTerms,
  insertDocuments,
  type NewValues,
  type Put,
  readValues,
  type ReplicaDocument,
  removeDocuments,
  replaceValues,
} from './documents-store.ts'
import { areAudiencesApart } from '../indexing/audience.ts'
import { renewPassages } from './passages-store.ts'
import { lockState, type LockedState } from './state-store.ts'
import { withValues } from './stored-document.ts'
import { type ReplicaKey, REPLICAS, type ReplicaTables, rowOf, tablesOf } from './tables-store.ts'

/** A change as a replica stores it. */
export type ReplicaChange =
  | { readonly seq: number; readonly textSeq: number; readonly put: PreparedDocument }
  | { readonly seq: number; readonly remove: string; readonly isUnreadable: boolean }

/** The history of the source after some changes. */
export interface Mark {
  /** Number of the last of these changes. */
  readonly last: number
  /** Mark of `IndexHistory`; null without a history. */
  readonly text: string | null
}

/** A step of a build from one change number to another. Where another process has ended the build, it is not taken. */
interface Step {
  /** Number that the replica has reached; a replica that has reached another one does not take the step. */
  readonly from: number
  readonly to: number
  readonly mark: Mark
}

/**
 * Applies whole documents, and moves the replica on.
 * @returns false, with nothing changed, when another process changes the replica or has moved it on
 */
export async function applyChanges(
  database: Database,
  definition: IndexDefinition,
  key: ReplicaKey,
  changes: readonly ReplicaChange[],
  { from, to, mark }: Step,
): Promise<boolean> {
  const tables = tablesOf(key)
  return database.write(async (tx) => {
    const state = await lockState(tx, key)
    if (state?.reached !== from || state.isReady) return false
    const latest = new Map(changes.map((change) => [idOf(change), change]))
    const unreadable = new Set(state.unreadable)
    for (const [id, change] of latest) {
      unreadable.delete(id)
      if (!('put' in change) && change.isUnreadable) unreadable.add(id)
    }
    const puts = [...latest.values()].filter((change): change is Put => 'put' in change)
    const content = await replaceDocuments(tx, definition, tables, state, { removed: [...latest.keys()], puts })
    const noted = { ...state, ...content, valuesReached: to, unreadable: [...unreadable] }
    await noteState(tx, key, noted, { changed: latest.size, mark })
    return true
  }, key.tenantId)
}

/** A batch of a pass over the changes of values. */
interface ValuesStep {
  /** Number up to which the replica had the values when the pass began. */
  readonly from: number
  /**
   * Number up to which the replica has the values after the batch; null before the last batch of a pass, since a
   * document that changed twice is listed under its later number only.
   */
  readonly to: number | null
  readonly mark: Mark
}

/**
 * Applies changes of values to the documents that the replica has, and notes the documents that then lack their text.
 * What the replica has from a later change stays. A document whose audience changes while its text waits leaves the
 * replica (`audienceFields`).
 * @returns false, with nothing changed, when the replica is gone or another process has moved it on
 */
export async function applyValues(
  database: Database,
  definition: IndexDefinition,
  key: ReplicaKey,
  changes: readonly ValueChange[],
  { from, to, mark }: ValuesStep,
): Promise<boolean> {
  const tables = tablesOf(key)
  return database.write(async (tx) => {
    // Searches wait for values, so this waits for a process that stores texts rather than letting it go first again.
    const state = await lockState(tx, key, true)
    if (state === undefined || !state.isReady || state.valuesReached !== from) return false
    const latest = new Map(changes.map((change) => ['remove' in change ? change.remove : change.id, change]))
    const documents = await documentsAmong(tx, tables, [...latest.keys()])
    const former = await readValues(tx, tables, rowsLackingText(definition, latest, documents))
    const unreadable = new Set(state.unreadable)
    const removed: string[] = []
    const departed: string[] = []
    const replacements: NewValues[] = []
    const awaited: ValueReplacement[] = []
    const settled: SettledText[] = []
    for (const [id, change] of latest) {
      const document = documents.get(id)
      const isNewer = document !== undefined && change.seq > document.seq
      if ('remove' in change) {
        if (document !== undefined && document.seq > change.seq) continue
        removed.push(id)
        unreadable.delete(id)
        settled.push({ id, textSeq: change.seq })
        continue
      }
      const values = isNewer ? valuesOf(change) : undefined
      if (values === null) {
        removed.push(id)
        unreadable.add(id)
        settled.push({ id, textSeq: change.seq })
        continue
      }
      if (document === undefined || lacksText(document, change)) awaited.push(change)
      if (!isNewer || values === undefined) continue
      const before = former.get(document.number)
      if (before !== undefined && areAudiencesApart(definition, before, values)) departed.push(id)
      else replacements.push({ number: document.number, seq: change.seq, values })
    }
    const content = await replaceDocuments(tx, definition, tables, state, { removed, departed, puts: [] })
    await replaceValues(tx, definition, tables, replacements)
    if (to === null) await noteGone(tx, tables, settled, from + 1)
    else {
      await settleAwaited(tx, tables, settled)
      await forgetGone(tx, tables, to)
    }
    await noteAwaited(tx, tables, awaited, from + 1)
    const changed = removed.length + departed.length + replacements.length
    const valuesReached = to ?? state.valuesReached
    const noted = { ...state, ...content, valuesReached, unreadable: [...unreadable] }
    await noteState(tx, key, noted, { changed, mark })
    return true
  }, key.tenantId)
}

/** What `applyTexts` has stored. */
interface StoredTexts {
  /** How many documents no longer await a text. */
  readonly count: number
  /** Ids of the documents that changed while their texts were read, which have to be read again. */
  readonly outdated: readonly string[]
}

/**
 * Stores the texts of documents that await them, with the values that the replica has where these are later ones.
 * Skips a document of which a later change is known, unless the replica has its values. Also skips a text that is out
 * of date if its audience was not the present one.
 * @returns null, with nothing changed, when another process changes the replica, or the replica is gone
 */
export async function applyTexts(
  database: Database,
  definition: IndexDefinition,
  key: ReplicaKey,
  changes: readonly ReplicaChange[],
  mark: Mark,
): Promise<StoredTexts | null> {
  const tables = tablesOf(key)
  return database.write(async (tx) => {
    const state = await lockState(tx, key)
    if (state === undefined || !state.isReady) return null
    const ids = changes.map(idOf)
    const awaited = await awaitedAmong(tx, tables, ids)
    const documents = await documentsAmong(tx, tables, ids)
    const later = await readValues(tx, tables, rowsWithLaterValues(changes, documents))
    const unreadable = new Set(state.unreadable)
    const removed: string[] = []
    const outdated: string[] = []
    const puts: Put[] = []
    const settled: SettledText[] = []
    for (const change of changes) {
      const id = idOf(change)
      const seen = awaited.get(id)
      const document = documents.get(id)
      // Without a note, another process has stored the text or removed the document meanwhile.
      if (seen === undefined) continue
      if ('put' in change) {
        if (document !== undefined && document.textSeq >= change.textSeq) continue
        const values = document === undefined ? undefined : later.get(document.number)
        const isOutdated =
          document === undefined
            ? seen.seq > change.seq
            : values !== undefined &&
              seen.textSeq > change.textSeq &&
              areAudiencesApart(definition, change.put.document, values)
        if (isOutdated) {
          outdated.push(id)
          continue
        }
        if (document === undefined || values === undefined) puts.push(change)
        else puts.push({ ...change, seq: document.seq, put: withValues(change.put, values) })
        removed.push(id)
        unreadable.delete(id)
        settled.push({ id, textSeq: change.textSeq })
      } else if (Math.max(seen.seq, document?.seq ?? 0) <= change.seq) {
        removed.push(id)
        unreadable.delete(id)
        if (change.isUnreadable) unreadable.add(id)
        settled.push({ id, textSeq: change.seq })
      }
    }
    const content = await replaceDocuments(tx, definition, tables, state, { removed, puts })
    const count = await settleAwaited(tx, tables, settled)
    const noted = { ...state, ...content, unreadable: [...unreadable] }
    await noteState(tx, key, noted, { changed: removed.length, mark })
    return { count, outdated }
  }, key.tenantId)
}

/** Forgets awaited texts of documents that are gone without a trace, unless these were seen again since. */
export async function forgetTexts(database: Database, key: ReplicaKey, texts: readonly AwaitedText[]): Promise<void> {
  await database.write(async (tx) => {
    const state = await lockState(tx, key)
    if (state === undefined) return
    await forgetUnseen(tx, tablesOf(key), texts)
    await noteState(tx, key, state, { changed: 0, mark: null })
  }, key.tenantId)
}

/** The part of a replica's state that its passages decide. */
type Content = Pick<LockedState, 'dimensions' | 'passages' | 'isAdopting'>

/**
 * Deletes documents and inserts others.
 * @param removed ids of the documents to delete, also of those that are inserted anew
 * @param departed ids of the documents to delete until their texts are there. Their vectors may come back, so the
 *   dimensions of the replica stay
 */
async function replaceDocuments(
  tx: Tx,
  definition: IndexDefinition,
  tables: ReplicaTables,
  state: LockedState,
  {
    removed,
    departed = [],
    puts,
  }: { readonly removed: readonly string[]; readonly departed?: readonly string[]; readonly puts: readonly Put[] },
): Promise<Content> {
  const { isReady, isAdopting, passages } = state
  if (removed.length + departed.length + puts.length === 0) return state
  const passagesLeft = passages - (await removeDocuments(tx, tables, [...removed, ...departed], state))
  const dimensions =
    departed.length > 0
      ? state.dimensions
      : await dimensionsFor(tx, tables, { dimensions: state.dimensions, passagesLeft }, puts)
  const isRenewed = dimensions !== null && dimensions !== state.dimensions
  if (isRenewed) await renewPassages(tx, tables, dimensions, isReady)
  const added = await insertDocuments(tx, definition, tables, puts, { dimensions, isReady })
  return { dimensions, passages: passagesLeft + added, isAdopting: isAdopting || isRenewed }
}

/**
 * Stores the state of a replica, which has reached every change whose values it has and whose text it does not await.
 * @param changed number of documents that have changed
 * @param mark null where nothing was read from the source. A mark that covers later changes stays.
 */
async function noteState(
  tx: Tx,
  key: ReplicaKey,
  { isReady, valuesReached, dimensions, passages, isAdopting, unreadable }: LockedState,
  { changed, mark }: { readonly changed: number; readonly mark: Mark | null },
): Promise<void> {
  const tables = tablesOf(key)
  const { awaited } = tables
  const last = mark?.last ?? 0
  if (isReady && changed > 0) await indexTerms(tx, tables)
  await sql`
    update ${REPLICAS} set values_reached = ${valuesReached},
      reached = greatest(reached, least(${valuesReached}::bigint, (select min(since) - 1 from ${awaited}))),
      changes = changes + ${changed}, dimensions = ${dimensions}, passages = ${passages}, is_adopting = ${isAdopting},
      mark = case when ${last}::bigint >= marked and ${mark !== null}::bool then ${mark?.text ?? null} else mark end,
      marked = greatest(marked, ${last}::bigint), unreadable = ${unreadable}::text[]
    where ${rowOf(key)}`.execute(tx)
}

/** Tells whether a change altered the text after the change whose text the replica has. */
function lacksText(document: ReplicaDocument, change: ValueReplacement): boolean {
  return change.textSeq > document.textSeq
}

/** Returns the rows of the documents whose values change while they lack their text, as far as audiences matter. */
function rowsLackingText(
  { audienceFields = [] }: IndexDefinition,
  changes: ReadonlyMap<string, ValueChange>,
  documents: ReadonlyMap<string, ReplicaDocument>,
): number[] {
  if (audienceFields.length === 0) return []
  return [...documents.values()].flatMap((document) => {
    const change = changes.get(document.id)!
    return !('remove' in change) && change.seq > document.seq && lacksText(document, change) ? [document.number] : []
  })
}

/** Returns the rows of the documents whose values in the replica are later than the changes. */
function rowsWithLaterValues(
  changes: readonly ReplicaChange[],
  documents: ReadonlyMap<string, ReplicaDocument>,
): number[] {
  return changes.flatMap((change) => {
    const document = documents.get(idOf(change))
    return document !== undefined && document.seq > change.seq ? [document.number] : []
  })
}

/** Returns the values of a change; null where its row cannot be read. */
function valuesOf({ changedAt, numbers, rest }: ValueReplacement): DocumentValues | null {
  try {
    return { changedAt, numbers, ...rest() }
  } catch {
    return null
  }
}

function idOf(change: ReplicaChange): string {
  return 'put' in change ? change.put.document.id : change.remove
}
