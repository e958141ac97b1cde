import type { NewClick, NewSearch } from './store.ts'

/** A search as it waits to be written, in memory: its visitor in clear, its key not made yet. */
export interface QueuedSearch extends Omit<NewSearch, 'query_key' | 'visitor'> {
  /** The tenant's, for the key. */
  readonly language: string
  /** Null where none is to be kept. */
  readonly visitor_id: string | null
}

/** A click as it waits to be written, in memory: its visitor and address in clear. */
export interface QueuedClick extends Omit<NewClick, 'visitor' | 'network'> {
  readonly visitor_id: string | null
  /** Null without a visitor id: nothing needs it then. */
  readonly ip: string | null
}

export interface QueuedBatch {
  readonly searches: readonly QueuedSearch[]
  readonly clicks: readonly QueuedClick[]
}
