/** The streams that browsers have without Node's module. */
export const { TransformStream, CountQueuingStrategy, ReadableStream } = globalThis
