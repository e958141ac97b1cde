import { ListOf, Text, Type } from '../../../platform/contract/schema.ts'

/** Term and synonyms count as search keywords. */
export const GlossaryMetadata = Type.Object(
  {
    term: Text(),
    definition: Type.Optional(Type.String()),
    synonyms: Type.Optional(ListOf(Text())),
    antonyms: Type.Optional(ListOf(Text())),
    abbreviation: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
