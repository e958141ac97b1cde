import { answerOf, type AnswerOf, api } from '../../api/client.ts'
import { type Product, productsWith } from '../../api/products.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'
import type { ProductSearch, SortName } from './product-search.ts'

export type Facet = AnswerOf<'/api/knowledge/products/browse', 'post'>['facets'][number]
type RowField = (typeof ROW_FIELDS)[number]
export type Row = Pick<Product, RowField>
export interface ProductPage extends CursorPage<Row> {
  readonly facets: readonly Facet[]
}

export const PAGE = 100
const VALUES = 30
const ROW_FIELDS = [
  'id',
  'title',
  'external_id',
  'sku',
  'brand',
  'category',
  'price_effective',
  'price_current',
  'price_on_request',
  'currency',
  'availability',
  'is_parent',
  'is_variant',
  'language',
  'updated_at',
] as const

const SORT: Readonly<Record<SortName, { field: string; order: 'asc' | 'desc' }>> = {
  price: { field: 'price', order: 'asc' },
  'price-desc': { field: 'price', order: 'desc' },
  title: { field: 'title', order: 'asc' },
  'updated-desc': { field: 'updated_at', order: 'desc' },
}

/** Reads a page of products, with the counts of all that match. @param cursor number of products before the page */
export async function askProducts(
  productSearch: ProductSearch,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ProductPage> {
  const offset = Number(cursor ?? 0)
  const { site, q = '', sort } = productSearch
  const call = api.POST('/api/knowledge/products/browse', {
    signal,
    body: {
      query: q,
      prefix: true,
      site_id: site ?? null,
      limit: PAGE,
      offset,
      filter: { all: conditionsOf(productSearch) },
      ...(sort === undefined ? {} : { sort: SORT[sort] }),
      facets: [
        { field: 'category', hierarchy: true, limit: 100 },
        { field: 'brand', limit: VALUES },
        { field: 'availability', limit: VALUES },
        { field: 'price' },
      ],
      fields: [...ROW_FIELDS],
    },
  })
  const { hits, total, facets } = await answerOf(call)
  const end = offset + hits.length
  return {
    rows: productsWith(ROW_FIELDS, hits),
    total,
    next: hits.length > 0 && end < total ? String(end) : null,
    facets,
  }
}

function conditionsOf({ category, brand, availability, min, max }: ProductSearch): object[] {
  return [
    ...(category === undefined ? [] : [{ field: 'category', under: [category] }]),
    ...(brand === undefined ? [] : [{ field: 'brand', any_of: brand }]),
    ...(availability === undefined ? [] : [{ field: 'availability', any_of: availability }]),
    ...(min === undefined && max === undefined
      ? []
      : [
          {
            field: 'price',
            ...(min === undefined ? {} : { gte: min }),
            ...(max === undefined ? {} : { lte: max }),
          },
        ]),
  ]
}
