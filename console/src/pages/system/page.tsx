import { useQuery } from '@tanstack/react-query'
import { Lock, RefreshCw } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { Health } from './health.tsx'
import { ModelChoice } from './models.tsx'
import { statusQuery, useCheckAgain } from './queries.ts'
import { OwnQuotas } from './own-quotas.tsx'
import { Meaning, Memory, Service } from './sections.tsx'
import { useSystemWords } from './words.ts'
import './page.css'

/** Shows the state of the service for the organisation, in words. */
export function SystemPage() {
  const words = useSystemWords()
  if (useMay('tenant:admin')) return <SystemStatus />
  return (
    <Page title={words.title}>
      <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
    </Page>
  )
}

function SystemStatus() {
  const words = useSystemWords()
  const checkAgain = useCheckAgain()
  const status = useQuery(statusQuery)
  const checked = new Date(status.dataUpdatedAt).toISOString()
  return (
    <Page
      title={words.title}
      intro={words.intro}
      action={
        <Button icon={RefreshCw} onPress={checkAgain}>
          {words.again}
        </Button>
      }
    >
      <QueryView query={status} skeleton={<Skeleton lines={8} />}>
        {(data) => (
          <div className="system">
            {status.isError ? <Notice tone="warning">{words.renewFailed}</Notice> : null}
            <Health status={data} />
            <Meaning status={data} />
            <ModelChoice status={data} />
            <Memory status={data} />
            <OwnQuotas />
            <Service status={data} />
            <p className="help">
              {words.checked} <Ago iso={checked} />
            </p>
          </div>
        )}
      </QueryView>
    </Page>
  )
}
