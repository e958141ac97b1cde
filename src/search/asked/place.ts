/** Where in a request a part of a search stands, for its faults. */
export type LocOf = (part: 'filter' | 'sort' | 'facets' | 'fields') => readonly string[]

/** At the top of the body. */
export const inBody: LocOf = (part) => ['body', part]

/** Where a search stands in its request, and what it is a part of. */
export interface SearchPlace {
  /** Id of the combined search, if this search is a section of one. */
  readonly logId?: string
  readonly locOf?: LocOf
}
