import { setTimeout as sleep } from 'node:timers/promises'
import { randomSource } from '../support/random.ts'
import { askByPrice, faultOf, type NewPrices, newPrices, pushPathOf, questionOf, type Way } from './price-questions.ts'
import { pushAll, type PushProgress } from './push.ts'
import { now } from './searches.ts'
import type { Shop } from './shop.ts'

/** Searches by price that were compared with brute force beside pushes of prices, and after them. */
export interface CheckFigures {
  readonly pushes: number
  readonly checked: number
  /** Number of the searches that began during a push. */
  readonly checkedDuring: number
  readonly wrong: number
  /** Number of searches that were not answered with 200. */
  readonly refused: number
  /** Fault of the first wrong answer; null without one. */
  readonly firstFault: string | null
  readonly longestMs: number
}

/** Searches at once. */
const CHECKERS = 3
const REFUSED_WAIT_MS = 50
/** Milliseconds after which no further push begins. */
const PUSHES_MAX_MS = 40_000

/**
 * Pushes other prices again and again and compares searches with brute force meanwhile, until there are enough. Where
 * the service answers too few of them during the pushes, the rest follows.
 * @param checks number of searches that are enough
 */
export async function checkPrices(shop: Shop, way: Way, checks: number): Promise<CheckFigures> {
  const tally: Tally = { pushes: 0, checked: 0, checkedDuring: 0, wrong: 0, refused: 0, firstFault: null, longestMs: 0 }
  for (const began = now(); ;) {
    const prices = newPrices(shop, way, ++tally.pushes)
    const progress: PushProgress = { sent: 0, acknowledged: 0 }
    const ended = new AbortController()
    const before = tally.checked
    const checking = checkWhile(shop, prices, progress, tally, () => !ended.signal.aborted)
    await pushAll(shop.client, pushPathOf(shop.mainSite, way), prices.feed, progress)
    ended.abort()
    // A search that waited for the push began during it.
    await checking
    tally.checkedDuring += tally.checked - before
    if (tally.checkedDuring < checks && now() - began < PUSHES_MAX_MS) continue
    await checkWhile(shop, prices, progress, tally, () => tally.checked < checks)
    return tally
  }
}

type Tally = { -readonly [K in keyof CheckFigures]: CheckFigures[K] }

/** Compares searches with brute force as long as a condition holds, some at once, and counts them. */
async function checkWhile(
  shop: Shop,
  { truth }: NewPrices,
  progress: PushProgress,
  tally: Tally,
  goesOn: () => boolean,
): Promise<void> {
  const sites = [shop.mainSite, shop.catalogue.sites[1], null]
  const checker = async (seed: number): Promise<void> => {
    const random = randomSource(seed)
    while (goesOn()) {
      const question = questionOf(shop, sites[Math.floor(random() * sites.length)], random)
      const { acknowledged } = progress
      const { value, ms } = await askByPrice(shop, question)
      tally.longestMs = Math.max(tally.longestMs, ms)
      if (value === null) {
        tally.refused++
        await sleep(REFUSED_WAIT_MS)
        continue
      }
      tally.checked++
      const fault = faultOf(truth, question, value, { acknowledged, sent: progress.sent })
      if (fault === null) continue
      tally.wrong++
      tally.firstFault ??= fault
    }
  }
  await Promise.all(Array.from({ length: CHECKERS }, (_, i) => checker(tally.checked + i)))
}
