import type { EmbeddedKind, VectorColumns } from '../../embedding/embedded-kind.ts'
import type { Database } from '../../platform/database/database.ts'
import { containsMark, followsMark, markHistory } from '../../platform/database/document-history.ts'
import { listChanges, type ReadBeside, readChanged } from '../../platform/database/document-changes.ts'
import { workFor } from '../../platform/hidden-parameters.ts'
import { type ChangeReader, changeBatches } from './change-batches.ts'
import { standbyReader } from './standby-reader.ts'
import type { Standby } from '../../platform/database/standby.ts'
import type { IndexChange, IndexDefinition, IndexDocument, IndexSource, IndexVersion } from '../engine.ts'

interface ChangedRow {
  readonly id: string
  readonly seq: number
}

/**
 * A kind of documents that can be searched, such as entries.
 * @typeParam Row a document's row, with the values of `beside`
 */
export interface SearchableKind<Row extends ChangedRow, Vectors extends VectorColumns> {
  readonly definition: IndexDefinition
  readonly embedding: EmbeddedKind<Row, Vectors>
  /** Columns that may hold long text, besides the vectors. */
  readonly longColumns: readonly (keyof Row & string)[]
  /** Select expressions, with names, of further values about the document, which is `d` in SQL. */
  readonly beside?: ReadBeside['beside']
  /** Tells whether a document that exists must not be found; by default every document can be found. */
  readonly isGone?: (row: Row) => boolean
  /** Returns the document of a row. A row for which it throws is counted as unreadable. */
  readonly documentOf: (row: Row) => Omit<IndexDocument, 'passages'>
}

/** The columns of a left join: all null if a document has no vectors of the model. */
type Joined<Vectors> = { readonly [Name in keyof Vectors]: Vectors[Name] | null }

/**
 * Makes the source of an index. It reads a tenant's changed documents and tombstones of one kind, oldest change first.
 * @param standby streaming replica of the database, which is read where it has all needed changes; null without one
 */
export function indexSource<Row extends ChangedRow, Vectors extends VectorColumns>(
  database: Database,
  kind: SearchableKind<Row, Vectors>,
  standby: Standby | null = null,
): IndexSource {
  const { tables } = kind.embedding
  const reader = (version: IndexVersion): ChangeReader => {
    const onPrimary = readerOf(database, kind, version)
    if (standby === null) return onPrimary
    return standbyReader(standby, version, { onStandby: readerOf(standby.database, kind, version), onPrimary })
  }
  return {
    definition: kind.definition,
    changes: (version, after) => changeBatches(reader(version), after),
    history: {
      mark: (tenantId, reached) => workFor(tenantId, () => markHistory(database, tenantId, tables, reached)),
      contains: (tenantId, mark) => workFor(tenantId, () => containsMark(database, tenantId, tables, mark)),
      follows: (tenantId, mark) => workFor(tenantId, () => followsMark(database, tenantId, tables, mark)),
    },
  }
}

function readerOf<Row extends ChangedRow, Vectors extends VectorColumns>(
  database: Database,
  kind: SearchableKind<Row, Vectors>,
  version: IndexVersion,
): ChangeReader {
  const { embedding, longColumns, beside } = kind
  const { tables, passageColumns: vectorColumns } = embedding
  const { tenantId } = version
  return {
    list: (after, limit) =>
      workFor(tenantId, () => listChanges(database, version, tables, longColumns, { after, limit })),
    async read(ids, last) {
      const read = () =>
        readChanged<Row & Joined<Vectors>>(database, version, tables, { vectorColumns, beside }, { ids, last })
      return (await workFor(tenantId, read)).map((row) => changeOf(kind, row))
    },
  }
}

function changeOf<Row extends ChangedRow, Vectors extends VectorColumns>(
  { embedding, isGone, documentOf }: SearchableKind<Row, Vectors>,
  row: Row & Joined<Vectors>,
): IndexChange {
  const { id, seq } = row
  if (isGone?.(row)) return { seq, remove: id }
  try {
    const passages = row.vectors === null ? [] : embedding.passagesOf(row, row as Row & Vectors)
    return { seq, put: { ...documentOf(row), passages } }
  } catch {
    return { seq, unreadable: id }
  }
}
