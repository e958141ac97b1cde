import { Flag, Nullable, Num, Type } from '../../platform/contract/schema.ts'

/**
 * The fields of a search by which it asks for the relevance of its hits.
 * @param options without a default for a part of a search that stands in for the whole
 */
export function RelevanceFields(options: { readonly default?: boolean } = { default: false }) {
  return {
    relevance: Type.Optional(
      Flag({ ...options, description: 'Whether hits say how relevant they are. Implied by min_relevance' }),
    ),
    min_relevance: Type.Optional(
      Nullable(Num({ minimum: 0, maximum: 1 }), {
        description:
          'Hits below it are dropped, also from counts. 0.2 leaves out what matches by chance, and sometimes a good hit that ranks first, since each is rated by itself',
      }),
    ),
  }
}

/** How relevant a hit is. */
export function HitRelevance() {
  return Type.Optional(
    Num({
      minimum: 0,
      maximum: 1,
      description:
        'How likely it is what was asked for: by the share of the words that it has and by its similarity, in keyword ' +
        'mode by words alone. Comparable between queries. Present if the search asks for it and has a query',
    }),
  )
}
