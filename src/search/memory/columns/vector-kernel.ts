/** Loads the compiled kernel; kernel/kernel.as documents its functions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kernel's functions. Addresses are byte offsets in the arena's memory. */
export interface VectorKernel {
  scanAll(
    codes: number,
    bytes: number,
    scales: number,
    sums: number,
    errors: number,
    slots: number,
    rows: number,
    queryCodes: number,
    facts: number,
    queries: number,
  ): void
  scanListed(
    codes: number,
    bytes: number,
    scales: number,
    sums: number,
    errors: number,
    slots: number,
    list: number,
    count: number,
    queryCodes: number,
    facts: number,
    queries: number,
  ): void
  maskHighs(mask: number, words: number, highs: number): void
  exactListed(
    vectors: number,
    dimensions: number,
    norms: number,
    list: number,
    count: number,
    query: number,
    queryNorm: number,
    out: number,
  ): void
  quantise(
    vector: number,
    dimensions: number,
    norm: number,
    limit: number,
    offset: number,
    codes: number,
    bytes: number,
    sum: number,
    residual: number,
  ): number
  cutHighs(mask: number, words: number, highs: number, minimum: number, sure: number, base: number, out: number): number
  scaleHighs(highs: number, count: number, weight: number, width: number, slack: number): void
  raiseHighs(mask: number, words: number, cosines: number, highs: number, factor: number, more: number): void
  offerAll(values: number, count: number, heap: number, capacity: number): number
  collect(values: number, count: number, threshold: number, out: number): number
}

/** Compiles a kernel; null where the runtime does not support it. */
function compile(name: string): WebAssembly.Module | null {
  const binary = readFileSync(join(import.meta.dirname, 'kernel', name))
  return WebAssembly.validate(binary) ? new WebAssembly.Module(binary) : null
}

/** The compiled variants; null for one that the runtime does not support. */
const modules: { relaxed?: WebAssembly.Module | null; plain?: WebAssembly.Module | null } = {}

/**
 * Loads the kernel on `memory`, with relaxed SIMD if the runtime supports it. Both variants give identical bits.
 * @param variant forces a variant, for tests and measurements
 * @throws Error when the runtime lacks WebAssembly SIMD or the requested variant
 */
export function loadKernel(memory: WebAssembly.Memory, variant?: 'relaxed' | 'plain'): VectorKernel {
  let module: WebAssembly.Module | null = null
  if (variant !== 'plain') module = modules.relaxed ??= compile('kernel-relaxed.wasm')
  if (module === null && variant !== 'relaxed') module = modules.plain ??= compile('kernel.wasm')
  if (module === null) throw new Error('this runtime lacks the WebAssembly SIMD that search needs')
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as VectorKernel
}
