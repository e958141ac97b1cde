/** Writes and reads one segment of a snapshot. */
import { PARTITIONS, type Partition } from '../../../analysis/analysis.ts'
import type { Bits } from '../../columns/bitset.ts'
import type { SnapshotReader, SnapshotWriter } from '../../columns/checked-stream.ts'
import { FacetColumn } from '../../columns/facet-column.ts'
import type { IndexFiles } from '../../columns/index-files.ts'
import { Postings } from '../../columns/postings.ts'
import { PropertyColumn } from '../../columns/property-column.ts'
import { KeyColumn } from '../../columns/key-column.ts'
import { type CapturedValues, type Segment, SLOTS_MAX } from '../../columns/segment.ts'
import { VectorColumn, type VectorMemory } from '../../columns/vector-column.ts'

/**
 * Writes a frozen segment.
 * @param alive living slots when the index was captured; fewer may live now
 * @param values columns of values when the index was captured
 */
export async function saveSegment(
  to: SnapshotWriter,
  segment: Segment,
  alive: Bits,
  values: CapturedValues,
): Promise<void> {
  const { shares, textSeqs, lengths, nameLengths, rowStarts, passageStarts, passageEnds } = segment
  const { groups, owners, changedAt, seqs, signatures, numbers, properties, keys, facets } = values
  await to.strings(segment.ids)
  for (const column of [groups, owners, shares, changedAt]) await to.numbers(column)
  for (const column of [seqs, textSeqs, signatures, lengths]) await to.numbers(column)
  for (const column of [nameLengths, rowStarts, passageStarts, passageEnds]) await to.numbers(column)
  for (const field of segment.definition.numberFields) await to.numbers(numbers[field])
  await to.strings(segment.sortTexts)
  await to.array(alive)
  await to.array(segment.withVectors)
  for (const each of PARTITIONS) await to.array(segment.byPartition[each])
  await to.numbers(segment.frequencies)
  await to.array(Uint8Array.from(segment.areNamed, Number))
  await properties?.save(to)
  await keys.save(to)
  for (const column of Object.values(facets)) await column.save(to)
  for (const each of PARTITIONS) await segment.terms[each].save(to)
  await to.numbers([segment.vectors === null ? 0 : 1])
  await segment.vectors?.save(to)
}

/**
 * Fills a new segment with the columns that `saveSegment` wrote.
 * @param files takes original vectors; null for memory
 * @throws SnapshotDamaged, ArenaFull, IndexFileLost; then nothing of the segment is set
 */
export async function loadSegment(
  from: SnapshotReader,
  segment: Segment,
  memory: VectorMemory,
  files: IndexFiles | null = null,
): Promise<void> {
  const { definition } = segment
  const ids = await from.strings()
  const [groups, owners, shares, changedAt] = await readNumbers(from, 4)
  const [seqs, textSeqs, signatures, lengths] = await readNumbers(from, 4)
  const [nameLengths, rowStarts, passageStarts, passageEnds] = await readNumbers(from, 4)
  const numbers: Record<string, number[]> = {}
  for (const field of definition.numberFields) numbers[field] = await from.numbers()
  const sortTexts = await from.strings()
  const alive = await from.array(Uint32Array)
  const withVectors = await from.array(Uint32Array)
  const byPartition = {} as Record<Partition, Bits>
  for (const each of PARTITIONS) byPartition[each] = await from.array(Uint32Array)
  const frequencies = await from.numbers()
  const areNamed = Array.from(await from.array(Uint8Array), (each) => each === 1)
  const values = segment.properties?.values
  const properties = values === undefined ? null : await PropertyColumn.load(values, from)
  const keys = await KeyColumn.load(definition.keyFields, SLOTS_MAX, from)
  const facets: Record<string, FacetColumn> = {}
  for (const [field, { values: names }] of Object.entries(segment.facets)) {
    facets[field] = await FacetColumn.load(names, from)
  }
  const terms = {} as Record<Partition, Postings>
  for (const each of PARTITIONS) terms[each] = await Postings.load(from)
  const [hasVectors] = await from.numbers()
  const vectors = hasVectors === 1 ? await VectorColumn.load(memory, from, files) : null
  const places = { nameLengths, rowStarts, passageStarts, passageEnds }
  const columns = { groups, owners, shares, changedAt, seqs, textSeqs, signatures, lengths, ...places }
  const texts = { ids, sortTexts, properties, keys, facets, terms }
  segment.restore({ ...columns, ...texts, numbers, alive, withVectors, byPartition, frequencies, areNamed, vectors })
}

/** Reads the next `count` arrays of numbers. */
async function readNumbers(from: SnapshotReader, count: number): Promise<number[][]> {
  const lists: number[][] = []
  for (let i = 0; i < count; i++) lists.push(await from.numbers())
  return lists
}
