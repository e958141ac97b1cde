import { Link } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { PAGE_SIZE, type TenantUsage } from '../operator/queries.ts'
import { StateBadge } from '../operator/state-badge.tsx'
import { useOperatorWords } from '../operator/words.ts'
import { type TenantRow, tenantsPage } from './queries.ts'
import { useFilters } from './use-filters.ts'

/** Lists the tenants that pass the filters, by id, page by page. */
export function Tenants() {
  const { words: common, formats } = useLanguage()
  const { tenants: words } = useOperatorWords()
  const { filters, isFiltered, clear } = useFilters()
  const pages = useCursorPages<TenantRow>({
    key: ['operator', 'list', filters],
    pageSize: PAGE_SIZE,
    ask: (cursor, signal) => tenantsPage(filters, cursor, signal),
  })
  const { query, rows, firstRow, isStale } = pages
  if (query.data === undefined) {
    if (!query.isError) return <Skeleton lines={8} />
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
      <Empty icon={Building2} title={words.empty} help={words.emptyHelp} />
    )
  }
  const { number, bytes } = formats
  const countedCell = (text: (usage: TenantUsage) => string) => (row: TenantRow) =>
    row.usage === null || row.usage.counted_at === null ? (
      <span className="quiet" title={words.notCounted}>
        –<span className="only-read-out">{words.notCounted}</span>
      </span>
    ) : (
      text(row.usage)
    )
  const usedCell = (text: (usage: TenantUsage) => number) => (row: TenantRow) =>
    number(row.usage === null ? 0 : text(row.usage))
  const figure = { width: 'minmax(5.5rem, 0.7fr)', isNumber: true } as const
  return (
    <>
      <DataTable
        label={words.table}
        rows={rows}
        keyOf={({ tenant }) => tenant.id}
        firstRow={firstRow}
        isStale={isStale}
        columns={[
          {
            id: 'name',
            head: words.name,
            width: 'minmax(0, 2fr)',
            cell: ({ tenant }) => (
              <>
                <Link to="/console/operator/tenants/$tenantId" params={{ tenantId: tenant.id }}>
                  {tenant.name}
                </Link>
                <span className="second">
                  {[tenant.id, tenant.reference].filter((text) => text !== null && text !== tenant.name).join(' · ')}
                </span>
              </>
            ),
          },
          { id: 'state', head: words.state, width: '9rem', cell: ({ tenant }) => <StateBadge state={tenant.state} /> },
          { id: 'people', head: words.people, ...figure, cell: countedCell(({ users }) => number(users)) },
          { id: 'entries', head: words.entries, ...figure, cell: countedCell(({ entries }) => number(entries)) },
          { id: 'products', head: words.products, ...figure, cell: countedCell(({ products }) => number(products)) },
          { id: 'size', head: words.size, ...figure, cell: countedCell((usage) => bytes(usage.bytes)) },
          { id: 'searches', head: words.searches, ...figure, cell: usedCell(({ searches }) => searches) },
          { id: 'tokens', head: words.tokens, ...figure, cell: usedCell((usage) => usage.tokens_embedded) },
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
