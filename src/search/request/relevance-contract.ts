import { Flag, Nullable, Num, Type } from '../../platform/contract/schema.ts'

/**
 * Returns the fields of a search request about the relevance of hits.
 * @param options pass `{}`, without a default, for a section of a combined search: a field that is absent there takes
 *   the value of the whole search
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

/** Returns the schema of a hit's relevance. */
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

/** Returns the schema of the similarity that an explained score is made of. */
export function ScaledSimilarity() {
  return Type.Optional(
    Num({
      description:
        "What counts in place of the similarity, since the model's cosines are brought to the scale of ranking; absent " +
        'where the similarity itself counts',
    }),
  )
}
