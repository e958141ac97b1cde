import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Moment } from '../../parts/text/time.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { type LogItem, logPage, PAGE_SIZE } from '../operator/queries.ts'
import { type OperatorWords, useOperatorWords } from '../operator/words.ts'

/** Lists the actions of operators, the newest first. */
export function OperatorLogPage() {
  const { log: words } = useOperatorWords()
  return (
    <Page title={words.title} intro={words.intro}>
      <Items />
    </Page>
  )
}

function Items() {
  const { log: words } = useOperatorWords()
  const pages = useCursorPages<LogItem>({ key: ['operator', 'log'], pageSize: PAGE_SIZE, ask: logPage })
  const { query, rows, firstRow, isStale } = pages
  if (query.data === undefined) {
    if (!query.isError) return <Skeleton lines={8} />
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  }
  if (rows.length === 0 && !isStale) return <Empty icon={ScrollText} title={words.empty} help={words.emptyHelp} />
  return (
    <>
      <DataTable
        label={words.table}
        rows={rows}
        keyOf={({ id }) => id}
        firstRow={firstRow}
        isStale={isStale}
        columns={[
          { id: 'when', head: words.when, width: '9.5rem', cell: ({ at }) => <Moment iso={at} /> },
          { id: 'who', head: words.who, cell: (item) => whoOf(item, words) },
          { id: 'what', head: words.what, cell: ({ action }) => words.actions[action] ?? action },
          { id: 'thing', head: words.thing, cell: (item) => <Thing item={item} /> },
        ]}
      />
      <Pagination
        firstRow={firstRow}
        rowCount={rows.length}
        total={null}
        onPrevious={pages.onPrevious}
        onNext={pages.onNext}
      />
    </>
  )
}

function whoOf({ operator_name: name, source }: LogItem, words: OperatorWords['log']): string {
  if (name !== null) return name
  if (source === 'cli') return words.commandLine
  return source === 'service' ? words.service : words.unknown
}

function Thing({ item: { resource_type: kind, resource_id: id } }: { readonly item: LogItem }) {
  const { log: words } = useOperatorWords()
  if (kind !== 'tenant') return <>{kind === 'secret_key' ? words.kinds.secretKey : words.kinds.operator}</>
  return (
    <>
      <Link to="/console/operator/tenants/$tenantId" params={{ tenantId: id }}>
        {id}
      </Link>
      <span className="second">{words.kinds.tenant}</span>
    </>
  )
}
