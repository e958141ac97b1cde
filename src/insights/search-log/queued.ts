import type { NewClick, NewSearch } from './store.ts'

/** Search that waits in memory to be written. Its visitor is not hashed yet, and it has no query key yet. */
export interface QueuedSearch extends Omit<NewSearch, 'query_key' | 'visitor'> {
  /** Language of the tenant, for the query key. */
  readonly language: string
  /** Null when the request has none, or when the log must not keep it. */
  readonly visitor_id: string | null
}

/** Click that waits in memory to be written. Its visitor and address are not hashed yet. */
export interface QueuedClick extends Omit<NewClick, 'visitor' | 'network'> {
  readonly visitor_id: string | null
  /** Address that the click came from; null without a visitor id, since nothing else needs it. */
  readonly ip: string | null
}

export interface QueuedBatch {
  readonly searches: readonly QueuedSearch[]
  readonly clicks: readonly QueuedClick[]
}
