/**
 * Cosines of a query with the documents of an index: bounds for all of them from 8-bit codes, exact values on request.
 * docs/how-it-works/engine.md derives the bounds.
 */
import { type Bits, bitsFor, countBits, countUnion, listBits, unite } from '../columns/bitset.ts'
import { type Segment, SLOTS_MAX } from '../columns/segment.ts'
import { codeBytes, QUERY_LIMIT, QUERY_OFFSET, ROUNDING_SLACK, type VectorMemory } from '../columns/vector-column.ts'

/** Queries that share one scan of the codes. */
export const BATCH_MAX = 8
/**
 * Cost of scanning all rows for one more query, relative to a single query. The rest of the cost is reading the codes
 * from memory, which a batch does once. Measured with bench/engine.ts.
 */
const SHARED_SCAN_COST = 0.55
/**
 * Cost of scanning a listed row relative to a row in sequence: for a single query, and per query that shares the list.
 */
const LISTED_COST = 2.4
const LISTED_SHARED_COST = 1.2
/** Queries that the kernel scans a list for at once, and their total cost relative to one. */
const LISTED_TOGETHER = 4
const LISTED_TOGETHER_COST = 2

/** A query vector that is not all zeros, with its length. */
export interface Direction {
  readonly vector: Float32Array
  readonly length: number
}

/** A query, and by segment the set of slots that need bounds. */
export interface BoundRequest {
  readonly direction: Direction
  readonly masks: readonly Bits[]
}

/** A request with the number of slots that need bounds, by segment and in all. */
interface CountedRequest extends BoundRequest {
  readonly counts: readonly number[]
  readonly total: number
  /** Address of the request's highs. */
  readonly highs: number
}

/**
 * Upper bounds of the cosines of one query (highs), as float32 by slot, segment after segment; minus infinity outside
 * the mask.
 */
export interface Bounds {
  /** Address of the highs. */
  readonly highs: number
  /** The most that a cosine is below its high. */
  readonly width: number
}

/**
 * Returns the layout of arrays over all slots of all segments: the place of each segment's first slot, and the length.
 * Each segment takes whole words of 32 slots.
 */
export function placesOf(segments: readonly Segment[]): { bases: number[]; length: number } {
  const bases: number[] = []
  let length = 0
  for (const segment of segments) {
    bases.push(length)
    length += segment.bitWords * 32
  }
  return { bases, length }
}

/**
 * Bounds the cosines of up to `BATCH_MAX` queries with every slot in their masks. The addresses are valid until the
 * next call.
 */
export function boundSimilarities(
  memory: VectorMemory,
  segments: readonly Segment[],
  requests: readonly BoundRequest[],
): Bounds[] {
  const { bases, length } = placesOf(segments)
  const counted = requests.map(({ direction, masks }, i): CountedRequest => {
    const counts = masks.map(countBits)
    const total = counts.reduce((sum, count) => sum + count, 0)
    return { direction, masks, counts, total, highs: memory.scratch(`highs${i}`, length * 4) }
  })
  // Queries with the most slots come first, so that the queries that scan all rows are neighbours.
  const sorted = counted.toSorted((a, b) => b.total - a.total)
  const longest = segments.reduce((most, segment) => Math.max(most, segment.vectors?.longest ?? 1), 1)
  const queries = new QueryCodes(memory, sorted, longest)
  for (const [s, segment] of segments.entries()) {
    if (segment.slots === 0) continue
    for (const [q, { highs }] of sorted.entries()) queries.setHighs(q, highs + bases[s] * 4)
    boundSegment(memory, segment, sorted, s, queries)
  }
  const errorMax = segments.reduce((most, segment) => Math.max(most, segment.vectors?.errorMax ?? 0), 0)
  return counted.map((request) => ({
    highs: request.highs,
    width: queries.widthFor(sorted.indexOf(request), errorMax),
  }))
}

function boundSegment(
  memory: VectorMemory,
  segment: Segment,
  requests: readonly CountedRequest[],
  s: number,
  queries: QueryCodes,
): void {
  const { arena, kernel } = memory
  const { slots, bitWords } = segment
  const rows = segment.vectors?.rows ?? 0
  const dense = rows === 0 ? 0 : denseQueries(requests.map(({ counts }) => counts[s] / slots))
  const slotsAt = segment.rowSlotsAddress()
  for (let q = 0; q < requests.length; q++) {
    // A scan of all rows writes every high if rows are slots.
    if (q < dense && slotsAt === 0) continue
    const at = queries.highsOf(q) >>> 2
    arena.f32.fill(-Infinity, at, at + bitWords * 32)
  }
  if (dense > 0) scanAll(memory, segment, slotsAt, queries, dense)
  const scanned = rows === 0 ? 0 : requests.length
  for (let q = dense; q < scanned;) q += scanListed(memory, segment, requests, s, queries, q)
  const maskAt = memory.scratch('mask', SLOTS_MAX / 8)
  const allHaveRows = rows > 0 && countBits(segment.withVectors) === slots
  for (const [q, { masks, counts }] of requests.entries()) {
    if (allHaveRows && counts[s] === slots) {
      // Nothing is masked, but a scan of whole registers wrote past the last slot if rows are slots.
      const at = queries.highsOf(q) >>> 2
      arena.f32.fill(-Infinity, at + slots, at + bitWords * 32)
      continue
    }
    arena.u32.set(masks[s].subarray(0, bitWords), maskAt >>> 2)
    kernel.maskHighs(maskAt, bitWords, queries.highsOf(q))
  }
}

/**
 * Returns for how many of the first queries one scan of all rows is cheapest; the others scan lists of their rows.
 * @param shares the share of slots that each query needs, descending
 */
function denseQueries(shares: readonly number[]): number {
  let best = 0
  let saved = 0
  let bestSaved = 0
  for (const [i, share] of shares.entries()) {
    // The same share as the query before most likely means the same rows.
    const listed = share === shares[i - 1] ? LISTED_SHARED_COST : LISTED_COST
    saved += listed * share - (i === 0 ? 1 : SHARED_SCAN_COST)
    if (saved > bestSaved) {
      best = i + 1
      bestSaved = saved
    }
  }
  return best
}

/** Bytes of the facts about one query, which a scan reads; kernel.as defines their layout. */
const FACTS_BYTES = 16

/** The codes of a batch's queries, and the facts about each query, among them the address of its highs. */
class QueryCodes {
  readonly #codes: number
  readonly #facts: number
  readonly #bytes: number
  readonly #memory: VectorMemory
  readonly #errors: readonly number[]
  /** By query, the most that its error and rounding change of a cosine. */
  readonly #margins: readonly number[]

  /** @param longest length of the longest row */
  constructor(memory: VectorMemory, requests: readonly BoundRequest[], longest: number) {
    const { arena, kernel, scratch } = memory
    const dimensions = requests[0].direction.vector.length
    const bytes = codeBytes(dimensions)
    this.#memory = memory
    this.#bytes = bytes
    this.#codes = scratch('query codes', BATCH_MAX * bytes)
    this.#facts = scratch('query facts', BATCH_MAX * FACTS_BYTES)
    const residual = scratch('residual', 8)
    const original = scratch('query', dimensions * 4)
    this.#errors = requests.map(({ direction: { vector, length } }, i) => {
      arena.f32.set(vector, original >>> 2)
      const at = this.#codes + i * bytes
      const scale = kernel.quantise(original, dimensions, length, QUERY_LIMIT, QUERY_OFFSET, at, bytes, 0, residual)
      const error = arena.f64[residual >>> 3] * (1 + 1e-6)
      arena.f32.set([scale, 1 + error, (error + ROUNDING_SLACK) * longest], this.#factsOf(i) >>> 2)
      return error
    })
    this.#margins = this.#errors.map((error) => (error + ROUNDING_SLACK) * longest)
  }

  /** Returns the addresses of the codes and of the facts of this query, behind which lie those of the next ones. */
  startingWith(query: number): [codes: number, facts: number] {
    return [this.#codes + query * this.#bytes, this.#factsOf(query)]
  }

  highsOf(query: number): number {
    return this.#memory.arena.u32[(this.#factsOf(query) >>> 2) + 3]
  }

  setHighs(query: number, at: number): void {
    this.#memory.arena.u32[(this.#factsOf(query) >>> 2) + 3] = at
  }

  /** Returns the most that a cosine can be below its high if no row's codes leave out more than `errorMax`. */
  widthFor(query: number, errorMax: number): number {
    return 2 * (errorMax * (1 + this.#errors[query]) + this.#margins[query]) * (1 + 1e-6)
  }

  #factsOf(query: number): number {
    return this.#facts + query * FACTS_BYTES
  }
}

function scanAll(
  { kernel }: VectorMemory,
  segment: Segment,
  slotsAt: number,
  queries: QueryCodes,
  count: number,
): void {
  const { codes, scales, sums, errors, rows, dimensions } = segment.vectors!
  const [at, facts] = queries.startingWith(0)
  kernel.scanAll(codes, codeBytes(dimensions), scales, sums, errors, slotsAt, rows, at, facts, count)
}

/**
 * Scans the rows that query `first` needs, together with the following queries that need mostly the same rows.
 * @param s index of the segment
 * @returns the number of queries that were scanned
 */
function scanListed(
  memory: VectorMemory,
  segment: Segment,
  requests: readonly CountedRequest[],
  s: number,
  queries: QueryCodes,
  first: number,
): number {
  const { bitWords } = segment
  const union = unionBits.subarray(0, bitWords)
  union.set(requests[first].masks[s].subarray(0, bitWords))
  let cost = requests[first].counts[s]
  let count = 1
  for (; count < LISTED_TOGETHER && first + count < requests.length; count++) {
    const next = requests[first + count].masks[s]
    const together = LISTED_TOGETHER_COST * countUnion(union, next)
    const apart = cost + requests[first + count].counts[s]
    if (together > apart) break
    unite(union, next)
    cost = together
  }
  const list = listRows(memory, segment, unionSlots, listBits(union, unionSlots))
  if (list.count === 0) return count
  const slotsAt = segment.rowSlotsAddress()
  const { codes, scales, sums, errors, dimensions } = segment.vectors!
  const bytes = codeBytes(dimensions)
  const [at, facts] = queries.startingWith(first)
  memory.kernel.scanListed(codes, bytes, scales, sums, errors, slotsAt, list.at, list.count, at, facts, count)
  return count
}

/** The slots that the queries of one `scanListed` need, as a set and as a list. */
const unionBits = bitsFor(SLOTS_MAX)
const unionSlots = new Uint32Array(SLOTS_MAX)

/**
 * Writes the rows of the first `count` of `slots` as a list for the kernel, padded with the last row.
 * @returns the address and the length of the list, without the padding
 */
function listRows(
  memory: VectorMemory,
  segment: Segment,
  slots: ArrayLike<number>,
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

/**
 * Computes exact cosines of a query with `slots` of one segment. Writes each slot's highest cosine to `similarities`
 * and its row to `rows`, starting at index `from`. A slot without passages keeps its similarity and gets row -1.
 */
export function exactSimilarities(
  memory: VectorMemory,
  segment: Segment,
  slots: readonly number[],
  { vector, length }: Direction,
  similarities: number[],
  rows: number[],
  from: number,
): void {
  const { vectors, rowStarts } = segment
  rows.fill(-1, from, from + slots.length)
  if (vectors === null || slots.length === 0) return
  const list = listRows(memory, segment, slots, slots.length)
  if (list.count === 0) return
  const out = memory.scratch('exact', (list.count + 4) * 8)
  const query = memory.scratch('query', vector.byteLength)
  const { arena, kernel } = memory
  arena.f32.set(vector, query >>> 2)
  let to = out
  vectors.eachPortion(list.at, list.count, (portion) => {
    const { norms, count } = portion
    kernel.exactListed(portion.vectors, vectors.dimensions, norms, portion.list, count, query, length, to)
    to += count * 8
  })
  const { f64 } = arena
  let at = out >>> 3
  for (let i = 0; i < slots.length; i++) {
    for (let row = rowStarts[slots[i]]; row < rowStarts[slots[i] + 1]; row++) {
      const similarity = f64[at++]
      if (rows[from + i] >= 0 && similarity <= similarities[from + i]) continue
      similarities[from + i] = similarity
      rows[from + i] = row
    }
  }
}
