import { setTimeout as sleep } from 'node:timers/promises'
import { randomSource } from '../support/random.ts'
import { randomPrice } from './products.ts'
import { figuresOf, now, type SearchFigures, Searchers } from './searches.ts'
import { PRODUCT_SEARCH, type Shop } from './shop.ts'

/** Visitors at once, spread over the sites. */
const VISITORS = 5
/** Milliseconds that a visitor reads an answer, in the mean. */
const THINK_MS = 50
const WARM_UP_MS = 2_000

export const FEEDS = ['feed', 'all'] as const
export type FeedName = (typeof FEEDS)[number]
/** Share of the products that a feed changes: one of so many. */
const CHANGED_OF: Readonly<Record<FeedName, number>> = { feed: 5, all: 1 }

/** Figures of visitors alone, and while a full feed is pushed. */
export interface FeedFigures {
  readonly feed: FeedName
  readonly lines: number
  readonly pushSeconds: number
  readonly results: Readonly<Record<string, number>>
  readonly alone: SearchFigures
  readonly during: SearchFigures
  /** Milliseconds from the end of the push until a search finds its last change and is not behind. */
  readonly settledMs: number
}

/**
 * Measures visitors of three sites alone and while the full feed of one of them comes in, in which some products have
 * another description and another price.
 */
export async function measureFeed(shop: Shop, name: FeedName, aloneMs: number): Promise<FeedFigures> {
  const { catalogue, mainSite } = shop
  await shop.rest()
  const random = randomSource(CHANGED_OF[name])
  for (let i = mainSite.to - 1; i >= mainSite.from; i -= CHANGED_OF[name]) {
    catalogue.changeText(i)
    catalogue.prices[i] = randomPrice(random)
  }
  const feed = shop.feed(mainSite)
  const searchers = new Searchers()
  const visitors = Array.from({ length: VISITORS }, (_, i) =>
    shop.visits(catalogue.sites[i % catalogue.sites.length], i + 1).map((body) => JSON.stringify(body)),
  )
  const { url, headers } = shop.client
  await searchers.start({ kind: 'visit', url, headers, path: PRODUCT_SEARCH, visitors, thinkMs: THINK_MS })
  await sleep(WARM_UP_MS)
  const began = now()
  await sleep(aloneMs)
  const pushed = await shop.push(mainSite, feed)
  const settled = await shop.settled(mainSite, mainSite.to - 1)
  const searches = await searchers.stop()
  return {
    feed: name,
    lines: feed.lines,
    pushSeconds: (pushed.ended - pushed.began) / 1_000,
    results: pushed.results,
    alone: figuresOf(searches, began, pushed.began),
    during: figuresOf(searches, pushed.began, settled),
    settledMs: settled - pushed.ended,
  }
}
