import type { Traffic } from './transport/traffic.ts'

/** Time in which the parts of the service must have told whether they are there. */
const CHECK_TIMEOUT_MS = 2_000

/** Returns the names of what keeps the service from serving, in words that may be public. */
export type Missing = () => Promise<readonly string[]>

/** Returns what is missing while the service serves: it leaves, or a part is away, or a check fails or takes too long. */
export async function missingNow(traffic: Pick<Traffic, 'isLeaving'>, missing: Missing): Promise<readonly string[]> {
  return traffic.isLeaving ? ['service is stopping'] : within(missing)
}

async function within(missing: Missing): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve(['readiness check did not answer']), CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([missing(), late])
  } catch {
    return ['readiness check failed']
  } finally {
    clearTimeout(timer)
  }
}
