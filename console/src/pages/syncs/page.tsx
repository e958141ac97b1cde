import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Lock, RefreshCw } from 'lucide-react'
import { type Site, sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { SiteChoice, siteNamed } from '../../parts/fields/site-choice.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { askRuns, PAGE, type Run } from './queries.ts'
import { RunTable } from './run-table.tsx'
import { useSyncsWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/products/syncs')

/** Lists when the shop sent its products, and what each push changed. */
export function SyncsPage() {
  const words = useSyncsWords()
  const maySee = useMay('products:write')
  const sites = useQuery(sitesQuery)
  const { site: slug } = route.useSearch()
  const navigate = route.useNavigate()
  const choose = (site: string): void => void navigate({ search: { site }, resetScroll: false })
  return (
    <Page title={words.title} intro={words.intro}>
      {maySee ? (
        <QueryView query={sites}>
          {(all) => {
            const site = siteNamed(all, slug)
            return site === null ? (
              <Empty icon={RefreshCw} title={words.empty} help={words.emptyHelp} />
            ) : (
              <>
                <SiteChoice label={words.site} sites={all} chosen={site} onChoose={choose} />
                <Runs key={site.id} site={site} />
              </>
            )
          }}
        </QueryView>
      ) : (
        <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
      )}
    </Page>
  )
}

function Runs({ site }: { readonly site: Site }) {
  const words = useSyncsWords()
  const pages = useCursorPages<Run>({
    key: ['sync-runs', site.id],
    pageSize: PAGE,
    ask: (cursor, signal) => askRuns(site.id, cursor, signal),
  })
  const { query, rows, firstRow, onPrevious, onNext } = pages
  return (
    <QueryView query={query}>
      {() =>
        rows.length === 0 ? (
          <Empty icon={RefreshCw} title={words.empty} help={words.emptyHelp} />
        ) : (
          <>
            <RunTable runs={rows} />
            {onPrevious === null && onNext === null ? null : (
              <Pagination
                firstRow={firstRow}
                rowCount={rows.length}
                total={null}
                onPrevious={onPrevious}
                onNext={onNext}
              />
            )}
          </>
        )
      }
    </QueryView>
  )
}
