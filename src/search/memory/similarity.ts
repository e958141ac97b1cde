/**
 * Cosines of one query with the documents of an index: bounds for all from the 8-bit codes, exact values
 * for those asked for. docs/search-engine.md derives the bounds.
 */
import { type Bits, countBits, listBits } from './bitset.ts'
import { type Segment, SLOTS_MAX } from './segment.ts'
import { codeBytes, norm, QUERY_LIMIT, QUERY_OFFSET, ROUNDING_SLACK, type VectorMemory } from './vector-column.ts'

/** Queries that share one pass over the codes. */
export const BATCH_MAX = 8
/**
 * What scanning all rows for one more query costs, as a share of what it costs for one alone: the rest is
 * reading the codes from memory, which a batch does once. Measured with bench/engine.ts.
 */
const SHARED_SCAN_COST = 0.2
/** Rows one by one cost more than rows in a row. */
const LISTED_COST = 1.6

/** A query vector and the set of slots, by segment, whose bounds are wanted. */
export interface BoundRequest {
  readonly vector: Float32Array
  readonly masks: readonly Bits[]
}

/** Where a query's bounds are: float32 by slot, segment after segment from `bases`; minus infinity outside the mask. */
export interface Bounds {
  readonly lows: number
  readonly highs: number
}

/** First place of each segment in arrays over all of them, whole words each, and the length of such arrays. */
export function layOut(segments: readonly Segment[]): { bases: number[]; length: number } {
  const bases: number[] = []
  let length = 0
  for (const segment of segments) {
    bases.push(length)
    length += segment.words * 32
  }
  return { bases, length }
}

/**
 * Sound bounds of the cosine of up to `BATCH_MAX` queries with every slot in their masks.
 * Addresses are good until the next call.
 */
export function boundSimilarities(
  memory: VectorMemory,
  segments: readonly Segment[],
  requests: readonly BoundRequest[],
): Bounds[] {
  const { bases, length } = layOut(segments)
  const bounds = requests.map((_, i) => ({
    lows: memory.scratch(`lows${i}`, length * 4),
    highs: memory.scratch(`highs${i}`, length * 4),
  }))
  // Queries that want most come first, so that those to scan all rows for are neighbours.
  const order = requests.map(({ masks }, i) => ({ i, wanted: masks.reduce((sum, mask) => sum + countBits(mask), 0) }))
  order.sort((a, b) => b.wanted - a.wanted)
  const sorted = order.map(({ i }) => requests[i])
  const queries = quantiseQueries(memory, sorted)
  for (const [s, segment] of segments.entries()) {
    if (segment.slots === 0) continue
    const rows = segment.vectors?.rows ?? 0
    const estimates = memory.scratch('estimates', requests.length * segment.rowCapacity * 4)
    const dense = rows === 0 ? 0 : denseQueries(sorted.map(({ masks }) => countBits(masks[s]) / segment.slots))
    if (dense > 0) scanAll(memory, segment, queries, dense, estimates)
    for (const [q, { masks }] of sorted.entries()) {
      const at = estimates + q * segment.rowCapacity * 4
      if (q >= dense && rows > 0) scanListed(memory, segment, masks[s], queries, q, at)
      const { lows, highs } = bounds[order[q].i]
      boundSegment(memory, segment, masks[s], at, queries.errors[q], lows + bases[s] * 4, highs + bases[s] * 4)
    }
  }
  return bounds
}

/**
 * How many of the first queries one pass over all rows is best made for, given the share of the rows that
 * each wants; the others scan the rows they want.
 */
function denseQueries(shares: readonly number[]): number {
  let best = 0
  let saved = 0
  let bestSaved = 0
  for (const [i, share] of shares.entries()) {
    saved += LISTED_COST * share - (i === 0 ? 1 : SHARED_SCAN_COST)
    if (saved > bestSaved) {
      best = i + 1
      bestSaved = saved
    }
  }
  return best
}

interface QueryCodes {
  readonly codes: number
  readonly scales: number
  readonly errors: readonly number[]
}

function quantiseQueries({ arena, kernel, scratch }: VectorMemory, requests: readonly BoundRequest[]): QueryCodes {
  const dimensions = requests[0].vector.length
  const bytes = codeBytes(dimensions)
  const codes = scratch('query codes', BATCH_MAX * bytes)
  const scales = scratch('query scales', BATCH_MAX * 4)
  const residual = scratch('residual', 8)
  const original = scratch('query', dimensions * 4)
  const errors = requests.map(({ vector }, i) => {
    arena.f32.set(vector, original >>> 2)
    const at = codes + i * bytes
    const length = norm(vector)
    const scale = kernel.quantise(original, dimensions, length, QUERY_LIMIT, QUERY_OFFSET, at, bytes, 0, residual)
    arena.f32[(scales >>> 2) + i] = scale
    return arena.f64[residual >>> 3] * (1 + 1e-6)
  })
  return { codes, scales, errors }
}

function scanAll(
  { kernel }: VectorMemory,
  segment: Segment,
  queries: QueryCodes,
  count: number,
  estimates: number,
): void {
  const { vectors } = segment
  if (vectors === null) return
  const bytes = codeBytes(vectors.dimensions)
  const stride = segment.rowCapacity
  const { codes, scales } = queries
  kernel.scanAll(
    vectors.codes,
    bytes,
    vectors.scales,
    vectors.sums,
    vectors.rows,
    codes,
    scales,
    count,
    estimates,
    stride,
  )
}

function scanListed(
  memory: VectorMemory,
  segment: Segment,
  mask: Bits,
  queries: QueryCodes,
  query: number,
  estimates: number,
): void {
  const vectors = segment.vectors!
  const count = listBits(mask, slots)
  const list = listRows(memory, segment, slots, count)
  if (list.count === 0) return
  const bytes = codeBytes(vectors.dimensions)
  const scale = memory.arena.f32[(queries.scales >>> 2) + query]
  const { codes, scales, sums } = vectors
  const at = queries.codes + query * bytes
  memory.kernel.scanListed(codes, bytes, scales, sums, list.at, list.count, at, scale, estimates)
}

const slots = new Uint32Array(SLOTS_MAX)

/** The rows of the first `count` of `slots` as a list for the kernel, padded with its last row. */
function listRows(
  memory: VectorMemory,
  segment: Segment,
  slots: Uint32Array,
  count: number,
): { at: number; count: number } {
  const { rowStarts } = segment
  let rows = 0
  for (let i = 0; i < count; i++) rows += rowStarts[slots[i] + 1] - rowStarts[slots[i]]
  const at = memory.scratch('list', (rows + 4) * 4)
  const list = memory.arena.u32
  let to = at >>> 2
  for (let i = 0; i < count; i++) {
    for (let row = rowStarts[slots[i]]; row < rowStarts[slots[i] + 1]; row++) list[to++] = row
  }
  if (rows > 0) for (let i = 0; i < 3; i++) list[to + i] = list[to - 1]
  return { at, count: rows }
}

function boundSegment(
  memory: VectorMemory,
  segment: Segment,
  mask: Bits,
  estimates: number,
  queryError: number,
  lows: number,
  highs: number,
): void {
  const { arena, kernel } = memory
  const maskAt = memory.scratch('mask', SLOTS_MAX / 8)
  const starts = segment.rowStartsAddress()
  arena.u32.set(mask, maskAt >>> 2)
  const errors = segment.vectors?.errors ?? 0
  kernel.boundSlots(maskAt, segment.slots, starts, estimates, errors, queryError, ROUNDING_SLACK, lows, highs)
}

/**
 * Exact cosines of a query with `slots` of one segment: that of each slot's best passage into `similarities`,
 * and which row it is into `rows` (0 and -1 when it has none).
 */
export function exactSimilarities(
  memory: VectorMemory,
  segment: Segment,
  slots: Uint32Array,
  vector: Float32Array,
  similarities: Float64Array,
  rows: Int32Array,
): void {
  const { vectors, rowStarts } = segment
  rows.fill(-1)
  if (vectors === null || slots.length === 0) return
  const list = listRows(memory, segment, slots, slots.length)
  if (list.count === 0) return
  const out = memory.scratch('exact', (list.count + 4) * 8)
  const query = memory.scratch('query', vector.byteLength)
  const { arena, kernel } = memory
  arena.f32.set(vector, query >>> 2)
  kernel.exactListed(vectors.vectors, vectors.dimensions, vectors.norms, list.at, list.count, query, norm(vector), out)
  const { f64 } = arena
  let at = out >>> 3
  for (let i = 0; i < slots.length; i++) {
    for (let row = rowStarts[slots[i]]; row < rowStarts[slots[i] + 1]; row++) {
      const similarity = f64[at++]
      if (rows[i] >= 0 && similarity <= similarities[i]) continue
      similarities[i] = similarity
      rows[i] = row
    }
  }
}
