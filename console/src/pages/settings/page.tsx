import { Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { SettingsForm } from './form.tsx'
import { useSettingsWords } from './words.ts'
import './page.css'

/** Shows the settings of the organisation. */
export function SettingsPage() {
  const words = useSettingsWords()
  const mayManage = useMay('tenant:admin')
  return (
    <Page title={words.title} intro={mayManage ? words.intro : undefined}>
      {mayManage ? <SettingsForm /> : <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />}
    </Page>
  )
}
