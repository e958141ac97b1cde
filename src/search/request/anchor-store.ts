import { sql } from 'kysely'
import type { EmbeddedKind, VectorColumns } from '../../embedding/embedded-kind.ts'
import type { Queries } from '../../platform/database/database.ts'

/** Returns a document's stored vectors: of its passages and of its anchor. Null when it has no vectors of the model. */
export async function findVectors<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  db: Queries,
  { tables, passageColumns, anchorColumn }: EmbeddedKind<Row, Vectors>,
  tenantId: string,
  id: string,
  model: string,
): Promise<Vectors | null> {
  const columns = sql.join([...passageColumns, anchorColumn].map((name) => sql.ref(name)))
  const { rows } = await sql<Vectors>`
    select ${columns} from ${sql.table(tables.vectors)}
    where tenant_id = ${tenantId} and ${sql.ref(tables.idColumn)} = ${id} and model = ${model}`.execute(db)
  return rows[0] ?? null
}
