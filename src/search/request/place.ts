import type { Filter, Raise } from '../engine.ts'

/** Returns the place in the request of a part of a search, for the faults of that part. */
export type LocOf = (part: 'filter' | 'sort' | 'facets' | 'fields') => readonly string[]

/** Returns the place of a part that stands at the top of the body. */
export const inBody: LocOf = (part) => ['body', part]

/** The circumstances of a search that is a part of another operation, such as a section of a combined search. */
export interface SearchPlace {
  /** Id in the search log of the combined search, if this search is a section of one. */
  readonly logId?: string
  /** Places of the search's parts in the request; by default `inBody`. */
  readonly locOf?: LocOf
  /** Only these documents can be hits. Their scores and relevance stay as among all documents. */
  readonly among?: Filter
  /** Whether documents qualify without matching the query. */
  readonly isOpen?: boolean
}

/** Raises that let every document that passes the filters qualify. */
export const OPEN: readonly Raise[] = [{ filter: { all: [] }, bonus: 0, qualifies: true }]

/** Returns the filter, narrowed to the documents of `among` if there is one. */
export function narrowFilter(filter: Filter, { among }: Pick<SearchPlace, 'among'>): Filter {
  return among === undefined ? filter : { all: [filter, among] }
}
