// The arithmetic of vector search, in AssemblyScript. Compiled by scripts/build-kernel.ts to
// kernel.wasm and, with relaxed SIMD, to kernel-relaxed.wasm; both give the same results bit for bit.
// All arguments that are not counts or numbers are addresses in the one imported memory.

// Four products of 8-bit codes summed into each 32-bit lane. `b` holds 0 to 127 only, `a` -127 to 127,
// so that no pair of products leaves 16 bits (2 x 127 x 127 = 32258) and relaxed SIMD is exact.
// @ts-ignore: decorator
@inline
function dot16(a: v128, b: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(a, b, sum)
  const low = i16x8.extmul_low_i8x16_s(a, b)
  const high = i16x8.extmul_high_i8x16_s(a, b)
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(i16x8.add(low, high)))
}

// Sums of the lanes of four vectors, one per lane.
// @ts-ignore: decorator
@inline
function sumLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3))
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

// Rows whose codes stay in the first cache while all queries of a batch pass over them.
const BLOCK: i32 = 64

// Estimated cosines of all rows below `rows` (rounded up to a multiple of 4: columns have room for it)
// for `queries` queries: estimates[query * stride + row] = scale[row] * queryScale * (codes . query codes).
// Query codes are offset by 64 to be unsigned; `sums` holds 64 times the sum of each row's codes.
export function scanAll(
  codes: usize, bytes: usize, scales: usize, sums: usize, rows: i32,
  queryCodes: usize, queryScales: usize, queries: i32, estimates: usize, stride: i32,
): void {
  for (let from: i32 = 0; from < rows; from += BLOCK) {
    const to = min(from + BLOCK, rows)
    for (let q: i32 = 0; q < queries; q++) {
      const query = queryCodes + <usize>q * bytes
      const queryScale = f32x4.splat(load<f32>(queryScales + (<usize>q << 2)))
      const out = estimates + (<usize>(q * stride) << 2)
      for (let row: i32 = from; row < to; row += 4) {
        const at = <usize>row << 2
        const a = codes + <usize>row * bytes
        const dots = dot4(a, a + bytes, a + 2 * bytes, a + 3 * bytes, query, bytes)
        const exact = f32x4.convert_i32x4_s(i32x4.sub(dots, v128.load(sums + at)))
        v128.store(out + at, f32x4.mul(f32x4.mul(v128.load(scales + at), queryScale), exact))
      }
    }
  }
}

// The same for one query and the rows listed (32-bit numbers, padded with any row to a multiple of 4).
export function scanListed(
  codes: usize, bytes: usize, scales: usize, sums: usize, list: usize, count: i32,
  query: usize, queryScale: f32, estimates: usize,
): void {
  for (let i: i32 = 0; i < count; i += 4) {
    const at = list + (<usize>i << 2)
    const a = <usize>load<u32>(at)
    const b = <usize>load<u32>(at, 4)
    const c = <usize>load<u32>(at, 8)
    const d = <usize>load<u32>(at, 12)
    const dots = dot4(codes + a * bytes, codes + b * bytes, codes + c * bytes, codes + d * bytes, query, bytes)
    estimate(i32x4.extract_lane(dots, 0), a, scales, sums, queryScale, estimates)
    estimate(i32x4.extract_lane(dots, 1), b, scales, sums, queryScale, estimates)
    estimate(i32x4.extract_lane(dots, 2), c, scales, sums, queryScale, estimates)
    estimate(i32x4.extract_lane(dots, 3), d, scales, sums, queryScale, estimates)
  }
}

// @ts-ignore: decorator
@inline
function estimate(dot: i32, row: usize, scales: usize, sums: usize, queryScale: f32, estimates: usize): void {
  const at = row << 2
  const exact = <f32>(dot - load<i32>(sums + at))
  store<f32>(estimates + at, load<f32>(scales + at) * queryScale * exact)
}

// Bounds of each document's cosine from its rows' estimates: low and high of slot = best of its rows
// minus and plus (error[row] + queryError * (1 + error[row]) + slack). Slots not in `mask` get minus
// infinity in both; slots without rows 0. `starts` gives each slot's first row (one more than slots), or is
// 0 when every slot has exactly one row.
export function boundSlots(
  mask: usize, slots: i32, starts: usize, estimates: usize, errors: usize,
  queryError: f32, slack: f32, lows: usize, highs: usize,
): void {
  for (let word: i32 = 0; word << 5 < slots; word++) {
    const bits = load<u32>(mask + (<usize>word << 2))
    const base = word << 5
    if (bits == 0 || bits != 0xffffffff || starts != 0) fillOut(lows, highs, base)
    if (starts == 0 && bits == 0xffffffff) boundWord(base, estimates, errors, queryError, slack, lows, highs)
    else boundBits(bits, base, starts, estimates, errors, queryError, slack, lows, highs)
  }
}

// @ts-ignore: decorator
@inline
function fillOut(lows: usize, highs: usize, base: i32): void {
  const out = f32x4.splat(-Infinity)
  for (let i: i32 = 0; i < 32; i += 4) {
    v128.store(lows + (<usize>(base + i) << 2), out)
    v128.store(highs + (<usize>(base + i) << 2), out)
  }
}

// @ts-ignore: decorator
@inline
function boundWord(
  base: i32, estimates: usize, errors: usize, queryError: f32, slack: f32, lows: usize, highs: usize,
): void {
  const factor = f32x4.splat(1 + queryError)
  const constant = f32x4.splat(queryError + slack)
  for (let i: i32 = 0; i < 32; i += 4) {
    const at = <usize>(base + i) << 2
    const margin = f32x4.add(f32x4.mul(v128.load(errors + at), factor), constant)
    const value = v128.load(estimates + at)
    v128.store(lows + at, f32x4.sub(value, margin))
    v128.store(highs + at, f32x4.add(value, margin))
  }
}

// @ts-ignore: decorator
@inline
function boundBits(
  bits: u32, base: i32, starts: usize, estimates: usize, errors: usize,
  queryError: f32, slack: f32, lows: usize, highs: usize,
): void {
  while (bits != 0) {
    const slot = <usize>(base + ctz(bits))
    bits &= bits - 1
    let row = slot
    let end = slot + 1
    if (starts != 0) {
      row = <usize>load<u32>(starts + (slot << 2))
      end = <usize>load<u32>(starts + (slot << 2), 4)
    }
    let low: f32 = row < end ? -Infinity : 0
    let high: f32 = low
    for (; row < end; row++) {
      const value = load<f32>(estimates + (row << 2))
      const margin = load<f32>(errors + (row << 2)) * (1 + queryError) + (queryError + slack)
      low = max(low, value - margin)
      high = max(high, value + margin)
    }
    store<f32>(lows + (slot << 2), low)
    store<f32>(highs + (slot << 2), high)
  }
}

// Exact cosines of the rows listed (padded to a multiple of 4): float64 sums in index order over the
// stored float32 components, divided by both norms. `norms` holds the float64 norm of each row; query
// is float32. A zero norm on either side gives 0.
export function exactListed(
  vectors: usize, dimensions: i32, norms: usize, list: usize, count: i32,
  query: usize, queryNorm: f64, out: usize,
): void {
  const bytes = <usize>dimensions << 2
  for (let i: i32 = 0; i < count; i += 4) {
    const at = list + (<usize>i << 2)
    const rowA = <usize>load<u32>(at)
    const rowB = <usize>load<u32>(at, 4)
    const rowC = <usize>load<u32>(at, 8)
    const rowD = <usize>load<u32>(at, 12)
    const a = vectors + rowA * bytes
    const b = vectors + rowB * bytes
    const c = vectors + rowC * bytes
    const d = vectors + rowD * bytes
    let sumA: f64 = 0
    let sumB: f64 = 0
    let sumC: f64 = 0
    let sumD: f64 = 0
    for (let k: usize = 0; k < bytes; k += 4) {
      const q = <f64>load<f32>(query + k)
      sumA += <f64>load<f32>(a + k) * q
      sumB += <f64>load<f32>(b + k) * q
      sumC += <f64>load<f32>(c + k) * q
      sumD += <f64>load<f32>(d + k) * q
    }
    const to = out + (<usize>i << 3)
    store<f64>(to, cosine(sumA, load<f64>(norms + (rowA << 3)), queryNorm))
    store<f64>(to, cosine(sumB, load<f64>(norms + (rowB << 3)), queryNorm), 8)
    store<f64>(to, cosine(sumC, load<f64>(norms + (rowC << 3)), queryNorm), 16)
    store<f64>(to, cosine(sumD, load<f64>(norms + (rowD << 3)), queryNorm), 24)
  }
}

// @ts-ignore: decorator
@inline
function cosine(dot: f64, norm: f64, queryNorm: f64): f64 {
  if (norm == 0 || queryNorm == 0) return 0
  return max<f64>(-1, min<f64>(1, dot / (norm * queryNorm)))
}

// Quantises a vector of `dimensions` float32 components, taken as a unit vector (divided by `norm`), to
// codes of at most `limit` in magnitude, each plus `offset`, padded with `offset` to `bytes`. Writes the
// code sum (without offset) to `sum` (i32) when it is not 0. Returns the scale; `residual` (f64) gets
// the length of what the codes leave out, computed with the scale as float32.
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

// Turns bounds of cosines into bounds of hybrid scores: weight * cosine, widened by `slack`. Minus infinity
// stays. A multiple of 4 values.
export function scaleBounds(lows: usize, highs: usize, count: i32, weight: f32, slack: f32): void {
  const out = f32x4.splat(-Infinity)
  const factor = f32x4.splat(weight)
  const margin = f32x4.splat(slack)
  for (let i: i32 = 0; i < count; i += 4) {
    const at = <usize>i << 2
    const low = v128.load(lows + at)
    const a = f32x4.mul(low, factor)
    const b = f32x4.mul(v128.load(highs + at), factor)
    const isOut = f32x4.eq(low, out)
    v128.store(lows + at, v128.bitselect(out, f32x4.sub(f32x4.min(a, b), margin), isOut))
    v128.store(highs + at, v128.bitselect(out, f32x4.add(f32x4.max(a, b), margin), isOut))
  }
}

// Offers values (a multiple of 4; minus infinity is none) to a heap that keeps the `capacity` largest, the
// least of them first. Returns how many it holds then.
export function offerAll(values: usize, count: i32, heap: usize, capacity: i32, held: i32): i32 {
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

// Writes the places (32-bit) of all values that are at least `threshold` and not minus infinity, ascending;
// returns how many. A multiple of 4 values.
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
