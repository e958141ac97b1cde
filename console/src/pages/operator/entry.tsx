import { Link } from '@tanstack/react-router'
import { Narrow } from '../../frame/narrow.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { CredentialForm } from './credential-form.tsx'
import { useOperatorWords } from './words.ts'

/** Shows the sign-in of operators. */
export function Entry() {
  const { entry } = useOperatorWords()
  return (
    <Narrow>
      <Page title={entry.title} intro={entry.intro}>
        <CredentialForm />
        <p className="help">{entry.kept}</p>
        <p className="aside">
          <Link to="/console">{entry.console}</Link>
        </p>
      </Page>
    </Narrow>
  )
}
