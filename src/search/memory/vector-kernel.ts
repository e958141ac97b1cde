/** Loads the compiled kernel; what each function does is written in kernel/kernel.as. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kernel's functions. Addresses are bytes in the arena's memory. */
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
    isFar: number,
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
  offerAll(values: number, count: number, heap: number, capacity: number): number
  collect(values: number, count: number, threshold: number, out: number): number
}

function compile(name: string): WebAssembly.Module | null {
  const binary = readFileSync(join(import.meta.dirname, 'kernel', name))
  return WebAssembly.validate(binary) ? new WebAssembly.Module(binary) : null
}

const modules: { relaxed?: WebAssembly.Module | null; plain?: WebAssembly.Module | null } = {}

/**
 * The kernel over `memory`, with relaxed SIMD where the runtime has it. Both variants give the same bits.
 * @param variant forces one, for tests and measurements
 * @throws Error when the runtime has no WebAssembly SIMD, or not the variant asked for
 */
export function loadKernel(memory: WebAssembly.Memory, variant?: 'relaxed' | 'plain'): VectorKernel {
  let module: WebAssembly.Module | null = null
  if (variant !== 'plain') module = modules.relaxed ??= compile('kernel-relaxed.wasm')
  if (module === null && variant !== 'relaxed') module = modules.plain ??= compile('kernel.wasm')
  if (module === null) throw new Error('this runtime lacks the WebAssembly SIMD that search needs')
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as VectorKernel
}
