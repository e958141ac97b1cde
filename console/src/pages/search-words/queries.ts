import type { Synonym } from '../../api/search-vocabulary.ts'

/** Returns the synonyms with one in place of another; without `after` one is removed, without `before` one is added. */
export function replaced(all: readonly Synonym[], before: Synonym | null, after: Synonym | null): Synonym[] {
  const index = before === null ? -1 : all.findIndex((each) => keyOf(each) === keyOf(before))
  const rest = index < 0 ? [...all] : all.toSpliced(index, 1)
  if (after !== null) rest.splice(index < 0 ? 0 : index, 0, after)
  return rest
}

export const keyOf = ({ words, from }: Synonym): string => JSON.stringify([from ?? null, words])
