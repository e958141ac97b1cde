import { Product } from '../../../shop/products/contract.ts'
import {
  ProductFacets,
  type ProductHit,
  ProductSearch,
  SimilarQuery,
} from '../../../shop/products/search/search-contract.ts'
import type { ProductSearchRules } from '../../../shop/products/search/search-rules.ts'
import { Flag, Int, ListOf, Num, Type, Uuid } from '../../../platform/contract/schema.ts'
import { Budget, BUDGET_DEFAULT, excerpt, fill, type Item, jsonLength } from '../budget.ts'
import { LeftOut, NextOffset, titleOf } from '../entry-view.ts'
import { quoted } from '../quotes.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { Behind, MinWatermark, saidOfBehind, searchFor } from '../writes-seen.ts'
import { lines, numbered, tooMuch } from './words.ts'

const DESCRIPTION_CHARACTERS = 300
const DETAIL_CHARACTERS = 4_000
const OFFSET_MAX = 1_000

const { query, site_id, limit, offset, category, brand, availability, sku, ...others } = ProductSearch.properties
const { price_min, price_max, mode, language } = others
const FILTERS = {
  sku: 'SKU, GTIN or external id, in any spelling',
  category: 'Exactly this category',
  brand: 'Exactly this brand',
}
const contract = Product.properties

/** Fields of a product in an answer. Null fields are left out. */
const ProductBrief = {
  id: contract.id,
  title: Type.String(),
  site_id: contract.site_id,
  sku: Type.Optional(Type.String()),
  gtin: Type.Optional(Type.String()),
  external_id: Type.Optional(Type.String()),
  brand: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  price_current: Type.Optional(Type.String()),
  price_special: Type.Optional(Type.String()),
  price_effective: Type.Optional(Type.String()),
  currency: Type.String(),
  availability: Type.Optional(Type.String()),
  product_url: Type.Optional(Type.String()),
  description: Type.String(),
  attributes: Type.Optional(contract.attributes),
  properties: Type.Optional(contract.properties),
  similarity: Num(),
}

const Full = Type.Optional(Flag({ default: false }))

export function searchProducts(products: ProductSearchRules): Tool {
  return defineTool({
    name: 'search_products',
    title: 'Search products',
    description:
      'Finds products by words, by meaning or by identifier (SKU, GTIN, external id), with filters. Prices are exact. ' +
      'To read everything about one product, give its sku and full: true.',
    scopes: ['products:read'],
    hints: READS,
    isOfUse: (caller) => products.hasProducts(caller),
    input: {
      query,
      site_id,
      limit,
      offset,
      category,
      brand,
      availability,
      sku,
      price_min,
      price_max,
      facets: Type.Optional(Flag({ default: false })),
      full: Full,
      min_watermark: MinWatermark,
      budget_characters: Budget,
    },
    unlisted: { mode, language },
    words: FILTERS,
    output: {
      total: Int({ minimum: 0, description: 'All products that were found' }),
      products: ListOf(Type.Object({ ...ProductBrief, score: Num(), rank: Int({ minimum: 1 }) })),
      facets: Type.Optional(Type.Union([ProductFacets, Type.Null()])),
      search_log_id: Type.String(),
      behind: Behind,
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (
      caller,
      { budget_characters: budget = BUDGET_DEFAULT, full = false, min_watermark: watermark, ...input },
      watermarks,
    ) => {
      const offset = input.offset ?? 0
      const search = { ...input, facets: input.facets ?? false }
      const {
        hits: page,
        total,
        facets,
        logId,
        behind,
      } = await searchFor(caller, watermark, watermarks, (searching) => products.search(searching, search))
      const lack = saidOfBehind(caller, behind)
      const hits = await page.objects<ProductHit>()
      const facetsLength = facets === null ? 0 : jsonLength(facets)
      const fits = facetsLength < budget / 2
      const items = fill(
        hits,
        budget,
        full ? DETAIL_CHARACTERS : DESCRIPTION_CHARACTERS,
        ({ product, similarity, score, rank }, max) => productItem(product, max, full, { similarity, score, rank }),
        fits ? facetsLength : 0,
      )
      const next = offset + items.length
      const hasNext = next < total && next <= OFFSET_MAX && items.length > 0
      const missed = hits.length - items.length
      const leftOut = lines(
        missed === 0 ? null : tooMuch(missed, 'products', `offset ${next}`),
        fits ? null : 'The facets did not fit: call again with a larger budget_characters.',
      )
      return {
        structured: {
          total,
          products: items.map(({ json }) => json),
          ...(fits ? { facets } : {}),
          search_log_id: logId,
          ...lack.structured,
          next_offset: hasNext ? next : null,
          left_out: leftOut === '' ? null : leftOut,
        },
        text: lines(
          total === 0 ? 'No products were found.' : `${items.length} of ${total} products, best first:`,
          numbered(items, offset),
          facets === null || !fits ? null : `facets: ${quoted(JSON.stringify(facets))}`,
          lack.text,
          leftOut === '' ? null : leftOut,
          hasNext && missed === 0 ? `More: offset ${next}.` : null,
        ),
      }
    },
  })
}

export function findSimilarProducts(products: ProductSearchRules): Tool {
  return defineTool({
    name: 'find_similar_products',
    title: 'Find similar products',
    description: 'Finds the products most similar to one, on the same site. Its own variants are left out.',
    scopes: ['products:read'],
    hints: READS,
    isOfUse: (caller) => products.hasProducts(caller),
    input: { product_id: Uuid(), ...SimilarQuery.properties, full: Full, budget_characters: Budget },
    output: { products: ListOf(Type.Object(ProductBrief)), left_out: LeftOut },
    run: async (caller, { product_id: id, limit = 10, full = false, budget_characters: budget = BUDGET_DEFAULT }) => {
      const similar = await products.similar(caller, id, limit)
      const max = full ? DETAIL_CHARACTERS : DESCRIPTION_CHARACTERS
      const items = fill(similar, budget, max, ({ product, similarity }, most) =>
        productItem(product, most, full, { similarity }),
      )
      const missed = similar.length - items.length
      const leftOut =
        missed === 0 ? null : `${missed} products did not fit: call again with a larger budget_characters.`
      return {
        structured: { products: items.map(({ json }) => json), left_out: leftOut },
        text: lines(
          similar.length === 0 ? 'No similar products.' : `${items.length} similar products, nearest first:`,
          numbered(items, 0),
          leftOut,
        ),
      }
    },
  })
}

const TEXTS = ['sku', 'gtin', 'external_id', 'brand', 'category', 'availability', 'product_url'] as const
const TEXT_CHARACTERS = 300
/** Characters of a text when a single product would otherwise not fit the smallest budget. */
const SHORT_TEXT_CHARACTERS = 40

/** Writes a product as an item. @param full whether to add long descriptions, attributes and properties that fit */
function productItem(
  product: Product,
  excerptMax: number,
  full: boolean,
  rating: { readonly similarity: number; readonly score?: number; readonly rank?: number },
): Item {
  const texts = TEXTS.flatMap((name) => {
    const value = product[name]
    return value === null || value === ''
      ? []
      : [[name, excerpt(value, excerptMax > 0 ? TEXT_CHARACTERS : SHORT_TEXT_CHARACTERS)] as const]
  })
  const prices = (['price_current', 'price_special', 'price_effective'] as const).flatMap((name) => {
    const value = product[name]
    return value === null ? [] : [[name, value] as const]
  })
  const description = full
    ? [product.short_description, product.description].filter((text) => text !== null).join('\n')
    : (product.short_description ?? product.description ?? '')
  const isDetailed = full && excerptMax > 0
  const json = {
    id: product.id,
    title: titleOf(product.title),
    site_id: product.site_id,
    ...Object.fromEntries([...texts, ...prices]),
    currency: product.currency,
    description: excerpt(description, excerptMax),
    ...(isDetailed ? { attributes: product.attributes, properties: product.properties } : {}),
    ...rating,
  }
  const facts = [...texts, ...prices].map(([name, value]) => `${name}: ${value}`)
  if (prices.length > 0) facts.push(`currency: ${product.currency}`)
  return {
    json,
    text: lines(
      json.title,
      `   product_id: ${product.id}, similarity ${rating.similarity.toFixed(3)}`,
      facts.length === 0 ? null : `   ${facts.join(', ')}`,
      json.description === '' ? null : `   ${json.description}`,
      isDetailed ? `   attributes: ${JSON.stringify(product.attributes)}` : null,
      isDetailed ? `   properties: ${JSON.stringify(product.properties)}` : null,
    ),
  }
}
