import { Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { RulesForm } from './form.tsx'
import { ProviderSection } from './provider.tsx'
import { useSingleSignOnWords } from './words.ts'
import '../settings/page.css'
import './page.css'

/** Shows how people sign in with the company account. */
export function SingleSignOnPage() {
  const words = useSingleSignOnWords()
  if (useMay('tenant:admin')) {
    return (
      <Page title={words.title} intro={words.intro}>
        <div className="sso">
          <ProviderSection />
          <RulesForm />
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
