import { answerOf, api } from './client.ts'

interface NamedEntry {
  readonly id: string
  readonly title: string
}

/** Requests at once: enough to be quick, few enough to leave other people their turn. */
const AT_ONCE = 4

export interface FailedEntry {
  readonly entry: NamedEntry
  readonly error: unknown
}

/** Calls `run` for each item, a few at once. @returns the items whose call failed, with their errors */
export async function withEach<Item extends NamedEntry>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<readonly FailedEntry[]> {
  const failed: FailedEntry[] = []
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      const { id, title } = item
      await run(item).catch((error: unknown) => failed.push({ entry: { id, title }, error }))
      onProgress(++done)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failed
}

/** Takes an entry out of the bin. */
export const restoreEntry = ({ id }: Pick<NamedEntry, 'id'>): Promise<unknown> =>
  answerOf(api.POST('/api/knowledge/bin/{entry_id}/restore', { params: { path: { entry_id: id } } }))
