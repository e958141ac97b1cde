import { randomSource } from '../support/random.ts'
import { type InFlight, type PriceQuestion, PriceTruth } from './price-truth.ts'
import { externalIdOf, placeOf, randomPrice, type Site } from './products.ts'
import { type Feed, feedOf } from './push.ts'
import type { Answer } from './search-client.ts'
import type { ProductAnswer, Shop } from './shop.ts'

/** Ways to push a price: as a whole product, or alone. */
export const WAYS = ['upsert', 'patch'] as const
export type Way = (typeof WAYS)[number]

const LIMIT = 10
/** Largest share of the span of prices that a filter takes. */
const SPAN_MAX = 0.2
const PRICE_MAX = 1_500

/** A question and the slug of its site; null for all sites. */
export type SiteQuestion = PriceQuestion & { readonly site: string | null }

/** New prices of all products of the large site. */
export interface NewPrices {
  readonly feed: Feed
  readonly truth: PriceTruth
}

/** Gives each product of the large site another price. @returns the lines and what is right while they are pushed */
export function newPrices(shop: Shop, way: Way, seed: number): NewPrices {
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

/** Returns a line that changes the price of a product alone. */
export function patchOf({ catalogue }: Shop, i: number): string {
  return JSON.stringify({ external_id: externalIdOf(i), price_current: catalogue.prices[i].toFixed(2) })
}

/** Returns a question for products by price at random. @param site the site; null for all sites */
export function questionOf({ catalogue }: Shop, site: Site | null, random: () => number): SiteQuestion {
  const { from, to } = site ?? { from: 0, to: catalogue.count }
  const low = catalogue.prices[from + Math.floor(random() * (to - from))]
  const high = Math.round((low + SPAN_MAX * PRICE_MAX * random() ** 2) * 100) / 100
  return { from, to, low, high, site: site?.slug ?? null }
}

export function askByPrice(shop: Shop, { site, low, high }: SiteQuestion): Promise<Answer<ProductAnswer>> {
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
export function faultOf(
  truth: PriceTruth,
  question: SiteQuestion,
  { total, hits }: ProductAnswer,
  inFlight: InFlight,
): string | null {
  const products = hits.map(({ product }) => ({
    place: placeOf(product.external_id),
    price: Number(product.price_current),
  }))
  return truth.faultOf(question, { total, hits: products, limit: LIMIT }, inFlight)
}

/** Returns the path that takes the lines of a way. */
export function pushPathOf({ slug }: Site, way: Way): string {
  return `/api/knowledge/products/bulk?site_id=${slug}${way === 'patch' ? '&mode=patch' : ''}`
}
