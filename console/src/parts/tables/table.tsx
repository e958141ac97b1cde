/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   the table's style sheet makes browsers forget the roles its elements have */
import { type ReactNode, useId } from 'react'

interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Whether the head is only read out, because the cells explain themselves. */
  readonly isActions?: boolean
}

/**
 * Shows a table that becomes a list of cards on narrow screens. Roles are explicit, because browsers drop a table's
 * roles when a style sheet changes its layout. The first column names the row.
 */
export function Table<Row>(props: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}) {
  const { label, columns, rows, keyOf } = props
  const id = useId()
  const classOf = ({ isActions }: Column<Row>) => (isActions === true ? 'actions' : undefined)
  return (
    <div className="table-frame">
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column, i) => (
              <th key={column.head} role="columnheader" scope="col" id={`${id}-${i}`} className={classOf(column)}>
                {column.isActions === true ? <span className="only-read-out">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, i) => {
                const cell = (
                  <>
                    <span className="cell-head" aria-hidden="true">
                      {column.head}
                    </span>
                    <div className="cell">{column.cell(row)}</div>
                  </>
                )
                return i === 0 ? (
                  <th key={column.head} role="rowheader" scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column.head} role="cell" className={classOf(column)}>
                    {cell}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
