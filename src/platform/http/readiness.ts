import { within } from '../within.ts'
import type { Traffic } from './transport/traffic.ts'

/** Time in which the parts of the service must have told whether they are there. */
const CHECK_TIMEOUT_MS = 2_000
const LATE = new Error('readiness check did not answer')

/** Returns the names of what keeps the service from serving, in words that may be public. */
export type Missing = () => Promise<readonly string[]>

/** Returns what is missing while the service serves: it leaves, or a part is away, or a check fails or takes too long. */
export async function missingNow(traffic: Pick<Traffic, 'isLeaving'>, missing: Missing): Promise<readonly string[]> {
  return traffic.isLeaving ? ['service is stopping'] : answerOf(missing)
}

/** Never rejects: a check that fails, or takes too long, is told as what is missing. */
async function answerOf(missing: Missing): Promise<readonly string[]> {
  try {
    return await within(CHECK_TIMEOUT_MS, missing(), () => LATE)
  } catch (error) {
    return [error === LATE ? LATE.message : 'readiness check failed']
  }
}
