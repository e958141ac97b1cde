/** What of an index lies in its snapshot, and an index from it. Loading is reading: nothing is analysed again. */
import type { Pause } from '../../../../platform/threads/slices.ts'
import type { IndexDefinition } from '../../../engine.ts'
import type { IndexFiles } from '../../columns/index-files.ts'
import type { NumberedValues } from '../../columns/property-column.ts'
import { type IndexCapture, TenantIndex } from '../tenant-index.ts'
import type { TextAnalyser } from '../../../indexing/text-analyser.ts'
import type { VectorMemory } from '../../columns/vector-column.ts'
import { type SnapshotReader, SnapshotDamaged, type SnapshotWriter } from '../../columns/checked-stream.ts'
import { loadSegment, saveSegment } from './segment-snapshot.ts'

/** Changes with every change of what is written here or in the classes that this calls. */
const FORMAT = 2

/** How a value of a property is kept: its number is not in use, or its text is too long to be kept, or it is there. */
const [UNUSED, UNKEPT, KEPT] = [0, 1, 2]

/** What a snapshot is of. One of anything else, or of another program, is never used. */
export interface SnapshotIdentity {
  readonly tenantId: string
  readonly index: string
  readonly model: string | null
  /** Changes with the program: what it analyses, and how it reads documents from the database. */
  readonly program: string
  /** Where the database's history was; see `IndexHistory`. */
  readonly mark: string
  /** What the index took of memory and of files, before it is loaded. */
  readonly bytes: number
  readonly heapBytes: number
  readonly fileBytes: number
}

/** Numbers and names that are small beside the segments. */
interface Head extends Pick<IndexCapture, 'reached' | 'dimensions' | 'unreadable'> {
  readonly segments: number
}

/** Writes captured segments, which must be frozen. */
export async function saveIndex(
  to: SnapshotWriter,
  identity: SnapshotIdentity,
  { segments, groups, facets, properties, ...small }: IndexCapture,
): Promise<void> {
  await to.json({ format: FORMAT, ...identity })
  const head: Head = { ...small, segments: segments.length }
  await to.json(head)
  await to.strings(groups)
  for (const names of Object.values(facets)) await to.strings(names)
  if (properties !== null) await saveValues(to, properties)
  for (const { segment, alive } of segments) await saveSegment(to, segment, alive)
  await to.end()
}

/** Reads only what a snapshot is of. @throws SnapshotDamaged also when another version of the format wrote it */
export async function readIdentity(from: SnapshotReader): Promise<SnapshotIdentity> {
  const { format, ...identity } = (await from.json()) as SnapshotIdentity & { format: number }
  if (format !== FORMAT) throw new SnapshotDamaged(`format ${format} is not ${FORMAT}`)
  return identity
}

/**
 * The index that follows in the file after its identity.
 * @param files where original vectors go; null for memory
 * @throws SnapshotDamaged, ArenaFull, IndexFileLost; then all its memory is free again
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
  const facets: Record<string, string[]> = {}
  for (const field of definition.facetFields ?? []) facets[field] = await from.strings()
  const properties = definition.hasProperties ? await loadValues(from) : null
  const index = new TenantIndex(definition, memory, analyser)
  try {
    await index.restore(
      { ...head, groups, facets, properties },
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
  const kinds = names.map((name, number) => (name === null ? UNUSED : texts[number] === null ? UNKEPT : KEPT))
  await to.array(Uint8Array.from(kinds))
  await to.strings(names.map((name) => name ?? ''))
  await to.strings(texts.map((text) => text ?? ''))
}

async function loadValues(from: SnapshotReader): Promise<NumberedValues> {
  const kinds = await from.array(Uint8Array)
  const names = await from.strings()
  const texts = await from.strings()
  return {
    names: names.map((name, number) => (kinds[number] === UNUSED ? null : name)),
    texts: texts.map((text, number) => (kinds[number] === KEPT ? text : null)),
  }
}
