import type { Database } from '../../platform/database/database.ts'
import type { MeasuredOf } from './model-scales.ts'
import { findCosines } from './store.ts'

/** Reads from a database what was measured of models. */
export function measuredIn({ queries }: Database): MeasuredOf {
  return (model) => findCosines(queries, model)
}
