import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../platform/database/database.ts'
import type { DocumentTables } from '../platform/database/document-tables.ts'
import { inRuns } from '../platform/database/runs.ts'
import type { EmbeddedKind, HashColumn, VectorColumns } from './embedded-kind.ts'
import { decodeHashes } from './text-hashes.ts'

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

/** Stored vectors of a document, in the order of its texts, and which texts the model has read. */
export interface ReadVectors {
  readonly vectors: readonly Float32Array[]
  /** Hash of each text that was read; null for one that waits. */
  readonly hashes: readonly (string | null)[]
  /** The vectors of the texts that were read. */
  readonly byHash: ReadonlyMap<string, Float32Array>
}

/** Returns, by document, the vectors of a model that takes long to read; documents without any are missing. */
export async function readVectors<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  db: Queries,
  kind: EmbeddedKind<Row, Vectors>,
  tenantId: string,
  model: string,
  ids: readonly string[],
): Promise<Map<string, ReadVectors>> {
  const { tables, passageColumns, anchorColumn } = kind
  const all = new Map<string, ReadVectors>()
  const columns = sql.join([...passageColumns, anchorColumn, 'text_hashes'].map((name) => sql.ref(name)))
  const id = sql.ref(tables.idColumn)
  await inRuns(ids, async (some) => {
    const { rows } = await sql<Vectors & HashColumn & { readonly id: string }>`
      select ${id} as id, ${columns} from ${sql.table(tables.vectors)}
      where tenant_id = ${tenantId} and model = ${model} and ${id} in (${sql.join(some)})`.execute(db)
    for (const row of rows) {
      if (row.text_hashes === null) continue
      const hashes = decodeHashes(row.text_hashes)
      const vectors = kind.vectorsOf(row, hashes.length)
      const byHash = new Map(hashes.flatMap((hash, i) => (hash === null ? [] : [[hash, vectors[i]] as const])))
      all.set(row.id, { vectors, hashes, byHash })
    }
  })
  return all
}
