import { join } from 'node:path'
import { catalogue } from '../support/catalogue.ts'
import { madeUpProducts } from '../support/made-up-products.ts'
import { hashText, randomSource } from '../support/random.ts'
import { benchWords } from '../support/words.ts'

/** Path of the catalogue below the folder of collections. */
export const CATALOGUE_FILE = 'icecat-catalog/products.jsonl.gz'

/** Share of the products that each site has: a large one, whose feed is pushed, and two small ones beside it. */
const SITE_SHARES: readonly (readonly [slug: string, share: number])[] = [
  ['main', 49_745 / 52_000],
  ['second', 1_500 / 52_000],
  ['third', 755 / 52_000],
]
/** Words that a new text of a product has in front of its description. */
const NEW_WORDS = 8
/** Most characters of a SKU that the API takes. */
const SKU_LENGTH_MAX = 100
const PRICE_MIN = 5
const PRICE_MAX = 1_500
/** One product of so many has a word of its own in each new text. */
const MARK_EVERY = 5_000

/** A product in the format of the API; only the fields that the benchmark reads are named. */
interface CatalogueProduct {
  readonly title: string
  readonly description?: string
  readonly sku?: string
  readonly price_current: string | number
}

/** The products of a site: those of the catalogue from `from` up to `to`, exclusive. */
export interface Site {
  readonly slug: string
  readonly from: number
  readonly to: number
}

/**
 * The products of a shop, and what of them was pushed last: their prices, and how often their texts changed. Each
 * product is the same in every run.
 */
export class ShopCatalogue {
  readonly sites: readonly Site[]
  readonly prices: Float64Array
  readonly #products: readonly CatalogueProduct[]
  readonly #texts: Int32Array
  readonly #words = benchWords()

  /** @param folder folder of the collections; null for products that are made up */
  constructor(folder: string | null, count: number) {
    const records = folder === null ? madeUpProducts(count) : catalogue(join(folder, CATALOGUE_FILE))
    const some = records as object[] as CatalogueProduct[]
    this.#products = Array.from({ length: count }, (_, i) => copyOf(some[i % some.length], Math.floor(i / some.length)))
    this.prices = Float64Array.from(this.#products, ({ price_current: price }) => Number(price))
    this.#texts = new Int32Array(count)
    let from = 0
    this.sites = SITE_SHARES.map(([slug, share], i) => {
      const to = i === SITE_SHARES.length - 1 ? count : from + Math.round(share * count)
      const site = { slug, from, to }
      from = to
      return site
    })
  }

  get count(): number {
    return this.#products.length
  }

  titleOf(i: number): string {
    return this.#products[i].title
  }

  changeText(i: number): void {
    this.#texts[i]++
  }

  /** Returns a line of a feed: all fields of the product with a hash of them, as shop systems send it. */
  lineOf(i: number): string {
    const product = this.#products[i]
    const price = this.prices[i].toFixed(2)
    const text = this.#texts[i]
    return JSON.stringify({
      ...product,
      external_id: externalIdOf(i),
      description: text === 0 ? product.description : `${this.#newText(i, text)} ${product.description ?? ''}`,
      price_current: price,
      sync_hash: `${text} ${price}`,
    })
  }

  /**
   * Returns a word that only the current text of a product has; null where it has none. The last product of a site has
   * one, and one of many others.
   */
  markOf(i: number): string | null {
    const isMarked = i % MARK_EVERY === 0 || this.sites.some(({ to }) => i === to - 1)
    return isMarked && this.#texts[i] > 0 ? markWord(`${i} ${this.#texts[i]}`) : null
  }

  #newText(i: number, text: number): string {
    const random = randomSource(i * 31 + text)
    const words = Array.from({ length: NEW_WORDS }, () => this.#words[Math.floor(random() * this.#words.length)])
    return [...words, this.markOf(i)].filter((word) => word !== null).join(' ')
  }
}

/** Returns a price with two digits. */
export function randomPrice(random: () => number): number {
  return Math.round((PRICE_MIN + (PRICE_MAX - PRICE_MIN) * random()) * 100) / 100
}

/** Returns the external_id of a product by its place in the catalogue. */
export function externalIdOf(i: number): string {
  return `product-${i}`
}

/** Returns the place in the catalogue of a product; NaN for one that is not of the catalogue. */
export function placeOf(externalId: string): number {
  return Number(externalId.replace(/^product-/, ''))
}

/** Returns a word of letters alone, which no text has by chance. */
export function markWord(text: string): string {
  return `q${hashText(text)
    .toString(26)
    .replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)])}`
}

/** Returns a product again, as another one: with other words in its title, another SKU and another price. */
function copyOf(product: CatalogueProduct, copy: number): CatalogueProduct {
  if (copy === 0) return product
  const edition = ['series', 'edition', 'pack', 'bundle', 'set'][copy % 5]
  const sku = typeof product.sku === 'string' ? { sku: `${copy}-${product.sku}`.slice(0, SKU_LENGTH_MAX) } : {}
  return {
    ...product,
    ...sku,
    title: `${product.title} ${edition} ${copy}`,
    price_current: (Number(product.price_current) + copy).toFixed(2),
  }
}
