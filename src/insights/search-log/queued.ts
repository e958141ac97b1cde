import type { NewClick, NewSearch } from './store.ts'

/** A search that waits in memory to be written. Its visitor is not hashed yet, and its query key not made. */
export interface QueuedSearch extends Omit<NewSearch, 'query_key' | 'visitor'> {
  /** Language of the tenant, for the query key. */
  readonly language: string
  /** Null when there is none, or the log must not keep it. */
  readonly visitor_id: string | null
}

/** A click that waits in memory to be written. Its visitor and address are not hashed yet. */
export interface QueuedClick extends Omit<NewClick, 'visitor' | 'network'> {
  readonly visitor_id: string | null
  /** Null without a visitor id: nothing else needs the address. */
  readonly ip: string | null
}

export interface QueuedBatch {
  readonly searches: readonly QueuedSearch[]
  readonly clicks: readonly QueuedClick[]
}
