// Rows of judged sets. `tables.ts` has the conventions.
import type { OrderedVisibility } from '../access/visibility.ts'

export interface JudgedSetRow {
  tenant_id: string
  id: string
  name: string
  section: 'knowledge' | 'products'
  created_at: number
  updated_at: number
}

export interface JudgedQueryRow {
  tenant_id: string
  id: string
  set_id: string
  query: string
  /** Ids with their grades, as JSON. */
  judgments: string
}

export interface JudgedRunRow {
  tenant_id: string
  id: string
  set_id: string
  state: 'running' | 'done' | 'failed'
  /** Ceiling of the run's searches. A caller with a lower ceiling does not see the run. */
  ceiling: OrderedVisibility
  /** Settings of the run as JSON. */
  settings: string
  done: number
  total: number
  ndcg: number | null
  /** Share of the queries whose first hit is judged right, from 0 to 1. */
  first_right: number | null
  /** Figures of each query, as JSON; an empty list until the run is done. */
  results: string
  started_at: number
  /** Time at which the run last noted its progress. */
  renewed_at: number
  finished_at: number | null
}
