import { getRouteApi } from '@tanstack/react-router'
import { Narrow } from '../../frame/narrow.tsx'
import { useWords } from '../../i18n/language.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { returnPath } from '../../parts/session/return-path.ts'
import { useSignOut } from '../../parts/session/sign-out.tsx'
import { FactorSections } from './factors.tsx'

const route = getRouteApi('/console/set-up-factor')

/**
 * Shows the page on which a person who needs a second factor sets one up, before anything else. Afterwards it leads to
 * the page of `return_to`.
 */
export function SetUpPage() {
  const words = useWords()
  const { security } = words
  const { return_to: returnTo } = route.useSearch()
  const { signOut, isBusy, error, question } = useSignOut(() => window.location.assign('/console/sign-in'))
  // Full page loads, because pages in memory would still show what the session was not allowed before.
  const leave = (): void => window.location.assign(returnPath(returnTo, window.location.origin))
  return (
    <Narrow>
      <Page title={security.setUpTitle} intro={security.setUpIntro}>
        <FactorSections onSetUp={leave} />
        {error === null ? null : (
          <Notice tone="danger" role="alert">
            {faultText(error, words)}
          </Notice>
        )}
        <p className="aside">
          <button type="button" className="button button-plain" disabled={isBusy} onClick={signOut}>
            {security.signOut}
          </button>
        </p>
        {question}
      </Page>
    </Narrow>
  )
}
