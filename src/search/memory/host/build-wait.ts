/** Ends the wait of searches for an index whose build takes too long. */
import { IndexBuilding } from '../../engine.ts'
import { remainingMs, type Replica, type WaitingJob } from './replica.ts'

/** Milliseconds between two checks of the searches that wait for a build. */
export const BUILD_CHECK_MS = 200
/** Milliseconds that a build must run before its pace tells how long the rest takes. */
const PACE_KNOWN_MS = 2_000
/** Longest time after which a client is asked to try again. */
const RETRY_MAX_MS = 60_000

/** Returns the error of a search that has waited long enough for an index that is not built. */
export function buildingError({ building }: Pick<Replica, 'building'>, now: number): IndexBuilding {
  // Between two runs, such as after a failure, nothing is known of the progress.
  if (building === null) return new IndexBuilding(0, RETRY_MAX_MS)
  return new IndexBuilding(Math.floor(building.done * 100), Math.min(RETRY_MAX_MS, remainingMs(building, now)))
}

/**
 * Fails searches that wait for a build with `IndexBuilding`: those that have waited as long as they may, and those that
 * would have to wait longer by the pace of the build.
 * @param now time on the host's clock
 * @param waitMs milliseconds that a search may wait
 */
export function endBuildWaits(replica: Replica, now: number, waitMs: number): void {
  const { building, waiting } = replica
  if (building === null) return
  const leftMs = remainingMs(building, now)
  const isPaceKnown = building.done > 0 && now - building.began >= PACE_KNOWN_MS
  const mustEnd = ({ request, since }: WaitingJob): boolean => {
    const waitedMs = now - since
    return request !== null && (waitedMs >= waitMs || (isPaceKnown && waitedMs + leftMs > waitMs))
  }
  const error = buildingError(replica, now)
  for (const job of waiting.filter(mustEnd)) {
    waiting.splice(waiting.indexOf(job), 1)
    job.settle(error)
  }
}
