import { SuggestedEntry } from '../../knowledge/entries/contract.ts'
import { Contract, Int, ListOf, OneOf, type Static, Text, Type } from '../../platform/contract/schema.ts'
import { ProductSuggestions } from '../../shop/products/search/search-contract.ts'
import { SECTIONS } from '../combined-search/contract.ts'

export const SuggestQuery = Type.Object({
  q: Text({ maxLength: 200, description: 'What has been typed so far' }),
  section: Type.Optional(
    ListOf(OneOf(SECTIONS), {
      maxItems: 10,
      description:
        'What to suggest; may be repeated. Without it: products, or entries where the key may read those alone',
    }),
  ),
  site_id: Type.Optional(Type.String({ maxLength: 200, description: 'Id or slug of a site. Absent: all sites' })),
  limit: Type.Optional(Int({ minimum: 1, maximum: 20, default: 5, description: 'Length of each list' })),
})
export type SuggestQuery = Static<typeof SuggestQuery>

export const Suggestions = Contract('Suggestions', {
  completions: ListOf(Type.String(), {
    description: 'The typed text with its last word completed and its mistyped words corrected',
  }),
  ...ProductSuggestions.properties,
  entries: Type.Optional(ListOf(SuggestedEntry, { description: 'Only with the section knowledge' })),
})
export type Suggestions = Static<typeof Suggestions>
