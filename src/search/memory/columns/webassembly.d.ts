/** The part of WebAssembly that the kernel uses. TypeScript declares it only in its library for browsers. */
declare namespace WebAssembly {
  interface Module {
    readonly __module: never
  }
  const Module: new (bytes: Uint8Array) => Module
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  class Memory {
    constructor(limits: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  function validate(bytes: Uint8Array): boolean
}
