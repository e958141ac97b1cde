import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { PathLink } from '../../parts/layout/path-link.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Filters } from './filters.tsx'
import { Overview } from './overview.tsx'
import { analyticsQuery } from './queries.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'
import './page.css'

/** Shows what people search for, find and open, and the next steps. */
export function InsightsPage() {
  const words = useInsightsWords()
  const maySee = useMay('analytics:read')
  return (
    <Page title={words.title} intro={words.intro}>
      {maySee ? <Insights /> : <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />}
    </Page>
  )
}

function Insights() {
  const { choices } = useChoices()
  const analytics = useQuery(analyticsQuery(choices))
  return (
    <div className={analytics.isPlaceholderData ? 'insights stale' : 'insights'} aria-busy={analytics.isFetching}>
      <Filters />
      <QueryView query={analytics} skeleton={<Skeleton lines={12} />}>
        {(figures) => (figures.total.searches === 0 ? <Nothing /> : <Overview analytics={figures} />)}
      </QueryView>
    </div>
  )
}

function Nothing() {
  const common = useWords()
  const words = useInsightsWords()
  const { choices, choose } = useChoices()
  const isFiltered = choices.site !== undefined || choices.section !== undefined
  return isFiltered ? (
    <Empty
      icon={ChartNoAxesColumn}
      title={words.emptyFiltered}
      action={<Button onPress={() => choose({ site: undefined, section: undefined })}>{common.filters.clear}</Button>}
    />
  ) : (
    <Empty
      icon={ChartNoAxesColumn}
      title={words.empty}
      help={words.emptyHelp}
      action={
        <PathLink to="/console" className="button">
          {words.searchNow}
        </PathLink>
      }
    />
  )
}
