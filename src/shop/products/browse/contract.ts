import { Contract, Flag, Int, ListOf, Nullable, OneOf, type Static, Type } from '../../../platform/contract/schema.ts'
import { Facet, SearchFacets, SearchFilter, SearchSort } from '../../../search/request/contract.ts'
import { ProductFields, ProductHit } from '../search/search-contract.ts'

/** Highest offset, so high that a page can show every product of a large catalogue. */
const OFFSET_MAX = 1_000_000

export const ProductBrowse = Contract(
  'ProductBrowse',
  {
    query: Type.Optional(
      Type.String({
        maxLength: 2_000,
        default: '',
        description: 'As in product search. Empty: all products that pass the filter, last changed first',
      }),
    ),
    site_id: Type.Optional(
      Nullable(Type.String({ maxLength: 1_000 }), { description: 'Id or slug of a site. Absent: all sites' }),
    ),
    mode: Type.Optional(OneOf(['hybrid', 'keyword', 'semantic'], { default: 'hybrid' })),
    prefix: Type.Optional(Flag({ default: false, description: 'The last word is still being typed' })),
    limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 50 })),
    offset: Type.Optional(Int({ minimum: 0, maximum: OFFSET_MAX, default: 0 })),
    filter: Type.Optional(SearchFilter),
    sort: Type.Optional(SearchSort),
    facets: Type.Optional(SearchFacets),
    fields: Type.Optional(ProductFields),
  },
  {
    examples: [
      {
        query: 'drill',
        filter: { all: [{ field: 'category', under: ['Tools'] }] },
        facets: [{ field: 'category', hierarchy: true }, { field: 'brand' }],
        sort: { field: 'price' },
        fields: ['id', 'title', 'price_effective'],
      },
    ],
  },
)
export type ProductBrowse = Static<typeof ProductBrowse>

export const ProductBrowseAnswer = Contract('ProductBrowseAnswer', {
  total: Int({ minimum: 0, description: 'All products that were found' }),
  hits: ListOf(ProductHit),
  facets: ListOf(Facet, { description: 'As asked for, in that order' }),
})
export type ProductBrowseAnswer = Static<typeof ProductBrowseAnswer>
