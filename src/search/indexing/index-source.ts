import type { EmbeddedKind, VectorColumns } from '../../embedding/embedded-kind.ts'
import type { Database } from '../../platform/database/database.ts'
import { containsMark, followsMark, markHistory } from '../../platform/database/document-history.ts'
import {
  countDocuments,
  listChanges,
  type ListedValues,
  listValues,
  type ReadBeside,
  readChanged,
} from '../../platform/database/document-changes.ts'
import { workFor } from '../../platform/hidden-parameters.ts'
import type { Standby } from '../../platform/database/standby.ts'
import type {
  DocumentValues,
  IndexChange,
  IndexDefinition,
  IndexDocument,
  IndexSource,
  IndexVersion,
  ValueChange,
} from '../engine.ts'
import { type ChangeReader, changeBatches, valueBatches } from './change-batches.ts'
import { signatureOf } from './signature.ts'
import { standbyReader } from './standby-reader.ts'

interface ChangedRow {
  readonly id: string
  readonly seq: number
  readonly text_seq: number
  readonly updated_at: number
}

/**
 * A kind of documents that can be searched, such as entries.
 * @typeParam Row a document's row, with the values of `beside`
 * @typeParam ValueRow the part of a row that values are made of
 */
export interface SearchableKind<
  Row extends ChangedRow & ValueRow,
  Vectors extends VectorColumns,
  ValueRow extends object = Row,
> {
  readonly definition: IndexDefinition
  readonly embedding: EmbeddedKind<Row, Vectors>
  /** Columns that may hold long text, besides the vectors. */
  readonly longColumns: readonly (keyof Row & string)[]
  /** Columns that `valuesOf` reads. */
  readonly valueColumns: readonly (keyof ValueRow & string)[]
  /** Columns that `numbersOf` and `isGone` read. */
  readonly numberColumns: readonly (keyof ValueRow & string)[]
  /** Select expressions, with names, of further values about the document, which is `d` in SQL. */
  readonly beside?: ReadBeside['beside']
  /** Names of the values of `beside`, which `valuesOf` reads too. */
  readonly besideNames?: readonly (keyof ValueRow & string)[]
  /** Tells whether a document that exists must not be found; by default every document can be found. */
  readonly isGone?: (row: ValueRow) => boolean
  readonly numbersOf: (row: ValueRow) => DocumentValues['numbers']
  /** Returns keys, group and properties. A row for which it throws is counted as unreadable. */
  readonly valuesOf: (row: ValueRow & { readonly id: string }) => Pick<DocumentValues, 'group' | 'keys' | 'properties'>
  /** Returns the text. A row for which it throws is counted as unreadable. */
  readonly textOf: (row: Row) => Pick<IndexDocument, 'language' | 'text' | 'sortText'>
}

/** The columns of a left join: all null if a document has no vectors of the model. */
type Joined<Vectors> = { readonly [Name in keyof Vectors]: Vectors[Name] | null }

/**
 * Makes the source of an index. It reads a tenant's changed documents and tombstones of one kind, oldest change first.
 * @param standby streaming replica of the database, which is read where it has all needed changes; null without one
 */
export function indexSource<Row extends ChangedRow & ValueRow, Vectors extends VectorColumns, ValueRow extends object>(
  database: Database,
  kind: SearchableKind<Row, Vectors, ValueRow>,
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
    values: {
      mayLag: standby !== null,
      // Not from the standby: values are waited for, and are few and short.
      changes: (version, after) =>
        valueBatches((from, limit) => listValueChanges(database, kind, version, from, limit), after),
      documents: (version, ids, last) => readerOf(database, kind, version).read(ids, last),
      count: ({ tenantId }, max) => workFor(tenantId, () => countDocuments(database, tenantId, tables, max)),
    },
    history: {
      mark: (tenantId, reached) => workFor(tenantId, () => markHistory(database, tenantId, tables, reached)),
      contains: (tenantId, mark) => workFor(tenantId, () => containsMark(database, tenantId, tables, mark)),
      follows: (tenantId, mark) => workFor(tenantId, () => followsMark(database, tenantId, tables, mark)),
    },
  }
}

function readerOf<Row extends ChangedRow & ValueRow, Vectors extends VectorColumns, ValueRow extends object>(
  database: Database,
  kind: SearchableKind<Row, Vectors, ValueRow>,
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

async function listValueChanges<
  Row extends ChangedRow & ValueRow,
  Vectors extends VectorColumns,
  ValueRow extends object,
>(
  database: Database,
  kind: SearchableKind<Row, Vectors, ValueRow>,
  version: IndexVersion,
  after: { readonly seq: number; readonly id: string },
  limit: number,
): Promise<ValueChange[]> {
  const { embedding, longColumns, beside, besideNames = [], valueColumns, numberColumns } = kind
  const columns = [...new Set(['updated_at', ...valueColumns, ...numberColumns])]
  const listed = { columns, beside, besideNames, longColumns }
  const rows = await workFor(version.tenantId, () =>
    listValues<ValueRow & Pick<ChangedRow, 'updated_at'>>(database, version, embedding.tables, listed, {
      after,
      limit,
    }),
  )
  return rows.map((row) => valueChangeOf(kind, row))
}

function valueChangeOf<Row extends ChangedRow & ValueRow, Vectors extends VectorColumns, ValueRow extends object>(
  kind: SearchableKind<Row, Vectors, ValueRow>,
  row: ValueRow & ListedValues & Pick<ChangedRow, 'updated_at'>,
): ValueChange {
  const { id, seq, text_seq: textSeq, bytes: textBytes } = row
  if (row.removed === 1 || kind.isGone?.(row)) return { seq, remove: id }
  const rest = () => kind.valuesOf(row)
  const numbers = kind.numbersOf(row)
  return {
    seq,
    id,
    textSeq,
    textBytes,
    changedAt: row.updated_at,
    numbers,
    signature: signatureFor<ValueRow>(kind, row),
    rest,
  }
}

function changeOf<Row extends ChangedRow & ValueRow, Vectors extends VectorColumns, ValueRow extends object>(
  kind: SearchableKind<Row, Vectors, ValueRow>,
  row: Row & Joined<Vectors>,
): IndexChange {
  const { id, seq, text_seq: textSeq } = row
  if (kind.isGone?.(row)) return { seq, remove: id }
  try {
    const passages = row.vectors === null ? [] : kind.embedding.passagesOf(row, row as Row & Vectors)
    const values = { changedAt: row.updated_at, numbers: kind.numbersOf(row), ...kind.valuesOf(row) }
    return {
      seq,
      textSeq,
      signature: signatureFor<ValueRow>(kind, row),
      put: { id, ...values, ...kind.textOf(row), passages },
    }
  } catch {
    return { seq, unreadable: id }
  }
}

/** Returns the hash of the columns that `valuesOf` reads. */
function signatureFor<ValueRow extends object>(
  columns: { readonly valueColumns: readonly (keyof ValueRow)[]; readonly besideNames?: readonly (keyof ValueRow)[] },
  row: ValueRow,
): number {
  const { valueColumns, besideNames = [] } = columns
  return signatureOf([...valueColumns, ...besideNames].map((column) => row[column] as string | number | null))
}
