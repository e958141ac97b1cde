import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FlaskConical, Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Comparison } from './comparison.tsx'
import { AskForm } from './form.tsx'
import { comparisonQuery } from './queries.ts'
import { Why } from './why.tsx'
import { useLaboratoryWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/laboratory')

/**
 * Shows one search in three modes next to each other, what decided the order, and why an entry or product is missing.
 */
export function LaboratoryPage() {
  const words = useLaboratoryWords()
  if (!useMay('tenant:admin')) {
    return (
      <Page title={words.title}>
        <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
      </Page>
    )
  }
  return (
    <Page
      title={words.title}
      intro={words.intro}
      action={
        <Link to="/console/judged-sets" className="button">
          {words.judgedSets}
        </Link>
      }
    >
      <Laboratory />
    </Page>
  )
}

function Laboratory() {
  const words = useLaboratoryWords()
  const labSearch = route.useSearch()
  const { q = '' } = labSearch
  const query = useQuery({ ...comparisonQuery({ ...labSearch, q }), enabled: q !== '' })
  return (
    <div className="laboratory">
      <AskForm isBusy={query.isFetching} />
      {q === '' ? (
        <Empty icon={FlaskConical} title={words.start} help={words.startHelp} />
      ) : query.data !== undefined ? (
        <Comparison compared={query.data} isStale={query.isPlaceholderData} />
      ) : query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={12} />
      )}
      {q === '' ? null : <Why labSearch={{ ...labSearch, q }} />}
    </div>
  )
}
