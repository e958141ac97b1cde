import { Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Filters, SetFilters } from './filters.tsx'
import { Records } from './records.tsx'
import { useAuditWords } from './words.ts'
import './page.css'

/** Shows who did what, and when. */
export function AuditTrailPage() {
  const words = useAuditWords()
  if (useMay('tenant:admin')) {
    return (
      <Page title={words.title} intro={words.intro} action={<ExportMenu />}>
        <div className="stack">
          <Filters />
          <SetFilters />
          <Records />
        </div>
      </Page>
    )
  }
  return (
    <Page title={words.title}>
      <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
    </Page>
  )
}
