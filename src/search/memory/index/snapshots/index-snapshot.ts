/** Writes an index to its snapshot and reads it back. Loading only reads: no document is analysed again. */
import type { Pause } from '../../../../platform/threads/slices.ts'
import type { IndexDefinition, LeftOutDocument } from '../../../engine.ts'
import type { IndexFiles } from '../../columns/index-files.ts'
import type { NumberedValues } from '../../columns/property-column.ts'
import { type IndexCapture, TenantIndex } from '../tenant-index.ts'
import type { TextAnalyser } from '../../../indexing/text-analyser.ts'
import type { VectorMemory } from '../../columns/vector-column.ts'
import type { SnapshotReader, SnapshotWriter } from '../../columns/checked-stream.ts'
import { loadSegment, saveSegment } from './segment-snapshot.ts'

/**
 * Kinds of a property's values: an id that is not in use, a value whose text is too long to be kept, a value with text.
 */
const [UNUSED, UNKEPT, KEPT] = [0, 1, 2]

/**
 * The head of a snapshot, which names its index and its form. A snapshot of another form or history is never used. The
 * head itself stays as it is in every format: it tells a newer program which indexes were used last.
 */
export interface SnapshotIdentity {
  readonly tenantId: string
  readonly index: string
  readonly model: string | null
  /** What decides the bytes behind the head (`snapshotForm`); absent in snapshots of the first versions. */
  readonly form?: string
  /** Mark of the database's history; see `IndexHistory`. */
  readonly mark: string
  /** Bytes of memory that the index took. */
  readonly bytes: number
  /** The part of `bytes` on the heap. */
  readonly heapBytes: number
  /** Bytes of original vectors that were in files. */
  readonly fileBytes: number
  /** How many documents search left out, and some of those that changed last; absent in snapshots of the first versions. */
  readonly leftOut?: { readonly count: number; readonly newest: readonly Omit<LeftOutDocument, 'index'>[] }
}

/** The small parts of an index, which precede its segments. */
interface Head extends Pick<IndexCapture, 'reached' | 'dimensions' | 'unreadable'> {
  readonly segments: number
}

/** Writes a captured index, whose segments must be frozen. */
export async function saveIndex(
  to: SnapshotWriter,
  identity: SnapshotIdentity,
  { segments, groups, owners, leftOut, facets, properties, ...small }: IndexCapture,
): Promise<void> {
  await to.json(identity)
  const head: Head = { ...small, segments: segments.length }
  await to.json(head)
  await to.strings(groups)
  await to.strings(owners)
  for (const column of [leftOut.ids, leftOut.owners]) await to.strings(column)
  for (const column of [leftOut.textSeqs, leftOut.bytes]) await to.numbers(column)
  for (const names of Object.values(facets)) await to.strings(names)
  if (properties !== null) await saveValues(to, properties)
  for (const { segment, alive, values } of segments) await saveSegment(to, segment, alive, values)
  await to.end()
}

/** Reads the identity of a snapshot, whatever its form. @throws SnapshotDamaged */
export async function readIdentity(from: SnapshotReader): Promise<SnapshotIdentity> {
  return (await from.json()) as SnapshotIdentity
}

/**
 * Reads the index that follows the identity in the file.
 * @param files takes original vectors; null for memory
 * @throws SnapshotDamaged, ArenaFull, IndexFileLost; then all memory of the index is free again
 */
export async function loadIndex(
  from: SnapshotReader,
  definition: IndexDefinition,
  memory: VectorMemory,
  analyser: TextAnalyser,
  pause: Pause,
  files: IndexFiles | null = null,
): Promise<TenantIndex> {
  const head = (await from.json()) as Head
  const groups = await from.strings()
  const owners = await from.strings()
  const leftOut = {
    ids: await from.strings(),
    owners: await from.strings(),
    textSeqs: await from.numbers(),
    bytes: await from.numbers(),
  }
  const facets: Record<string, string[]> = {}
  for (const field of definition.facetFields ?? []) facets[field] = await from.strings()
  const properties = definition.hasProperties ? await loadValues(from) : null
  const index = new TenantIndex(definition, memory, analyser)
  try {
    await index.restore(
      { ...head, groups, owners, leftOut, facets, properties },
      (segment) => loadSegment(from, segment, memory, files),
      pause,
    )
    await from.end()
  } catch (error) {
    index.free()
    throw error
  }
  return index
}

async function saveValues(to: SnapshotWriter, { texts, names }: NumberedValues): Promise<void> {
  const kinds = names.map((name, id) => (name === null ? UNUSED : texts[id] === null ? UNKEPT : KEPT))
  await to.array(Uint8Array.from(kinds))
  await to.strings(names.map((name) => name ?? ''))
  await to.strings(texts.map((text) => text ?? ''))
}

async function loadValues(from: SnapshotReader): Promise<NumberedValues> {
  const kinds = await from.array(Uint8Array)
  const names = await from.strings()
  const texts = await from.strings()
  return {
    names: names.map((name, id) => (kinds[id] === UNUSED ? null : name)),
    texts: texts.map((text, id) => (kinds[id] === KEPT ? text : null)),
  }
}
