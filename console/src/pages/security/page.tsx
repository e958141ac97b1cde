import { useWords } from '../../i18n/language.tsx'
import { Page } from '../../parts/page.tsx'
import { FactorSections } from './factors.tsx'

/** Own profile → security: a person's second factors. */
export function SecurityPage() {
  const { security } = useWords()
  return (
    <Page title={security.title} intro={security.intro}>
      <FactorSections />
    </Page>
  )
}
