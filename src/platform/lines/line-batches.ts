/** What a batch may have: a few long lines make a batch of their own. */
export interface BatchLimits {
  readonly lines: number
  readonly bytes: number
}

/** Lines in batches that are worth a transaction; the last line of a batch may go beyond its bytes. */
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
