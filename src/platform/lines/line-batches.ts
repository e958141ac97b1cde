/** Limits of a batch. A few long lines can fill it. */
export interface BatchLimits {
  readonly lines: number
  readonly bytes: number
}

/** Groups lines into batches for one transaction each. The last line of a batch may exceed its bytes. */
export async function* batchesOf<T extends { readonly bytes: number }>(
  lines: AsyncIterable<T>,
  limits: BatchLimits,
): AsyncGenerator<T[]> {
  let batch: T[] = []
  let bytes = 0
  for await (const line of lines) {
    batch.push(line)
    bytes += line.bytes
    if (batch.length < limits.lines && bytes < limits.bytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
