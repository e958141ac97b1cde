/**
 * Decides when a waiting search may be answered. Every search waits for the values of all changes up to its watermark:
 * what was deleted, hidden or repriced before a search began is so in its answer. For texts it waits a moment, or for
 * the write that it names.
 */
import { IndexBehind, SearchTimedOut } from '../../engine.ts'
import { areTooManyDue, isNamedMissing, RETRY_MS, textWaitMs } from '../../indexing/text-wait.ts'
import { buildingError } from './build-wait.ts'
import type { Replica, WaitingJob } from './replica.ts'

/** Milliseconds that searches wait. */
export interface Waits {
  /** For the latest texts. */
  readonly freshMs: number
  /** For an index that is being built, and for values. */
  readonly buildMs: number
}

/** Share of its wait in which a search must expect to get the texts: beside a push, some take three times as long. */
const EXPECTED_SHARE = 1 / 3

/** Tells whether a job can be done now. */
export function isReady(replica: Replica, { version, request, since }: WaitingJob, now: number, waits: Waits): boolean {
  const { index, isBuilt, valuesReached } = replica
  if (isNamedMissing(request?.texts, index.reached)) return false
  if (version.watermark <= index.reached) return true
  if (request === null || version.watermark > valuesReached) return false
  if (!isBuilt) return request.texts?.isPartial ?? false
  const expectedMs = EXPECTED_SHARE * waits.freshMs
  return areTooManyDue(replica.awaited.size, replica.textMs, expectedMs) || now - since >= waits.freshMs
}

/**
 * Returns when a job that is not ready has to be looked at again, in milliseconds on the host's clock: a search at the
 * end of its wait, whatever the index does meanwhile, and Infinity for a job that is no search.
 */
export function nextLookAt(replica: Replica, job: WaitingJob, waits: Waits): number {
  const { version, request, since } = job
  const { index, isBuilt, valuesReached } = replica
  if (request === null) return Infinity
  const isNamed = isNamedMissing(request.texts, index.reached)
  if (!isNamed && (!isBuilt || version.watermark > valuesReached)) return since + waits.buildMs
  return since + textWaitMs(request.texts, index.reached, { freshMs: waits.freshMs, namedMs: waits.buildMs })
}

/** Returns the error of a job that has waited as long as it may; null for one that may wait on. */
export function expiryOf(replica: Replica, job: WaitingJob, now: number, waits: Waits): Error | null {
  const { request, version, since } = job
  if (request === null || now < nextLookAt(replica, job, waits)) return null
  if (isNamedMissing(request.texts, replica.index.reached)) return new IndexBehind(RETRY_MS)
  const lacksIndex = !replica.isBuilt || version.watermark > replica.valuesReached
  if (!lacksIndex || now - since < waits.buildMs) return null
  return replica.isBuilt
    ? new SearchTimedOut('the index does not keep up with the changes')
    : buildingError(replica, now)
}
