/** Bounds how long a search waits for an index that is being built. */
import { IndexBuilding } from '../../engine.ts'
import { remainingMs, type Replica, type Waiting } from './replica.ts'

/** How often the waiting searches of a build are looked through. */
export const BUILD_LOOK_MS = 200
/** How long a build must run before the time that it still takes is known. */
const BUILD_KNOWN_MS = 2_000
/** The longest time after which a client is asked to try again. */
const RETRY_MAX_MS = 60_000

/**
 * Fails the searches that have waited for a build as long as they may, or would have to, with `IndexBuilding`.
 * @param now on the host's clock
 * @param waitMs how long a search may wait
 */
export function endBuildWaits({ building, waiting }: Replica, now: number, waitMs: number): void {
  if (building === null) return
  const leftMs = remainingMs(building, now)
  const isKnown = building.done > 0 && now - building.began >= BUILD_KNOWN_MS
  const hasWaited = ({ request, since }: Waiting): boolean => {
    const waitedMs = now - since
    return request !== null && (waitedMs >= waitMs || (isKnown && waitedMs + leftMs > waitMs))
  }
  const error = new IndexBuilding(Math.floor(building.done * 100), Math.min(RETRY_MAX_MS, leftMs))
  for (const job of waiting.filter(hasWaited)) {
    waiting.splice(waiting.indexOf(job), 1)
    job.settle(error)
  }
}
