import { FileGone } from '../../api/lazy-file.ts'
import type { FeedContent, FeedNews, FeedOrder } from './feed-content.ts'

/** The fault that the file could not be read, for example because it was moved or changed. */
export class FeedUnread extends Error {
  override readonly name = 'FeedUnread'
}

/**
 * Reads a feed in a thread of its own.
 * @param onShare called with the share of the file that is read, from 0 to 1
 * @returns null when the signal stopped it
 * @throws FeedUnread, or FileGone when the thread's program cannot be fetched
 */
export function readFeedFile(
  order: FeedOrder,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<FeedContent | null> {
  const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<FeedContent | null>((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(null))
    worker.addEventListener('error', () => reject(new FileGone('The reader of feeds cannot be fetched')))
    worker.addEventListener('message', ({ data }: MessageEvent<FeedNews>) => {
      if ('share' in data) onShare(data.share)
      else if ('content' in data) resolve(data.content)
      else reject(new FeedUnread())
    })
    worker.postMessage(order)
  }).finally(() => worker.terminate())
}
