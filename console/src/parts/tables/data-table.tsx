/* oxlint-disable jsx-a11y/prefer-tag-over-role --
   rows that are drawn one by one at their place need elements whose layout is ours */
import {
  type ColumnDef,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { Checkbox } from '../fields/checkbox.tsx'
import { useFirstRows } from './use-first-rows.ts'
import { useWindowRows } from './use-window-rows.ts'

const features = tableFeatures({ rowSelectionFeature, rowSortingFeature })

export interface DataColumn<Row> {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Width as in `grid-template-columns`, such as `2fr` or `8rem`; by default `1fr`. */
  readonly width?: string
  readonly isSortable?: boolean
  /** Whether the cells have numbers, which stand at the end of their cell. */
  readonly isNumber?: boolean
  /** Whether the head is only read out, because the cells explain themselves. */
  readonly isActions?: boolean
}

export interface DataSort {
  readonly column: string
  readonly isDescending: boolean
}

/**
 * Most rows of a table that are all drawn, which lets browsers search in them; of more rows only those near the window
 * are drawn.
 */
const DRAWN_MAX = 100
const NO_KEYS: readonly string[] = []

/**
 * Shows a table of many rows, and draws those near the window. The rows stay in the order of the service: the caller
 * sorts and turns pages (`Pagination`, `useCursorPages`). The first column names the row. On narrow screens rows become
 * cards.
 * @param props.firstRow index of the first row among all, from 0; counts for screen readers
 * @param props.total number of rows altogether; null when it is unknown
 * @param props.nameOf names a row, for the tick that selects it
 */
export function DataTable<Row extends RowData>(props: {
  readonly label: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly nameOf?: (row: Row) => string
  readonly firstRow?: number
  readonly total?: number | null
  readonly sort?: DataSort | null
  readonly onSort?: (sort: DataSort) => void
  /** Keys of the selected rows; without it rows cannot be selected. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
  /** Whether the rows belong to an earlier query; they are dimmed until the answer comes. */
  readonly isStale?: boolean
}) {
  const {
    columns,
    rows,
    keyOf,
    nameOf = keyOf,
    firstRow = 0,
    total = null,
    sort = null,
    onSort,
    selected,
    onSelect,
  } = props
  const words = useWords()
  const isSelectable = selected !== undefined && onSelect !== undefined
  const table = useTable({
    features,
    data: rows,
    columns: columns.map(({ id, isSortable = false }): ColumnDef<typeof features, Row> => ({
      id,
      enableSorting: isSortable,
    })),
    getRowId: keyOf,
    manualSorting: true,
    enableRowSelection: isSelectable,
    state: {
      sorting: sort === null ? [] : [{ id: sort.column, desc: sort.isDescending }],
      rowSelection: Object.fromEntries([...(selected ?? [])].map((key) => [key, true])),
    },
    onRowSelectionChange: (update) => {
      const before = Object.fromEntries([...(selected ?? [])].map((key) => [key, true as const]))
      const next = typeof update === 'function' ? update(before) : update
      onSelect?.(new Set(Object.keys(next).filter((key) => next[key])))
    },
    onSortingChange: (update) => {
      const before = sort === null ? [] : [{ id: sort.column, desc: sort.isDescending }]
      const [first] = typeof update === 'function' ? update(before) : update
      if (first !== undefined) onSort?.({ column: first.id, isDescending: first.desc })
    },
    enableSortingRemoval: false,
  })
  const model = table.getRowModel().rows
  const isVirtual = rows.length > DRAWN_MAX
  const body = useRef<HTMLDivElement>(null)
  const { virtual, top } = useWindowRows({
    count: isVirtual ? rows.length : 0,
    keyOf: (i) => model[i]?.id ?? String(i),
    body,
  })
  const first = useFirstRows(isVirtual ? NO_KEYS : model.map(({ id }) => id))
  const isPartial = !isVirtual && first.length < rows.length
  const frame = useRef<HTMLDivElement>(null)
  const previousFirstRow = useRef(firstRow)
  useEffect(() => {
    // A person who turned the page is at its end.
    if (previousFirstRow.current !== firstRow) {
      frame.current?.scrollIntoView({ block: 'start' })
      // The virtualizer learns it at once: until the browser reports the scroll, new rows would pull the window back to
      // where it was.
      if (isVirtual) virtual.scrollToOffset(window.scrollY)
    }
    previousFirstRow.current = firstRow
  }, [firstRow, isVirtual, virtual])
  const template = [...(isSelectable ? ['2.25rem'] : []), ...columns.map(({ width = 'minmax(0, 1fr)' }) => width)].join(
    ' ',
  )
  const drawn = isVirtual
    ? virtual
        .getVirtualItems()
        .map(({ index, start }) => ({ index, style: { transform: `translateY(${start - top}px)` } }))
    : first.map((index) => ({ index, style: undefined }))
  return (
    <div ref={frame} className={props.isStale === true ? 'data-frame stale' : 'data-frame'}>
      <div
        role="table"
        className="data-table"
        aria-label={props.label}
        aria-rowcount={(total ?? firstRow + rows.length) + 1}
        aria-busy={props.isStale}
        style={{ '--columns': template } as CSSProperties}
      >
        <div role="rowgroup" className="data-head">
          <div role="row" className="data-row" aria-rowindex={1}>
            {isSelectable ? (
              <div role="columnheader" className="data-tick">
                <Checkbox
                  aria-label={words.table.selectAll}
                  isSelected={table.getIsAllRowsSelected()}
                  isIndeterminate={table.getIsSomeRowsSelected()}
                  onChange={(isSelected) => table.toggleAllRowsSelected(isSelected)}
                />
              </div>
            ) : null}
            {columns.map((column) => (
              <HeadCell
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort === undefined ? undefined : () => table.getColumn(column.id)?.toggleSorting()}
              />
            ))}
          </div>
        </div>
        <div
          ref={body}
          role="rowgroup"
          className={isVirtual ? 'data-body data-virtual' : isPartial ? 'data-body data-partial' : 'data-body'}
          style={
            isVirtual
              ? { height: virtual.getTotalSize() }
              : isPartial
                ? ({ '--rows': rows.length } as CSSProperties)
                : undefined
          }
        >
          {drawn.map(({ index, style }) => {
            const row = model[index]
            if (row === undefined) return null
            return (
              <div
                key={row.id}
                ref={isVirtual ? virtual.measureElement : undefined}
                data-index={index}
                role="row"
                className="data-row"
                aria-rowindex={firstRow + index + 2}
                aria-selected={isSelectable ? row.getIsSelected() : undefined}
                style={style}
              >
                {isSelectable ? (
                  <div role="cell" className="data-tick">
                    <Checkbox
                      aria-label={words.table.selectRow(nameOf(row.original))}
                      isSelected={row.getIsSelected()}
                      onChange={(isSelected) => row.toggleSelected(isSelected)}
                    />
                  </div>
                ) : null}
                {columns.map((column, i) => (
                  <div key={column.id} role={i === 0 ? 'rowheader' : 'cell'} className={classOf(column, i)}>
                    <span className="cell-head" aria-hidden="true">
                      {column.head}
                    </span>
                    <div className="cell">{column.cell(row.original)}</div>
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function classOf({ isNumber, isActions }: DataColumn<never>, i: number): string {
  return [
    'data-cell',
    i === 0 ? 'data-name' : '',
    isNumber === true ? 'data-number' : '',
    isActions === true ? 'actions' : '',
  ]
    .filter((name) => name !== '')
    .join(' ')
}

function HeadCell<Row>(props: {
  readonly column: DataColumn<Row>
  readonly sort: DataSort | null
  readonly onSort?: () => void
}) {
  const { column, sort, onSort } = props
  const { table } = useWords()
  const sorted = sort?.column === column.id ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
  const Icon = sorted === 'none' ? ArrowUpDown : sorted === 'ascending' ? ArrowUp : ArrowDown
  const isSortable = column.isSortable === true && onSort !== undefined
  return (
    <div role="columnheader" className={classOf(column, -1)} aria-sort={isSortable ? sorted : undefined}>
      {isSortable ? (
        <button type="button" className="data-sort" aria-label={table.sortBy(column.head)} onClick={onSort}>
          {column.head}
          <Icon className="icon" size={14} aria-hidden />
        </button>
      ) : column.isActions === true ? (
        <span className="only-read-out">{column.head}</span>
      ) : (
        column.head
      )}
    </div>
  )
}
