/** Both databases bound the values of one statement; this stays far below. */
const CHUNK_MAX = 500

/** Works through ids in chunks that one statement can name, one after the other. */
export async function inChunks(
  ids: readonly string[],
  work: (some: readonly string[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += CHUNK_MAX) await work(ids.slice(at, at + CHUNK_MAX))
}
