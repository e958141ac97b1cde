import type { Words } from '../../i18n/words.ts'

/** How far search indexes are behind, as both statuses tell it. */
interface SearchLag {
  readonly documents_behind: number
  readonly indexes_behind: number
  readonly behind_seconds: number
  readonly indexes_building: number
  readonly built_percent: number
}

/** Seconds from which on an index that is behind is worth a look (as in the service's own warnings). */
const LONG_SECONDS = 60

/** Tells whether indexes have been behind for so long that a warning is due. */
export function isLongBehind({ behind_seconds: seconds }: Pick<SearchLag, 'behind_seconds'>): boolean {
  return seconds >= LONG_SECONDS
}

/** Says how far search indexes are behind, for how long, and why. */
export function searchLagText(lag: SearchLag, words: Words['searchLag'], number: (value: number) => string): string {
  const { documents_behind: documents, indexes_behind: indexes, behind_seconds: seconds } = lag
  const { indexes_building: building, built_percent: percent } = lag
  if (indexes === 0 && building === 0) return words.none
  const why = building > 0 ? words.building(number(percent)) : words.reading
  return documents === 0 ? why : words.behind(number(documents), number(Math.ceil(seconds)), why)
}
