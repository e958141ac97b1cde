import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { Person } from '../../parts/text/person.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Moment } from '../../parts/text/time.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { wordFor, strangerOf } from './names.ts'
import { type AuditRecord, PAGE_SIZE, recordsPage } from './queries.ts'
import { RecordDialog } from './record-dialog.tsx'
import { useFilters } from './use-filters.ts'
import { useAuditWords } from './words.ts'

/** Lists the records that pass the filters, the newest first, page by page. */
export function Records() {
  const { words: common, formats } = useLanguage()
  const words = useAuditWords()
  const { filters, isFiltered, clear } = useFilters()
  const [openRecord, setOpenRecord] = useState<AuditRecord | null>(null)
  const pages = useCursorPages<AuditRecord>({
    key: ['audit-records', filters],
    pageSize: PAGE_SIZE,
    ask: (cursor, signal) => recordsPage(filters, cursor, signal),
  })
  const { query, rows, firstRow, isStale } = pages
  if (query.data === undefined) {
    if (!query.isError) return <Skeleton lines={10} />
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  }
  if (rows.length === 0 && !isStale) {
    return isFiltered ? (
      <Empty
        title={common.filters.nothing}
        help={common.filters.nothingHelp}
        action={<Button onPress={clear}>{common.filters.clear}</Button>}
      />
    ) : (
      <Empty icon={ScrollText} title={words.empty} help={words.emptyHelp} />
    )
  }
  return (
    <>
      <DataTable
        label={words.table}
        rows={rows}
        keyOf={({ id }) => id}
        firstRow={firstRow}
        isStale={isStale}
        columns={[
          { id: 'when', head: words.when, width: '9.5rem', cell: (row) => <Moment iso={row.created_at} /> },
          {
            id: 'who',
            head: words.who,
            width: 'minmax(0, 1.4fr)',
            cell: (row) => <Person person={row.user} none={strangerOf(row, words)} />,
          },
          {
            id: 'what',
            head: words.what,
            cell: (row) =>
              row.outcome === 'refused' ? (
                <span className="badge badge-caution">{wordFor(words.actions, row.action)}</span>
              ) : (
                wordFor(words.actions, row.action)
              ),
          },
          { id: 'thing', head: words.thing, cell: (row) => wordFor(words.kinds, row.resource_type) },
          { id: 'where', head: words.where, width: '8rem', cell: (row) => wordFor(words.sources, row.source) },
          {
            id: 'details',
            head: words.details,
            width: '8rem',
            isActions: true,
            cell: (row) => (
              <Button
                kind="quiet"
                size="small"
                aria-label={words.detailsOf(wordFor(words.actions, row.action), formats.moment(row.created_at))}
                onPress={() => setOpenRecord(row)}
              >
                {words.details}
              </Button>
            ),
          },
        ]}
      />
      <Pagination
        firstRow={firstRow}
        rowCount={rows.length}
        total={null}
        onPrevious={pages.onPrevious}
        onNext={pages.onNext}
      />
      {openRecord === null ? null : <RecordDialog record={openRecord} onClose={() => setOpenRecord(null)} />}
    </>
  )
}
