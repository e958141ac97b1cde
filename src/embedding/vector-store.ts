import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../platform/database/database.ts'
import type { DocumentTables } from '../platform/database/document-tables.ts'
import { inRuns } from '../platform/database/runs.ts'

/** A document's vectors as columns. */
interface StoredVectors {
  /** Id of the document. */
  readonly id: string
  /** Values by the names of their columns. */
  readonly columns: object
}

/** Stores the vectors of documents, in place of earlier ones of the same model. */
export async function saveVectors(
  tx: Queries,
  { vectors, idColumn }: DocumentTables,
  tenantId: string,
  model: string,
  stored: readonly StoredVectors[],
): Promise<void> {
  if (stored.length === 0) return
  const names = Object.keys(stored[0].columns).map((name) => sql.ref(name))
  const key = sql`tenant_id, ${sql.ref(idColumn)}, model`
  const rowOf = ({ id, columns }: StoredVectors): RawBuilder<unknown> =>
    sql`(${sql.join([tenantId, id, model, ...Object.values(columns)])})`
  await inRuns(stored, (some) =>
    sql`
      insert into ${sql.table(vectors)} (${key}, ${sql.join(names)}) values ${sql.join(some.map(rowOf))}
      on conflict (${key}) do update set ${sql.join(names.map((name) => sql`${name} = excluded.${name}`))}`.execute(tx),
  )
}

/** Deletes the vectors of documents, for all models. */
export async function deleteVectors(
  tx: Queries,
  { vectors, idColumn }: DocumentTables,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await inRuns(ids, (some) =>
    sql`
      delete from ${sql.table(vectors)}
      where tenant_id = ${tenantId} and ${sql.ref(idColumn)} in (${sql.join(some)})`.execute(tx),
  )
}
