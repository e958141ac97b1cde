/**
 * Compiles the vector kernel from AssemblyScript. The binaries are committed, so that the service runs
 * without a compiler; a test compares them with their source.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryStream, main } from 'assemblyscript/asc'

const folder = join(import.meta.dirname, '../src/search/memory/columns/kernel')

/** Instruction sets that each binary may use, by its file name. */
export const KERNELS = { 'kernel.wasm': 'simd', 'kernel-relaxed.wasm': 'simd,relaxed-simd' } as const

/**
 * Compiles the kernel.
 * @throws Error with the compiler's messages when the source is faulty
 */
export async function compileKernel(features: string): Promise<Uint8Array> {
  const source = readFileSync(join(folder, 'kernel.as'), 'utf8')
  let binary: Uint8Array | undefined
  const options = ['--noAssert', '--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--enable', features]
  const messages = createMemoryStream()
  const { error } = await main(['kernel.ts', '-O3', ...options, '--outFile', 'kernel.wasm'], {
    readFile: (name: string) => (name === 'kernel.ts' ? source : null),
    writeFile: (_name: string, content: Uint8Array | string) => {
      if (typeof content !== 'string') binary = content
    },
    listFiles: () => [],
    stderr: messages,
  })
  if (error !== null || binary === undefined)
    throw new Error(`kernel does not compile: ${Buffer.from(messages.toBuffer()).toString()}`)
  return binary
}

if (import.meta.main) {
  for (const [name, features] of Object.entries(KERNELS)) {
    const binary = await compileKernel(features)
    writeFileSync(join(folder, name), binary)
    console.log(`${name}: ${binary.length} bytes`)
  }
}
