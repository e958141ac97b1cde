import { type Distribution, distribution } from '../support/distribution.ts'
import { markWord } from './products.ts'
import type { Shop } from './shop.ts'

/** Figures of searches that each name the watermark of a write that they must find, beside a feed. */
export interface OwnWriteFigures {
  readonly writes: number
  readonly found: number
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds of the searches. */
  readonly waits: Distribution
}

/**
 * Measures how long a caller waits for its own writes, by their watermarks, while the feed of another site comes in, in
 * which every text is another.
 * @param most number of writes after which the caller ends
 * @returns null where the service gives a write no watermark
 */
export async function measureOwnWrites(shop: Shop, most: number): Promise<OwnWriteFigures | null> {
  const { catalogue, mainSite } = shop
  const [, site] = catalogue.sites
  await shop.rest()
  if ((await shop.write(site, productOf(-1))) === null) return null
  for (let i = mainSite.from; i < mainSite.to; i++) catalogue.changeText(i)
  const feed = shop.feed(mainSite)
  const ended = new AbortController()
  const pushing = shop.push(mainSite, feed).finally(() => ended.abort())
  const waits: number[] = []
  const statuses: Record<string, number> = {}
  let hits = 0
  for (let n = 0; n < most && !ended.signal.aborted; n++) {
    const product = productOf(n)
    const watermark = await shop.write(site, product)
    const body = { query: product.title, mode: 'keyword', site_id: site.slug, facets: false, fields: ['external_id'] }
    const headers = { 'x-min-watermark': watermark!, prefer: 'wait=10' }
    const { status, ms, value } = await shop.search(body, headers)
    waits.push(ms)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (value?.hits.some((hit) => hit.product.external_id === product.external_id) === true) hits++
  }
  await pushing
  return { writes: waits.length, found: hits, statuses, waits: distribution(waits) }
}

function productOf(n: number): { external_id: string; title: string; language: string; price_current: string } {
  return { external_id: `own-${n}`, title: markWord(`own ${n}`), language: 'en', price_current: '9.90' }
}
