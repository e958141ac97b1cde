/** Most ids of one statement: far below the limits of both databases. */
const CHUNK_MAX = 500

/** Processes ids one chunk after the other. One statement can name all ids of a chunk. */
export async function inChunks(
  ids: readonly string[],
  work: (some: readonly string[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += CHUNK_MAX) await work(ids.slice(at, at + CHUNK_MAX))
}
