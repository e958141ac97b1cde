import { Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { useDone } from './queries.ts'
import { StepList } from './step-list.tsx'
import { useFirstStepsWords } from './words.ts'
import './page.css'

/** Leads an administrator through the first five minutes. Every step can be left out, and done later. */
export function FirstStepsPage() {
  const words = useFirstStepsWords()
  return (
    <Page title={words.title} intro={words.intro}>
      {useMay('tenant:admin') ? <Steps /> : <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />}
    </Page>
  )
}

function Steps() {
  const { done, error, retry } = useDone()
  if (done === null) return error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={retry} />
  return <StepList done={done} />
}
