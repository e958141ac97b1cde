import { setTimeout as sleep } from 'node:timers/promises'
import { distribution } from '../support/distribution.ts'
import { cpuSeconds } from '../support/process-figures.ts'
import { randomSource } from '../support/random.ts'
import { type CheckFigures, checkPrices } from './price-checks.ts'
import {
  askByPrice,
  faultOf,
  type NewPrices,
  newPrices,
  patchOf,
  pushPathOf,
  questionOf,
  type Way,
  WAYS,
} from './price-questions.ts'
import { feedOf, push, pushAll } from './push.ts'
import { now } from './searches.ts'
import type { Shop } from './shop.ts'

/** Figures of a push of a new price for each product of the large site. */
export interface PriceFigures {
  readonly way: Way
  readonly lines: number
  readonly pushSeconds: number
  /** Processor seconds of the service for a push without searches until five searches show all of it. */
  readonly cpuSeconds: number
  /** Milliseconds from the end of that push until then. */
  readonly shownMs: number
  /** Milliseconds that such a search usually takes, and that the first one after the push takes, in both sites. */
  readonly usualMs: number
  readonly nextMs: number
  readonly nextElsewhereMs: number
  readonly checks: CheckFigures
}

/** Figures of the push of all products of the large site without any change. */
export interface UnchangedFigures {
  readonly lines: number
  readonly seconds: number
  readonly cpuSeconds: number
}

const USUAL_SEARCHES = 40
/** Right answers in a row that show all of a push. */
const SHOWN_ANSWERS = 5
const SHOWN_WITHIN_MS = 10 * 60_000
const POLL_MS = 50

/**
 * Measures pushes of new prices, first of whole products, then of prices alone where the service takes them.
 * @param checks number of searches that are compared with brute force
 */
export async function measurePrices(shop: Shop, checks: number): Promise<PriceFigures[]> {
  const ways: Way[] = (await takesPatches(shop)) ? [...WAYS] : ['upsert']
  const figures: PriceFigures[] = []
  for (const way of ways) figures.push(await measureWay(shop, way, checks))
  return figures
}

export async function measureUnchanged(shop: Shop): Promise<UnchangedFigures> {
  const feed = shop.feed(shop.mainSite)
  await shop.push(shop.mainSite, feed)
  await shop.rest()
  const before = cpuSeconds(shop.service.pid)
  const { began, ended, results } = await shop.push(shop.mainSite, feed)
  const after = cpuSeconds(shop.service.pid)
  if (results.unchanged !== feed.lines) throw new Error(`Not every line was unchanged: ${JSON.stringify(results)}`)
  return { lines: feed.lines, seconds: (ended - began) / 1_000, cpuSeconds: after - before }
}

/** Tells whether the service takes lines that change a part of a product. */
async function takesPatches(shop: Shop): Promise<boolean> {
  const { from } = shop.mainSite
  const line = patchOf(shop, from)
  const { failure } = await push(shop.client, pushPathOf(shop.mainSite, 'patch'), feedOf([line]))
  return failure === null
}

async function measureWay(shop: Shop, way: Way, checks: number): Promise<PriceFigures> {
  const { mainSite, service } = shop
  const [, otherSite] = shop.catalogue.sites
  await shop.rest()
  const usual: number[] = []
  const random = randomSource(3)
  for (let i = 0; i < USUAL_SEARCHES; i++) {
    const { ms } = await askByPrice(shop, questionOf(shop, i % 2 === 0 ? mainSite : otherSite, random))
    usual.push(ms)
  }
  const usualMs = distribution(usual).p50

  // The first push is alone, so that its processor time is that of the push.
  const quiet = newPrices(shop, way, 0)
  const before = cpuSeconds(service.pid)
  const pushed = await pushAll(shop.client, pushPathOf(mainSite, way), quiet.feed)
  const [next, nextElsewhere] = await Promise.all(
    [mainSite, otherSite].map((site) => askByPrice(shop, questionOf(shop, site, random))),
  )
  const shownAt = await untilShown(shop, quiet, random)
  const cpu = cpuSeconds(service.pid) - before

  await shop.rest()
  const checked = await checkPrices(shop, way, checks)
  return {
    way,
    lines: quiet.feed.lines,
    pushSeconds: (pushed.ended - pushed.began) / 1_000,
    cpuSeconds: cpu,
    shownMs: shownAt - pushed.ended,
    usualMs,
    nextMs: next.ms,
    nextElsewhereMs: nextElsewhere.ms,
    checks: checked,
  }
}

/**
 * Searches until some answers in a row are right, complete and say nothing of an index that is behind.
 * @returns the moment of the last of them
 */
async function untilShown(shop: Shop, { truth, feed }: NewPrices, random: () => number): Promise<number> {
  const all = { acknowledged: feed.lines, sent: feed.lines }
  let right = 0
  for (const began = now(); now() - began < SHOWN_WITHIN_MS;) {
    const question = questionOf(shop, shop.mainSite, random)
    const { value, behind } = await askByPrice(shop, question)
    const isRight = value !== null && behind === null && faultOf(truth, question, value, all) === null
    right = isRight ? right + 1 : 0
    if (right === SHOWN_ANSWERS) return now()
    if (!isRight) await sleep(POLL_MS)
  }
  throw new Error('The searches did not show all prices within ten minutes')
}
