/** Streams of the browser, which stand in for Node's module. */
export const { TransformStream, CountQueuingStrategy, ReadableStream } = globalThis
