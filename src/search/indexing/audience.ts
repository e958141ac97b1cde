import type { DocumentValues, IndexDefinition } from '../engine.ts'

/** Tells whether two sets of values give a document different audiences (`audienceFields`). */
export function areAudiencesApart(
  { audienceFields = [] }: IndexDefinition,
  { keys: one }: Pick<DocumentValues, 'keys'>,
  { keys: other }: Pick<DocumentValues, 'keys'>,
): boolean {
  return audienceFields.some((field) => {
    const [before, after] = [new Set(one[field]), new Set(other[field])]
    return before.size !== after.size || [...before].some((value) => !after.has(value))
  })
}
