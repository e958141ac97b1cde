// The arithmetic of vector search, in AssemblyScript. Compiled by scripts/build-kernel.ts to
// kernel.wasm and, with relaxed SIMD, to kernel-relaxed.wasm; both give the same results bit for bit.
// All arguments that are not counts or numbers are addresses in the one imported memory.

// Sums four products of 8-bit codes into each 32-bit lane. `b` holds 0 to 127 only, `a` -127 to 127, so no pair of
// products exceeds 16 bits (2 x 127 x 127 = 32258) and relaxed SIMD is exact.
// @ts-ignore: decorator
@inline
function dot16(a: v128, b: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(a, b, sum)
  const low = i16x8.extmul_low_i8x16_s(a, b)
  const high = i16x8.extmul_high_i8x16_s(a, b)
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(i16x8.add(low, high)))
}

// The sums of the lanes of four vectors, one per lane.
// @ts-ignore: decorator
@inline
function sumLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  return sums4(halves(a, b), halves(c, d))
}

// @ts-ignore: decorator
@inline
function dot4(a: usize, b: usize, c: usize, d: usize, query: usize, bytes: usize): v128 {
  let sumA = i32x4.splat(0)
  let sumB = i32x4.splat(0)
  let sumC = i32x4.splat(0)
  let sumD = i32x4.splat(0)
  for (let i: usize = 0; i < bytes; i += 16) {
    const q = v128.load(query + i)
    sumA = dot16(v128.load(a + i), q, sumA)
    sumB = dot16(v128.load(b + i), q, sumB)
    sumC = dot16(v128.load(c + i), q, sumC)
    sumD = dot16(v128.load(d + i), q, sumD)
  }
  return sumLanes(sumA, sumB, sumC, sumD)
}

// Rows whose codes stay in the processor's caches while all queries of a batch scan them.
const BLOCK: i32 = 128

// Reads one word of every cache line of listed rows, so hundreds of lines are fetched at a time; the arithmetic alone
// would wait for a few. The result is kept so that no compiler removes the reads.
const LINE: usize = 64
let fetched: u32 = 0

function fetchListed(codes: usize, bytes: usize, list: usize, from: i32, to: i32): void {
  let sum: u32 = 0
  for (let row: i32 = from; row < to; row++) {
    const at = codes + <usize>load<u32>(list + (<usize>row << 2)) * bytes
    for (let i: usize = 0; i < bytes; i += LINE) sum += load<u32>(at + i)
  }
  fetched = sum
}

// The facts that a scan needs about a query, 16 bytes each: the scale of its codes, 1 + its error, its error and the
// rounding slack, all float32, and the address of its highs.
const FACTS: usize = 16

// Upper bounds of the cosines of four rows with a query, from the dot products of their codes.
// @ts-ignore: decorator
@inline
function highs4(dots: v128, scales: v128, sums: v128, errors: v128, facts: usize): v128 {
  const exact = f32x4.convert_i32x4_s(i32x4.sub(dots, sums))
  const scale = f32x4.mul(scales, v128.load32_splat(facts))
  const margin = f32x4.add(f32x4.mul(errors, v128.load32_splat(facts, 4)), v128.load32_splat(facts, 8))
  return f32x4.add(f32x4.mul(scale, exact), margin)
}

// A slot's high is the highest of its rows' highs. `slots` gives each row's slot; it is 0 if rows are slots.
// @ts-ignore: decorator
@inline
function putHighs(values: v128, row: i32, rows: i32, slots: usize, highs: usize): void {
  if (slots == 0) {
    v128.store(highs + (<usize>row << 2), values)
    return
  }
  const at = slots + (<usize>row << 2)
  putHigh(values, at, highs)
  if (row + 4 <= rows) {
    putHigh(v128.shuffle<f32>(values, values, 1, 1, 1, 1), at + 4, highs)
    putHigh(v128.shuffle<f32>(values, values, 2, 2, 2, 2), at + 8, highs)
    putHigh(v128.shuffle<f32>(values, values, 3, 3, 3, 3), at + 12, highs)
    return
  }
  if (row + 1 < rows) putHigh(v128.shuffle<f32>(values, values, 1, 1, 1, 1), at + 4, highs)
  if (row + 2 < rows) putHigh(v128.shuffle<f32>(values, values, 2, 2, 2, 2), at + 8, highs)
}

// Keeps the greater of a place's value and the first lane of `values`. It has no branch, because no processor can
// predict which of a document's passages is best.
// @ts-ignore: decorator
@inline
function putHigh(values: v128, slotAt: usize, highs: usize): void {
  const to = highs + (<usize>load<u32>(slotAt) << 2)
  v128.store32_lane(to, f32x4.pmax(v128.load32_zero(to), values), 0)
}

// Upper bounds of the cosines of all rows below `rows` (columns have room up to a multiple of 4) with `queries`
// queries, by slot: scale[row] * query scale * (codes . query codes) + error[row] * (1 + query error) + query error +
// slack. Query codes are offset by 64 to be unsigned; `sums` holds 64 times the sum of each row's codes. If rows are
// not slots, highs must start as minus infinity.
export function scanAll(
  codes: usize, bytes: usize, scales: usize, sums: usize, errors: usize, slots: usize, rows: i32,
  queryCodes: usize, facts: usize, queries: i32,
): void {
  let from: i32 = 0
  if (queries < TOGETHER_MIN) {
    const quarter = (rows >> 4) << 2
    for (; from < quarter; from += BLOCK / 4) {
      const to = min(from + BLOCK / 4, quarter)
      for (let q: i32 = 0; q < queries; q++) {
        const query = queryCodes + <usize>q * bytes
        scanQuarters(codes, bytes, scales, sums, errors, slots, quarter, from, to, query, facts + <usize>q * FACTS)
      }
    }
    from = 4 * quarter
  }
  for (; from < rows; from += BLOCK) {
    const to = min(from + BLOCK, rows)
    scanBlock(codes, bytes, scales, sums, errors, slots, 0, from, to, queryCodes, facts, queries)
  }
}

// One query and the rows from `from` to `to` in each of four quarters of `quarter` rows (a multiple of 4), a row of each
// at a time. Memory delivers four sequences that are far apart nearly twice as fast as rows that follow each other,
// because the processor reads ahead in each sequence by itself.
function scanQuarters(
  codes: usize, bytes: usize, scales: usize, sums: usize, errors: usize, slots: usize, quarter: i32, from: i32, to: i32,
  query: usize, facts: usize,
): void {
  const step = <usize>quarter * bytes
  for (let row: i32 = from; row < to; row += 4) {
    const at = codes + <usize>row * bytes
    const first = dotQuarters(at, step, query, bytes)
    const second = dotQuarters(at + bytes, step, query, bytes)
    const third = dotQuarters(at + 2 * bytes, step, query, bytes)
    const fourth = dotQuarters(at + 3 * bytes, step, query, bytes)
    // Each lane belongs to a quarter. Transposed, each vector does.
    const low12 = v128.shuffle<i32>(first, second, 0, 4, 1, 5)
    const low34 = v128.shuffle<i32>(third, fourth, 0, 4, 1, 5)
    const high12 = v128.shuffle<i32>(first, second, 2, 6, 3, 7)
    const high34 = v128.shuffle<i32>(third, fourth, 2, 6, 3, 7)
    putRows(v128.shuffle<i64>(low12, low34, 0, 2), scales, sums, errors, facts, row, slots)
    putRows(v128.shuffle<i64>(low12, low34, 1, 3), scales, sums, errors, facts, row + quarter, slots)
    putRows(v128.shuffle<i64>(high12, high34, 0, 2), scales, sums, errors, facts, row + 2 * quarter, slots)
    putRows(v128.shuffle<i64>(high12, high34, 1, 3), scales, sums, errors, facts, row + 3 * quarter, slots)
  }
}

// The dot products of a query with four rows that are `step` bytes apart.
// @ts-ignore: decorator
@inline
function dotQuarters(row: usize, step: usize, query: usize, bytes: usize): v128 {
  return dot4(row, row + step, row + 2 * step, row + 3 * step, query, bytes)
}

// Writes the highs of four rows that follow each other.
// @ts-ignore: decorator
@inline
function putRows(
  dots: v128, scales: usize, sums: usize, errors: usize, facts: usize, row: i32, slots: usize,
): void {
  const scale = columnOf(scales, 0, row)
  put(dots, scale, columnOf(sums, 0, row), columnOf(errors, 0, row), facts, row, row + 4, slots, 0)
}

// Adds the lanes of two vectors by halves; two of these make four sums.
// @ts-ignore: decorator
@inline
function halves(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
}

// @ts-ignore: decorator
@inline
function sums4(ab: v128, cd: v128): v128 {
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3))
}

// Scans the rows of one block for all queries: the listed rows, or all rows if there is no list.
function scanBlock(
  codes: usize, bytes: usize, scales: usize, sums: usize, errors: usize, slots: usize, list: usize, from: i32, to: i32,
  queryCodes: usize, facts: usize, queries: i32,
): void {
  for (let q: i32 = 0; q < queries;) {
    const left = queries - q
    if (left < TOGETHER_MIN) {
      const query = queryCodes + <usize>q * bytes
      scanBlock1(codes, bytes, scales, sums, errors, slots, list, from, to, query, facts + <usize>q * FACTS)
      q++
    } else {
      scanBlock4(codes, bytes, scales, sums, errors, slots, list, from, to, queryCodes, facts, q, queries - 1)
      q += 4
    }
  }
}

// From this many queries on, four at a time cost less than each alone, even if the last one is counted twice.
const TOGETHER_MIN: i32 = 3

// Four queries from `q` on at a time and two rows: enough work per row to hide the time of fetching it. If fewer than
// four are left, the query numbered `last` is scanned again, which changes nothing.
function scanBlock4(
  codes: usize, bytes: usize, scales: usize, sums: usize, errors: usize, slots: usize, list: usize, from: i32, to: i32,
  queryCodes: usize, facts: usize, q: i32, last: i32,
): void {
  const second = <usize>min(q + 1, last)
  const third = <usize>min(q + 2, last)
  const fourth = <usize>min(q + 3, last)
  const q0 = queryCodes + <usize>q * bytes
  const q1 = queryCodes + second * bytes
  const q2 = queryCodes + third * bytes
  const q3 = queryCodes + fourth * bytes
  for (let row: i32 = from; row < to; row += 4) {
    let ab0 = i32x4.splat(0)
    let ab1 = i32x4.splat(0)
    let ab2 = i32x4.splat(0)
    let ab3 = i32x4.splat(0)
    for (let half: i32 = 0; half < 4; half += 2) {
      const a = codes + rowAt(list, row + half) * bytes
      const b = codes + rowAt(list, row + half + 1) * bytes
      let a0 = i32x4.splat(0)
      let a1 = i32x4.splat(0)
      let a2 = i32x4.splat(0)
      let a3 = i32x4.splat(0)
      let b0 = i32x4.splat(0)
      let b1 = i32x4.splat(0)
      let b2 = i32x4.splat(0)
      let b3 = i32x4.splat(0)
      for (let i: usize = 0; i < bytes; i += 16) {
        const rowA = v128.load(a + i)
        const rowB = v128.load(b + i)
        const c0 = v128.load(q0 + i)
        a0 = dot16(rowA, c0, a0)
        b0 = dot16(rowB, c0, b0)
        const c1 = v128.load(q1 + i)
        a1 = dot16(rowA, c1, a1)
        b1 = dot16(rowB, c1, b1)
        const c2 = v128.load(q2 + i)
        a2 = dot16(rowA, c2, a2)
        b2 = dot16(rowB, c2, b2)
        const c3 = v128.load(q3 + i)
        a3 = dot16(rowA, c3, a3)
        b3 = dot16(rowB, c3, b3)
      }
      if (half == 0) {
        ab0 = halves(a0, b0)
        ab1 = halves(a1, b1)
        ab2 = halves(a2, b2)
        ab3 = halves(a3, b3)
      } else {
        const scale = columnOf(scales, list, row)
        const sum = columnOf(sums, list, row)
        const error = columnOf(errors, list, row)
        put(sums4(ab0, halves(a0, b0)), scale, sum, error, facts + <usize>q * FACTS, row, to, slots, list)
        put(sums4(ab1, halves(a1, b1)), scale, sum, error, facts + second * FACTS, row, to, slots, list)
        put(sums4(ab2, halves(a2, b2)), scale, sum, error, facts + third * FACTS, row, to, slots, list)
        put(sums4(ab3, halves(a3, b3)), scale, sum, error, facts + fourth * FACTS, row, to, slots, list)
      }
    }
  }
}

// One query: for those left over by scans of four, for lists, and for the last rows behind the quarters.
function scanBlock1(
  codes: usize, bytes: usize, scales: usize, sums: usize, errors: usize, slots: usize, list: usize, from: i32, to: i32,
  query: usize, facts: usize,
): void {
  for (let row: i32 = from; row < to; row += 4) {
    const a = codes + rowAt(list, row) * bytes
    const b = codes + rowAt(list, row + 1) * bytes
    const c = codes + rowAt(list, row + 2) * bytes
    const d = codes + rowAt(list, row + 3) * bytes
    const dots = dot4(a, b, c, d, query, bytes)
    const scale = columnOf(scales, list, row)
    put(dots, scale, columnOf(sums, list, row), columnOf(errors, list, row), facts, row, to, slots, list)
  }
}

// The row numbered `i` of a list; `i` itself if there is no list.
// @ts-ignore: decorator
@inline
function rowAt(list: usize, i: i32): usize {
  return list == 0 ? <usize>i : <usize>load<u32>(list + (<usize>i << 2))
}

// One column's values for four rows, starting with row number `i`.
// @ts-ignore: decorator
@inline
function columnOf(column: usize, list: usize, i: i32): v128 {
  if (list == 0) return v128.load(column + (<usize>i << 2))
  const a = v128.load32_zero(column + (rowAt(list, i) << 2))
  const b = v128.load32_lane(column + (rowAt(list, i + 1) << 2), a, 1)
  const c = v128.load32_lane(column + (rowAt(list, i + 2) << 2), b, 2)
  return v128.load32_lane(column + (rowAt(list, i + 3) << 2), c, 3)
}

// Writes the highs of four rows for a query.
// @ts-ignore: decorator
@inline
function put(
  dots: v128, scales: v128, sums: v128, errors: v128, facts: usize, row: i32, rows: i32, slots: usize, list: usize,
): void {
  const values = highs4(dots, scales, sums, errors, facts)
  const highs = <usize>load<u32>(facts, 12)
  if (list == 0) putHighs(values, row, rows, slots, highs)
  else putListed(values, list + (<usize>row << 2), slots, highs)
}

// Like `scanAll` for listed rows (32-bit numbers, padded with any of them to a multiple of 4). Highs must start as
// minus infinity.
export function scanListed(
  codes: usize, bytes: usize, scales: usize, sums: usize, errors: usize, slots: usize, list: usize, count: i32,
  queryCodes: usize, facts: usize, queries: i32,
): void {
  for (let from: i32 = 0; from < count; from += BLOCK) {
    const to = min(from + BLOCK, count)
    fetchListed(codes, bytes, list, from, to)
    scanBlock(codes, bytes, scales, sums, errors, slots, list, from, to, queryCodes, facts, queries)
  }
}

// Writes the highs of the four rows listed at `at`.
// @ts-ignore: decorator
@inline
function putListed(values: v128, at: usize, slots: usize, highs: usize): void {
  putHigh(values, slotAt(slots, at), highs)
  putHigh(v128.shuffle<f32>(values, values, 1, 1, 1, 1), slotAt(slots, at + 4), highs)
  putHigh(v128.shuffle<f32>(values, values, 2, 2, 2, 2), slotAt(slots, at + 8), highs)
  putHigh(v128.shuffle<f32>(values, values, 3, 3, 3, 3), slotAt(slots, at + 12), highs)
}

// The address of the slot of the row listed at `at`: in its column, or in the list itself if rows are slots.
// @ts-ignore: decorator
@inline
function slotAt(slots: usize, at: usize): usize {
  return slots == 0 ? at : slots + (<usize>load<u32>(at) << 2)
}

// Sets the high of slots in `mask` without rows, still minus infinity, to the cosine 0, and of slots outside the mask
// to minus infinity. Works on whole words of 32 slots.
export function maskHighs(mask: usize, words: i32, highs: usize): void {
  const out = f32x4.splat(-Infinity)
  const zero = f32x4.splat(0)
  const lanes = i32x4(1, 2, 4, 8)
  for (let word: i32 = 0; word < words; word++) {
    const bits = load<u32>(mask + (<usize>word << 2))
    const base = highs + (<usize>word << 7)
    for (let i: i32 = 0; i < 8; i++) {
      const at = base + (<usize>i << 4)
      const isIn = i32x4.ne(v128.and(i32x4.splat(bits >> (i << 2)), lanes), zero)
      const value = v128.load(at)
      v128.store(at, v128.bitselect(v128.bitselect(zero, value, f32x4.eq(value, out)), out, isIn))
    }
  }
}

// How many rows of four bytes a dimension are fetched at a time.
const EXACT_BLOCK: i32 = 16

// Exact cosines of the listed rows (padded to a multiple of 4): float64 sums in index order over the stored float32
// components, divided by both norms. `norms` holds the float64 norm of each row; `query` is float32. If either norm is
// zero the cosine is 0.
export function exactListed(
  vectors: usize, dimensions: i32, norms: usize, list: usize, count: i32,
  query: usize, queryNorm: f64, out: usize,
): void {
  const bytes = <usize>dimensions << 2
  for (let i: i32 = 0; i < count; i += 4) {
    if ((i & (EXACT_BLOCK - 1)) == 0) fetchListed(vectors, bytes, list, i, min(i + EXACT_BLOCK, count))
    const at = list + (<usize>i << 2)
    const rowA = <usize>load<u32>(at)
    const rowB = <usize>load<u32>(at, 4)
    const rowC = <usize>load<u32>(at, 8)
    const rowD = <usize>load<u32>(at, 12)
    const a = vectors + rowA * bytes
    const b = vectors + rowB * bytes
    const c = vectors + rowC * bytes
    const d = vectors + rowD * bytes
    let ab = f64x2.splat(0)
    let cd = f64x2.splat(0)
    for (let k: usize = 0; k < bytes; k += 4) {
      const q = f64x2.splat(<f64>load<f32>(query + k))
      ab = f64x2.add(ab, f64x2.mul(pair(a + k, b + k), q))
      cd = f64x2.add(cd, f64x2.mul(pair(c + k, d + k), q))
    }
    const to = out + (<usize>i << 3)
    store<f64>(to, cosine(f64x2.extract_lane(ab, 0), load<f64>(norms + (rowA << 3)), queryNorm))
    store<f64>(to, cosine(f64x2.extract_lane(ab, 1), load<f64>(norms + (rowB << 3)), queryNorm), 8)
    store<f64>(to, cosine(f64x2.extract_lane(cd, 0), load<f64>(norms + (rowC << 3)), queryNorm), 16)
    store<f64>(to, cosine(f64x2.extract_lane(cd, 1), load<f64>(norms + (rowD << 3)), queryNorm), 24)
  }
}

// Widens two float32 to float64.
// @ts-ignore: decorator
@inline
function pair(a: usize, b: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load32_lane(b, v128.load32_zero(a), 1))
}

// A cosine that is over 1 in magnitude by rounding is 1. That of a stand-in, a longer vector, may be over it by more.
// @ts-ignore: decorator
@inline
function cosine(dot: f64, norm: f64, queryNorm: f64): f64 {
  if (norm == 0 || queryNorm == 0) return 0
  const value = dot / (norm * queryNorm)
  return abs(value) < 1 + 1e-12 ? max<f64>(-1, min<f64>(1, value)) : value
}

// Quantises a vector of `dimensions` float32 components, scaled to length 1 by `norm`, to codes of at most `limit` in
// magnitude. `offset` is added to each code, and the codes are padded with `offset` to `bytes`. Writes the sum of the
// codes (without offset) to `sum` (i32) unless that address is 0. Returns the scale. `residual` (f64) gets the length of the
// difference between the vector and its codes, computed with the float32 scale.
export function quantise(
  vector: usize, dimensions: i32, norm: f64, limit: i32, offset: i32,
  codes: usize, bytes: i32, sum: usize, residual: usize,
): f32 {
  let largest: f64 = 0
  for (let i: i32 = 0; i < dimensions; i++) {
    largest = max(largest, abs(<f64>load<f32>(vector + (<usize>i << 2))))
  }
  const scale = norm > 0 ? <f32>(largest / norm / <f64>limit) : <f32>0
  let codeSum: i32 = 0
  let squares: f64 = 0
  for (let i: i32 = 0; i < bytes; i++) {
    let code: i32 = 0
    if (i < dimensions && scale > 0) {
      const value = <f64>load<f32>(vector + (<usize>i << 2)) / norm
      code = <i32>max<f64>(-limit, min<f64>(limit, nearest(value / <f64>scale)))
      const rest = value - <f64>scale * <f64>code
      squares += rest * rest
    }
    codeSum += code
    store<i8>(codes + <usize>i, <i8>(code + offset))
  }
  if (sum != 0) store<i32>(sum, codeSum)
  store<f64>(residual, Math.sqrt(squares))
  return scale
}

// Removes the slots whose high is under `minimum` from the mask and sets their high to minus infinity. Lists the places
// (slot + `base`, 32-bit) of remaining slots whose high is under `sure`. Returns how many. Works on whole words of 32
// slots.
export function cutHighs(
  mask: usize, words: i32, highs: usize, minimum: f32, sure: f32, base: i32, out: usize,
): i32 {
  let found: i32 = 0
  const gone = f32x4.splat(-Infinity)
  const least = f32x4.splat(minimum)
  const safe = f32x4.splat(sure)
  const lanes = i32x4(1, 2, 4, 8)
  for (let word: i32 = 0; word < words; word++) {
    const maskAt = mask + (<usize>word << 2)
    const bits = load<u32>(maskAt)
    if (bits == 0) continue
    let kept: u32 = 0
    let unsure: u32 = 0
    for (let i: i32 = 0; i < 8; i++) {
      const at = highs + (<usize>word << 7) + (<usize>i << 4)
      const value = v128.load(at)
      const isIn = i32x4.ne(v128.and(i32x4.splat(bits >> (i << 2)), lanes), i32x4.splat(0))
      const isKept = f32x4.ge(value, least)
      v128.store(at, v128.bitselect(gone, value, v128.andnot(isIn, isKept)))
      kept |= <u32>i32x4.bitmask(isKept) << (i << 2)
      unsure |= <u32>i32x4.bitmask(f32x4.lt(value, safe)) << (i << 2)
    }
    store<u32>(maskAt, bits & kept)
    unsure &= bits & kept
    while (unsure != 0) {
      store<u32>(out + (<usize>found << 2), base + (word << 5) + <i32>ctz(unsure))
      unsure &= unsure - 1
      found++
    }
  }
  return found
}

// Turns highs of cosines into highs of scores: weight * cosine + `slack`. If the weight is negative, the lowest cosine
// counts, which is at most `width` below the high. Minus infinity stays. Works on a multiple of 4 values.
export function scaleHighs(highs: usize, count: i32, weight: f32, width: f32, slack: f32): void {
  const out = f32x4.splat(-Infinity)
  const factor = f32x4.splat(weight)
  const more = f32x4.splat((weight < 0 ? -weight * width : 0) + slack)
  for (let i: i32 = 0; i < count; i += 4) {
    const at = highs + (<usize>i << 2)
    const high = v128.load(at)
    v128.store(at, v128.bitselect(out, f32x4.add(f32x4.mul(high, factor), more), f32x4.eq(high, out)))
  }
}

// Raises the places in `mask` to what their cosine gives in place of coverage: cosine high x factor + more, where that is
// higher. `cosines` holds the highs before `scaleHighs`.
export function raiseHighs(
  mask: usize, words: i32, cosines: usize, highs: usize, factor: f32, more: f32,
): void {
  const factors = f32x4.splat(factor)
  const mores = f32x4.splat(more)
  const zero = f32x4.splat(0)
  const lanes = i32x4(1, 2, 4, 8)
  for (let word: i32 = 0; word < words; word++) {
    const bits = load<u32>(mask + (<usize>word << 2))
    if (bits == 0) continue
    for (let i: i32 = 0; i < 8; i++) {
      const at = (<usize>word << 7) + (<usize>i << 4)
      const isIn = i32x4.ne(v128.and(i32x4.splat(bits >> (i << 2)), lanes), zero)
      const value = v128.load(highs + at)
      const raised = f32x4.add(f32x4.mul(v128.load(cosines + at), factors), mores)
      v128.store(highs + at, v128.bitselect(f32x4.pmax(value, raised), value, isIn))
    }
  }
}

// Offers values (a multiple of 4; minus infinity stands for none) to a heap that keeps the `capacity` largest, the
// smallest of them first. Returns how many values the heap then holds.
export function offerAll(values: usize, count: i32, heap: usize, capacity: i32): i32 {
  let held: i32 = 0
  let i: i32 = 0
  for (; i < count && held < capacity; i++) {
    const value = load<f32>(values + (<usize>i << 2))
    if (value == -Infinity) continue
    siftUp(heap, held++, value)
  }
  for (; i < count && (i & 3) != 0; i++) replaceLeast(heap, capacity, load<f32>(values + (<usize>i << 2)))
  for (; i < count; i += 4) {
    const at = values + (<usize>i << 2)
    if (!v128.any_true(f32x4.gt(v128.load(at), f32x4.splat(load<f32>(heap))))) continue
    for (let lane: usize = 0; lane < 16; lane += 4) replaceLeast(heap, capacity, load<f32>(at + lane))
  }
  return held
}

function siftUp(heap: usize, at: i32, value: f32): void {
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = load<f32>(heap + (<usize>parent << 2))
    if (above <= value) break
    store<f32>(heap + (<usize>at << 2), above)
    at = parent
  }
  store<f32>(heap + (<usize>at << 2), value)
}

function replaceLeast(heap: usize, capacity: i32, value: f32): void {
  if (!(value > load<f32>(heap))) return
  let at: i32 = 0
  while (true) {
    let child = 2 * at + 1
    if (child >= capacity) break
    if (child + 1 < capacity && load<f32>(heap + (<usize>child << 2), 4) < load<f32>(heap + (<usize>child << 2))) child++
    const below = load<f32>(heap + (<usize>child << 2))
    if (below >= value) break
    store<f32>(heap + (<usize>at << 2), below)
    at = child
  }
  store<f32>(heap + (<usize>at << 2), value)
}

// Writes the places (32-bit) of all values of at least `threshold` except minus infinity, ascending. Returns how many.
// Works on a multiple of 4 values.
export function collect(values: usize, count: i32, threshold: f32, out: usize): i32 {
  let found: i32 = 0
  const least = f32x4.splat(threshold)
  for (let i: i32 = 0; i < count; i += 4) {
    const mask = i32x4.bitmask(f32x4.ge(v128.load(values + (<usize>i << 2)), least))
    if (mask == 0) continue
    for (let lane: i32 = 0; lane < 4; lane++) {
      if (((mask >> lane) & 1) == 0 || load<f32>(values + (<usize>(i + lane) << 2)) == -Infinity) continue
      store<u32>(out + (<usize>found << 2), i + lane)
      found++
    }
  }
  return found
}
