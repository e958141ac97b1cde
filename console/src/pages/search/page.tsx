import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { useQueryText } from '../../parts/fields/use-query-text.ts'
import { SearchField } from './field.tsx'
import { Hits } from './hits.tsx'
import { searchQuery } from './queries.ts'
import { useRecentSearches } from './recent.ts'
import { Start } from './start.tsx'
import { useSearchWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console')

/** The filters, fetched with the first search, because there is nothing to filter before. */
const Filters = lazy(() => lazyFile(() => import('./filters.tsx')))

/** Shows the first page: a field that searches during the typing. */
export function SearchPage() {
  const words = useSearchWords()
  const mayRead = useMay('knowledge:read')
  return (
    <Page title={words.title}>
      {mayRead ? <Search /> : <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />}
    </Page>
  )
}

function Search() {
  const words = useSearchWords()
  const entrySearch = route.useSearch()
  const navigate = route.useNavigate()
  const { recent, remember, forget } = useRecentSearches()
  const { q = '' } = entrySearch
  const typing = useQueryText(q, (next, replace) => {
    void navigate({
      search: ({ q: _before, ...filters }) => (next === '' ? filters : { ...filters, q: next }),
      replace,
      resetScroll: false,
    })
  })
  const query = useQuery({ ...searchQuery({ ...entrySearch, q }), enabled: q !== '' })
  const isStale = query.isPlaceholderData || typing.typed.trim() !== q
  return (
    <div className="search">
      <SearchField {...typing} />
      {q === '' ? (
        <Start recent={recent} onAsk={typing.askNow} onForget={forget} />
      ) : (
        <>
          <Suspense fallback={<div className="search-filters" />}>
            <Filters hits={query.data?.hits ?? []} />
          </Suspense>
          {query.data !== undefined ? (
            <Hits
              answer={query.data}
              isStale={isStale}
              onAsk={typing.askNow}
              onOpen={() => remember(query.data.query)}
            />
          ) : query.isError ? (
            <Failure title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Skeleton lines={9} />
          )}
        </>
      )}
    </div>
  )
}
