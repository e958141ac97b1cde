import type { Synonym } from '../../api/search-vocabulary.ts'

/** The synonyms with one in place of another; without `after` it goes, without `before` it comes. */
export function replaced(all: readonly Synonym[], before: Synonym | null, after: Synonym | null): Synonym[] {
  const at = before === null ? -1 : all.findIndex((each) => keyOf(each) === keyOf(before))
  const rest = at < 0 ? [...all] : all.toSpliced(at, 1)
  if (after !== null) rest.splice(at < 0 ? 0 : at, 0, after)
  return rest
}

export const keyOf = ({ words, from }: Synonym): string => JSON.stringify([from ?? null, words])
