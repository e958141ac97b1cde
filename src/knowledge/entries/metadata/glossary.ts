import { ListOf, Text, Type } from '../../../platform/contract/schema.ts'

/** Metadata of a glossary entry, whose term and synonyms count as search keywords. */
export const GlossaryMetadata = Type.Object(
  {
    term: Text({ description: 'Counts as a search keyword' }),
    definition: Type.Optional(Type.String({ description: 'What the term means' })),
    synonyms: Type.Optional(ListOf(Text(), { description: 'Other words for the term. They count as search keywords' })),
    antonyms: Type.Optional(ListOf(Text(), { description: 'Words for the opposite' })),
    abbreviation: Type.Optional(Type.String({ description: 'Its short form' })),
  },
  { $id: 'GlossaryMetadata', additionalProperties: false },
)
