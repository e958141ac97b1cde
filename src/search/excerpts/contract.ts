import { Contract, Int, ListOf, Type } from '../../platform/contract/schema.ts'

/** Most UTF-16 units of an excerpt where the search does not set a length. */
export const EXCERPT_LENGTH_DEFAULT = 200

/** Options of a search for the excerpts of its hits. */
export const ExcerptOptions = Type.Object(
  {
    length: Type.Optional(
      Int({
        minimum: 50,
        maximum: 1_000,
        default: EXCERPT_LENGTH_DEFAULT,
        description: 'Most characters, in UTF-16 units',
      }),
    ),
  },
  { description: 'Each hit has an excerpt: plain text around the words of the query. `{}` takes the default length' },
)

export const Excerpt = Contract('Excerpt', {
  text: Type.String({ description: 'Plain text without the marks of Markdown or HTML. Where it is cut stands …' }),
  matches: ListOf(Type.Object({ start: Int({ minimum: 0 }), end: Int({ minimum: 0 }) }), {
    description: 'Places of words of the query in the text, in UTF-16 units. `end` is not included',
  }),
})
