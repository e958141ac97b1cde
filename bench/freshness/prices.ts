import { setTimeout as sleep } from 'node:timers/promises'
import { distribution } from '../support/distribution.ts'
import { cpuSeconds } from '../support/process-figures.ts'
import { randomSource } from '../support/random.ts'
import { type InFlight, type PriceQuestion, PriceTruth } from './price-truth.ts'
import { externalIdOf, placeOf, randomPrice, type Site } from './products.ts'
import { type Feed, feedOf, push, pushAll, type PushProgress } from './push.ts'
import { now } from './searches.ts'
import type { Answer } from './search-client.ts'
import type { ProductAnswer, Shop } from './shop.ts'

/** Ways to push a price: as a whole product, or alone. */
const WAYS = ['upsert', 'patch'] as const
export type Way = (typeof WAYS)[number]

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
  /** Searches by price beside another push and after it: all, those that began during the push, wrong and refused. */
  readonly checked: number
  readonly checkedDuring: number
  readonly wrong: number
  readonly refused: number
  /** What was wrong with the first wrong answer. */
  readonly firstFault: string | null
  readonly checkedMaxMs: number
}

/** Figures of the push of all products of the large site without any change. */
export interface UnchangedFigures {
  readonly lines: number
  readonly seconds: number
  readonly cpuSeconds: number
}

const LIMIT = 10
/** Searches by price at once beside a push. */
const CHECKERS = 3
const USUAL_SEARCHES = 40
/** Right answers in a row that show all of a push. */
const SHOWN_ANSWERS = 5
const SHOWN_WITHIN_MS = 10 * 60_000
const REFUSED_WAIT_MS = 50
/** A question and the slug of its site; null for all sites. */
type Question = PriceQuestion & { readonly site: string | null }

/** Largest share of the span of prices that a filter takes. */
const SPAN_MAX = 0.2
const PRICE_MAX = 1_500

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
  const line = JSON.stringify({
    external_id: externalIdOf(from),
    price_current: shop.catalogue.prices[from].toFixed(2),
  })
  const { failure } = await push(shop.client, pathOf(shop.mainSite, 'patch'), feedOf([line]))
  return failure === null
}

function pathOf({ slug }: Site, way: Way): string {
  return `/api/knowledge/products/bulk?site_id=${slug}${way === 'patch' ? '&mode=patch' : ''}`
}

async function measureWay(shop: Shop, way: Way, checks: number): Promise<PriceFigures> {
  const { mainSite, service } = shop
  const [, otherSite] = shop.catalogue.sites
  await shop.rest()
  const usual: number[] = []
  const random = randomSource(3)
  for (let i = 0; i < USUAL_SEARCHES; i++) {
    const { ms } = await ask(shop, questionOf(shop, i % 2 === 0 ? mainSite : otherSite, random))
    usual.push(ms)
  }
  const usualMs = distribution(usual).p50

  // The first push is alone, so that its processor time is that of the push.
  const quiet = newPrices(shop, way, 1)
  const before = cpuSeconds(service.pid)
  const pushed = await pushAll(shop.client, pathOf(mainSite, way), quiet.feed)
  const [next, nextElsewhere] = await Promise.all(
    [mainSite, otherSite].map((site) => ask(shop, questionOf(shop, site, random))),
  )
  const shown = await untilShown(shop, quiet, random)
  const cpu = cpuSeconds(service.pid) - before

  await shop.rest()
  const beside = newPrices(shop, way, 2)
  const checked = await check(shop, way, beside, checks)
  return {
    way,
    lines: quiet.feed.lines,
    pushSeconds: (pushed.ended - pushed.began) / 1_000,
    cpuSeconds: cpu,
    shownMs: shown - pushed.ended,
    usualMs,
    nextMs: next.ms,
    nextElsewhereMs: nextElsewhere.ms,
    ...checked,
  }
}

interface NewPrices {
  readonly feed: Feed
  readonly truth: PriceTruth
}

/** Gives each product of the large site another price. @returns the lines and what is right while they are pushed */
function newPrices(shop: Shop, way: Way, seed: number): NewPrices {
  const { catalogue, mainSite } = shop
  const old = catalogue.prices.slice()
  const random = randomSource(seed)
  for (let i = mainSite.from; i < mainSite.to; i++) catalogue.prices[i] = randomPrice(random)
  const patches = function* (): Generator<string> {
    for (let i = mainSite.from; i < mainSite.to; i++) yield patchOf(shop, i)
  }
  const feed = way === 'upsert' ? shop.feed(mainSite) : feedOf(patches())
  return { feed, truth: new PriceTruth(old, catalogue.prices.slice(), mainSite.from, feed.lines) }
}

function patchOf({ catalogue }: Shop, i: number): string {
  return JSON.stringify({ external_id: externalIdOf(i), price_current: catalogue.prices[i].toFixed(2) })
}

/** Asks for products by price at random: of a site, or of all sites. */
function questionOf({ catalogue }: Shop, site: Site | null, random: () => number): Question {
  const { from, to } = site ?? { from: 0, to: catalogue.count }
  const low = catalogue.prices[from + Math.floor(random() * (to - from))]
  const high = Math.round((low + SPAN_MAX * PRICE_MAX * random() ** 2) * 100) / 100
  return { from, to, low, high, site: site?.slug ?? null }
}

function ask(shop: Shop, { site, low, high }: Question): Promise<Answer<ProductAnswer>> {
  const body = {
    ...(site === null ? {} : { site_id: site }),
    price_min: low.toFixed(2),
    price_max: high.toFixed(2),
    sort: { field: 'price' },
    facets: false,
    limit: LIMIT,
    fields: ['external_id', 'price_current'],
  }
  return shop.search(body)
}

/** Returns what is wrong with an answer; null if nothing is. */
function faultOf(
  truth: PriceTruth,
  question: Question,
  { total, hits }: ProductAnswer,
  inFlight: InFlight,
): string | null {
  const products = hits.map(({ product }) => ({
    place: placeOf(product.external_id),
    price: Number(product.price_current),
  }))
  return truth.faultOf(question, { total, hits: products, limit: LIMIT }, inFlight)
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
    const { value, behind } = await ask(shop, question)
    const isRight = value !== null && behind === null && faultOf(truth, question, value, all) === null
    right = isRight ? right + 1 : 0
    if (right === SHOWN_ANSWERS) return now()
    if (!isRight) await sleep(REFUSED_WAIT_MS)
  }
  throw new Error('The searches did not show all prices within ten minutes')
}

type Checked = Pick<PriceFigures, 'checked' | 'checkedDuring' | 'wrong' | 'refused' | 'firstFault' | 'checkedMaxMs'>

/** Compares searches by price with brute force, at least `checks` of them, while prices are pushed and after it. */
async function check(shop: Shop, way: Way, { feed, truth }: NewPrices, checks: number): Promise<Checked> {
  const progress: PushProgress = { sent: 0, acknowledged: 0 }
  const sites = [shop.mainSite, shop.catalogue.sites[1], null]
  const checked = {
    checked: 0,
    checkedDuring: 0,
    wrong: 0,
    refused: 0,
    firstFault: null as string | null,
    checkedMaxMs: 0,
  }
  const ended = new AbortController()
  const checker = async (seed: number): Promise<void> => {
    const random = randomSource(seed)
    while (!ended.signal.aborted || checked.checked < checks) {
      const question = questionOf(shop, sites[Math.floor(random() * sites.length)], random)
      const { acknowledged } = progress
      const isDuring = !ended.signal.aborted
      const { value, ms } = await ask(shop, question)
      checked.checkedMaxMs = Math.max(checked.checkedMaxMs, ms)
      if (value === null) {
        checked.refused++
        await sleep(REFUSED_WAIT_MS)
        continue
      }
      checked.checked++
      if (isDuring) checked.checkedDuring++
      const fault = faultOf(truth, question, value, { acknowledged, sent: progress.sent })
      if (fault === null) continue
      checked.wrong++
      checked.firstFault ??= fault
    }
  }
  const checkers = Array.from({ length: CHECKERS }, (_, i) => checker(i))
  await pushAll(shop.client, pathOf(shop.mainSite, way), feed, progress)
  ended.abort()
  await Promise.all(checkers)
  return checked
}
