/** Names the tables of a replica. Names are hashes, so no text from outside gets into a statement. */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { IndexDefinition, IndexVersion } from '../engine.ts'

/**
 * Number of the format of replicas. A change of the tables, of the analysis of documents or of their encoding takes the
 * next number, and replicas of other formats are built again. `test/pgvector/format.test.ts` fails where that was
 * forgotten.
 */
export const FORMAT = 4

export interface ReplicaTables {
  readonly documents: RawBuilder<unknown>
  readonly passages: RawBuilder<unknown>
  /**
   * Documents whose vectors are not among the passages, with the dimensions of these vectors; 0 for invalid vectors.
   */
  readonly misfits: RawBuilder<unknown>
  readonly terms: RawBuilder<unknown>
  /** Documents whose values were read and whose text, or whose latest text, is still to be read. */
  readonly awaited: RawBuilder<unknown>
  /** Names of the indexes of terms: of all documents, and of the sample. */
  readonly termIndexes: { readonly all: string; readonly sampled: string }
  readonly name: string
}

/** The tenant, index and model of a replica. */
export type ReplicaKey = Omit<IndexVersion, 'watermark'>

/** The table that has a row for each replica. */
export const REPLICAS = sql`${sql.id(REPLICA_SCHEMA, 'replicas')}`

/** Returns the condition of a replica's row. */
export function rowOf(key: ReplicaKey) {
  return sql`tenant_id = ${key.tenantId} and index_name = ${key.index} and model = ${modelOf(key)}`
}

/** Returns the model as the table has it: empty for null, since a primary key has no null. */
export function modelOf({ model }: ReplicaKey): string {
  return model ?? ''
}

export function tablesOf({ tenantId, index, model }: ReplicaKey): ReplicaTables {
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
    awaited: table('awaited'),
    termIndexes: { all: `terms_all_${name}`, sampled: `terms_sampled_${name}` },
  }
}

/** Returns the column of a number field. */
export function numberColumn(definition: IndexDefinition, field: string): string {
  return `number_${definition.numberFields.indexOf(field)}`
}
