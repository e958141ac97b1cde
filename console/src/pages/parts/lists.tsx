import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { type DataSort, DataTable } from '../../parts/tables/data-table.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { Tree } from '../../parts/tables/tree.tsx'
import { type CursorPage, useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { usePartsWords } from './words.ts'

interface Row {
  readonly id: string
  readonly size: number
}

const TOTAL = 100_000
const PAGE = 200

/** Returns a page of invented rows, as a service would answer it. */
async function pageAt(cursor: string | null, isDescending: boolean): Promise<CursorPage<Row>> {
  const from = Number(cursor ?? 0)
  const rows = Array.from({ length: PAGE }, (_, i) => {
    const n = isDescending ? TOTAL - from - i : from + i + 1
    return { id: String(n), size: n * 7 }
  })
  return { rows, next: from + PAGE < TOTAL ? String(from + PAGE) : null, total: TOTAL }
}

/** Shows the table with pages of 200 rows, and the tree. */
export function Lists() {
  const words = usePartsWords()
  const { formats } = useLanguage()
  const [tab, setTab] = useState<'table' | 'tree'>('table')
  const [sort, setSort] = useState<DataSort>({ column: 'name', isDescending: false })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [node, setNode] = useState<string | null>('b')
  const pages = useCursorPages({
    key: ['parts', sort],
    pageSize: PAGE,
    ask: (cursor) => pageAt(cursor, sort.isDescending),
  })
  const table = (
    <>
      <DataTable
        label={words.table}
        rows={pages.rows}
        keyOf={({ id }) => id}
        nameOf={({ id }) => words.row(Number(id))}
        columns={[
          { id: 'name', head: words.name, width: '2fr', isSortable: true, cell: ({ id }) => words.row(Number(id)) },
          { id: 'size', head: words.size, isNumber: true, cell: ({ size }) => formats.bytes(size) },
        ]}
        firstRow={pages.firstRow}
        total={pages.total}
        sort={sort}
        onSort={setSort}
        selected={selected}
        onSelect={setSelected}
        isStale={pages.isStale}
      />
      <Pagination
        firstRow={pages.firstRow}
        rowCount={pages.rows.length}
        total={pages.total}
        onPrevious={pages.onPrevious}
        onNext={pages.onNext}
      />
    </>
  )
  const tree = (
    <Tree
      label={words.tree}
      nodes={[
        { id: 'a', name: words.first, children: [{ id: 'b', name: words.second, children: [] }] },
        { id: 'c', name: words.second, children: [] },
      ]}
      chosen={node}
      onChoose={setNode}
    />
  )
  return (
    <Section title={`${words.table}, ${words.tree}`}>
      <Tabs
        label={words.table}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { id: 'table', name: words.table, content: table },
          { id: 'tree', name: words.tree, content: tree },
        ]}
      />
    </Section>
  )
}
