import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddingStatus } from '../../src/embedding/contract.ts'
import { ApiClient } from '../support/api-client.ts'
import { randomSource } from '../support/random.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { externalIdOf, type ShopCatalogue, type Site } from './products.ts'
import { type Feed, feedOf, pushAll, type Pushed } from './push.ts'
import { type Answer, SearchClient } from './search-client.ts'
import { type Headers, now } from './searches.ts'

const API = '/api/knowledge'
export const PRODUCT_SEARCH = `${API}/products/search`
/** Milliseconds after which the caller gives up to see an index that has everything. */
const SETTLED_WITHIN_MS = 10 * 60_000
const POLL_MS = 50
/** Milliseconds without any load after which the service has also done what it does at rest. */
const REST_MS = 3_000
const QUERIES = 2_000
const WARM_UP_SEARCHES = 200
/** One query of so many also has a bound of the price. */
const PRICED_EVERY = 4

/** The part of the answer of a product search that the benchmark reads. */
export interface ProductAnswer {
  readonly total: number
  readonly hits: readonly { readonly product: { readonly external_id: string; readonly price_current: string } }[]
}

/** A service whose tenant has a shop of three sites, and the products that were pushed to it. */
export class Shop {
  readonly service: ServiceProcess
  readonly api: ApiClient
  readonly client: SearchClient
  readonly catalogue: ShopCatalogue

  private constructor(service: ServiceProcess, key: string, catalogue: ShopCatalogue) {
    this.service = service
    this.catalogue = catalogue
    this.api = new ApiClient(service.url, key)
    this.client = new SearchClient(service.url, key)
  }

  /**
   * Starts a service and pushes a catalogue to it.
   * @param settings environment variables of the service
   * @param program folder of the program
   */
  static async open(
    settings: Readonly<Record<string, string>>,
    program: string,
    catalogue: ShopCatalogue,
  ): Promise<Shop> {
    const service = await startServiceProcess(settings, [], [], program)
    const { key } = await service.tenant('bench')
    const shop = new Shop(service, key, catalogue)
    for (const site of catalogue.sites) {
      await shop.api.call('POST', '/sites', { slug: site.slug, name: site.slug })
      await shop.push(site, shop.feed(site))
    }
    await shop.rest()
    for (const visit of shop.visits(catalogue.sites[0]).slice(0, WARM_UP_SEARCHES)) await shop.search(visit)
    return shop
  }

  /** Returns the site whose feed is pushed. */
  get mainSite(): Site {
    return this.catalogue.sites[0]
  }

  /** Returns the feed of all products of a site as they are now. */
  feed({ from, to }: Site): Feed {
    const { catalogue } = this
    const lines = function* (): Generator<string> {
      for (let i = from; i < to; i++) yield catalogue.lineOf(i)
    }
    return feedOf(lines())
  }

  /** Pushes the feed of a site as a full sync. */
  push({ slug }: Site, feed: Feed): Promise<Pushed> {
    return pushAll(this.client, `${API}/products/bulk?site_id=${slug}&sync=full`, feed)
  }

  /** Returns the searches of a visitor of a site: some words of a title, by words and by meaning, with facets. */
  visits({ slug, from, to }: Site, seed = 1): object[] {
    const random = randomSource(seed)
    return Array.from({ length: QUERIES }, (_, i) => {
      const words = this.catalogue.titleOf(from + Math.floor(random() * (to - from))).split(' ')
      const count = 1 + Math.floor(random() * 3)
      const first = Math.floor(random() * Math.max(1, words.length - count))
      const query = words.slice(first, first + count).join(' ')
      const priced = i % PRICED_EVERY === 0 ? { price_max: 50 + Math.floor(random() * 1_000) } : {}
      return { query, mode: 'hybrid', site_id: slug, limit: 10, facets: true, ...priced }
    })
  }

  search(body: object, headers: Headers = {}): Promise<Answer<ProductAnswer>> {
    return this.client.search(PRODUCT_SEARCH, body, headers)
  }

  /** Sends a product. @returns the watermark of the answer; null where the answer has none */
  write({ slug }: Site, product: object): Promise<string | null> {
    return this.client.write(`${API}/products?site_id=${slug}`, product)
  }

  /**
   * Waits until a search finds the current text of a product and says nothing of an index that is behind.
   * @returns the moment of that answer
   * @throws Error when that takes longer than ten minutes
   */
  async settled(site: Site, i: number): Promise<number> {
    const mark = this.catalogue.markOf(i)
    const body = {
      query: mark ?? externalIdOf(i),
      mode: 'keyword',
      site_id: site.slug,
      facets: false,
      fields: ['external_id', 'price_current'],
    }
    for (const began = now(); now() - began < SETTLED_WITHIN_MS;) {
      const { value, behind } = await this.search(body)
      const isFound = value?.hits.some(({ product }) => product.external_id === externalIdOf(i)) === true
      if (isFound && behind === null) return now()
      await sleep(POLL_MS)
    }
    throw new Error(`No search found product ${i} of ${site.slug} within ten minutes`)
  }

  /** Waits until the service has done all that the pushes left to do. */
  async rest(): Promise<void> {
    for (const site of this.catalogue.sites) await this.settled(site, site.to - 1)
    while ((await this.api.call<EmbeddingStatus>('GET', '/embedding-status')).pending > 0) await sleep(POLL_MS)
    await sleep(REST_MS)
  }

  async close(): Promise<void> {
    await this.api.close()
    await this.client.close()
    await this.service.stop()
  }
}
