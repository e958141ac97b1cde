import type { Filter, Raise } from '../engine.ts'

/** Where in a request a part of a search stands, for its faults. */
export type LocOf = (part: 'filter' | 'sort' | 'facets' | 'fields') => readonly string[]

/** At the top of the body. */
export const inBody: LocOf = (part) => ['body', part]

/** Where a search stands in its request, and what it is a part of. */
export interface SearchPlace {
  /** Id of the combined search, if this search is a section of one. */
  readonly logId?: string
  readonly locOf?: LocOf
  /** Searches these documents alone. They are ranked and rated as among all others. */
  readonly among?: Filter
  /** Whether documents are found without matching the query. */
  readonly isOpen?: boolean
}

/** What lets every document that passes the filters be found. */
export const OPEN: readonly Raise[] = [{ filter: { all: [] }, bonus: 0, qualifies: true }]

/** The filter, narrowed to the documents that are searched alone. */
export function narrowed(filter: Filter, { among }: Pick<SearchPlace, 'among'>): Filter {
  return among === undefined ? filter : { all: [filter, among] }
}
