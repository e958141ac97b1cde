/**
 * The contracts of a filter, a sort order and facets in a search request. A filter and the facets are free-form here;
 * `compileFilter` and `compileFacets` check them.
 */
import {
  Contract,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  Num,
  OneOf,
  type Static,
  Text,
  Type,
} from '../../platform/contract/schema.ts'

export const SearchFilter = FreeForm({
  description:
    'A condition: `{"field": …, "any_of": […]}`, with `gt`, `gte`, `lt`, `lte`, or with `exists`; or ' +
    '`{"all": […]}`, `{"any": […]}`, `{"not": …}`. At most 64 conditions, 8 levels deep, 20 categories with `under`',
})

export const SearchSort = Type.Object(
  {
    field: Text({ maxLength: 200 }),
    order: Type.Optional(OneOf(['asc', 'desc'], { default: 'asc' })),
  },
  { description: 'What to sort by. Relevance decides between equal values; hits without a value come last' },
)
export type SearchSort = Static<typeof SearchSort>

export const SearchFacets = ListOf(FreeForm(), {
  maxItems: 20,
  description:
    'What to count: `{"field": …}`, with `limit` (most values, 1 to 100, default 20), with `ranges` of numbers ' +
    '(`[{"from": 10, "to": 20}]`), or with `"hierarchy": true` for categories. What `filter` says about a field alone ' +
    'does not narrow the counts of that field, and counts as a search of its own; at most 10 facets, 6 with a ' +
    'publishable key, can be of such fields',
})

export const Facet = Contract('Facet', {
  field: Type.String(),
  values: Type.Optional(
    ListOf(
      Type.Object({
        value: Type.String(),
        count: Int({ description: 'With `hierarchy`: of the whole subtree' }),
        name: Type.Optional(Type.String({ description: 'Name of the category' })),
        parent: Type.Optional(Nullable(Type.String(), { description: 'Value of the category above' })),
      }),
      { description: 'The most frequent first' },
    ),
  ),
  count: Type.Optional(Int({ description: 'Hits that have the number' })),
  min: Type.Optional(
    Nullable(Type.Union([Num(), Type.String()]), {
      description:
        'A number, or a date and time. Of metadata and attributes a date and time where the ranges have dates',
    }),
  ),
  max: Type.Optional(Nullable(Type.Union([Num(), Type.String()]))),
  ranges: Type.Optional(
    ListOf(
      Type.Object({
        from: Type.Optional(Type.Union([Num(), Type.String()])),
        to: Type.Optional(Type.Union([Num(), Type.String()])),
        count: Int(),
      }),
      { description: 'As asked, each with how many hits are in it' },
    ),
  ),
})
export type Facet = Static<typeof Facet>
