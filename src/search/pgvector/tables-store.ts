/** The tables of one replica. Names are hashes, so no text from outside gets into a statement. */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { IndexDefinition, IndexVersion } from '../engine.ts'

/**
 * A change of the tables, of what a document is analysed to or of how it is kept takes the next number; replicas of
 * another one are built again. `test/pgvector/format.test.ts` fails where that was forgotten.
 */
export const FORMAT = 2

export interface ReplicaTables {
  readonly documents: RawBuilder<unknown>
  readonly passages: RawBuilder<unknown>
  /** Documents whose vectors are not among the passages, since they have another length or cannot be compared (0). */
  readonly misfits: RawBuilder<unknown>
  readonly terms: RawBuilder<unknown>
  readonly name: string
}

export type Place = Omit<IndexVersion, 'watermark'>

/** The table that has a row for each replica. */
export const REPLICAS = sql`${sql.id(REPLICA_SCHEMA, 'replicas')}`

/** The row of a replica. */
export function isOf(place: Place) {
  return sql`tenant_id = ${place.tenantId} and index_name = ${place.index} and model = ${modelOf(place)}`
}

/** Keys have no null. */
export function modelOf({ model }: Place): string {
  return model ?? ''
}

export function tablesOf({ tenantId, index, model }: Place): ReplicaTables {
  const name = createHash('sha256')
    .update(JSON.stringify([tenantId, index, model]))
    .digest('hex')
    .slice(0, 32)
  const table = (kind: string) => sql`${sql.id(REPLICA_SCHEMA, `${kind}_${name}`)}`
  return {
    name,
    documents: table('documents'),
    passages: table('passages'),
    misfits: table('misfits'),
    terms: table('terms'),
  }
}

/** The column of a number field. */
export function numberColumn(definition: IndexDefinition, field: string): string {
  return `number_${definition.numberFields.indexOf(field)}`
}
