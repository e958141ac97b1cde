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
  /** How far the run could see. A caller who sees less is not shown the run. */
  ceiling: OrderedVisibility
  /** As JSON. */
  settings: string
  done: number
  total: number
  ndcg: number | null
  first_right: number | null
  /** Figures of each query, as JSON; an empty list until the run is done. */
  results: string
  started_at: number
  /** When the run last noted how far it is. */
  renewed_at: number
  finished_at: number | null
}
