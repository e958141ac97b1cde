import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { answerOf } from '../../api/client.ts'
import { operatorApi } from '../../api/operator.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Ago } from '../../parts/text/time.tsx'
import type { InstallationStatus } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'
import { concernsOf } from './concerns.ts'
import { Backups, Memory, Service, Workers } from './sections.tsx'
import './page.css'

const RENEWED_MS = 15_000

/** Shows the state of the installation, in words. */
export function OperatorStatusPage() {
  const { status: words } = useOperatorWords()
  const status = useQuery({
    queryKey: ['operator', 'status'],
    queryFn: ({ signal }) => answerOf(operatorApi.GET('/api/operator/status', { signal })),
    refetchInterval: RENEWED_MS,
  })
  return (
    <Page
      title={words.title}
      intro={words.intro}
      action={
        <Button icon={RefreshCw} onPress={() => void status.refetch()}>
          {words.again}
        </Button>
      }
    >
      <QueryView query={status}>
        {(data) => (
          <div className="installation">
            {status.isError ? <Notice tone="warning">{words.renewFailed}</Notice> : null}
            <Health status={data} />
            <Service status={data} />
            <Memory status={data} />
            <Workers status={data} />
            <Backups status={data} />
            <p className="help">
              {words.checked} <Ago iso={new Date(status.dataUpdatedAt).toISOString()} />
            </p>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

function Health({ status }: { readonly status: InstallationStatus }) {
  const { formats } = useLanguage()
  const words = useOperatorWords()
  const { searchLag } = useWords()
  const concerns = concernsOf(status, words, searchLag, formats)
  if (concerns.length === 0) {
    return (
      <Notice tone="success" role="status">
        <strong>{words.status.well}</strong>
      </Notice>
    )
  }
  return (
    <Notice tone="warning" role="status">
      <p>
        <strong>{words.status.look}</strong>
      </p>
      <ul>
        {concerns.map((concern) => (
          <li key={concern}>{concern}</li>
        ))}
      </ul>
    </Notice>
  )
}
