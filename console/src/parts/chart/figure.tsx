import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { saveCsv } from '../tables/csv-file.ts'
import { DataTable } from '../tables/data-table.tsx'
import './chart.css'

export interface FigureColumn<Row> {
  readonly head: string
  /** Value in the file; numbers without separators. */
  readonly value: (row: Row) => string | number | null
  /** Content of the cell in the table, if it is not the value. */
  readonly cell?: (row: Row) => ReactNode
}

/**
 * Shows a chart with its finding in one sentence, its figures as a table in its place, and as a file. The table is the
 * way for people who cannot see or point at a chart.
 * @param props.file name of the file, without its ending
 * @param props.isTable whether the table is shown; keep it in the address, so that links and Back work
 */
export function Figure<Row extends object>(props: {
  readonly title: string
  readonly finding: string
  readonly file: string
  readonly columns: readonly FigureColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly isTable: boolean
  readonly onTable: (isTable: boolean) => void
  readonly children: ReactNode
}) {
  const { title, finding, file, columns, rows, isTable } = props
  const { figure } = useWords()
  const id = useId()
  const save = (): void =>
    saveCsv(
      `${file}.csv`,
      columns.map(({ head }) => head),
      rows.map((row) => columns.map(({ value }) => value(row))),
    )
  return (
    <figure className="figure" aria-labelledby={id}>
      <div className="figure-head">
        <h2 id={id}>{title}</h2>
        <div className="row">
          <Button
            kind="quiet"
            size="small"
            icon={isTable ? ChartNoAxesColumn : Table2}
            onPress={() => props.onTable(!isTable)}
          >
            {isTable ? figure.asChart : figure.asTable}
          </Button>
          <Button kind="quiet" size="small" icon={Download} onPress={save}>
            {figure.save}
          </Button>
        </div>
      </div>
      <figcaption>{finding}</figcaption>
      {isTable ? (
        <div className="figure-table">
          <DataTable
            label={title}
            rows={rows}
            keyOf={props.keyOf}
            columns={columns.map(({ head, value, cell }, at) => ({
              id: head,
              head,
              cell: cell ?? value,
              isNumber: at > 0,
            }))}
          />
        </div>
      ) : (
        props.children
      )}
    </figure>
  )
}
