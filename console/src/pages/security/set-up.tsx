import { getRouteApi } from '@tanstack/react-router'
import { useSignOut } from '../../api/session.ts'
import { Narrow } from '../../frame/narrow.tsx'
import { useWords } from '../../i18n/language.tsx'
import { Page } from '../../parts/page.tsx'
import { returnPath } from '../../parts/return-path.ts'
import { FactorSections } from './factors.tsx'

const route = getRouteApi('/console/set-up-factor')

/** Where whoever needs a second factor sets one up, before anything else. Afterwards it leads to the wanted page. */
export function SetUpPage() {
  const { security } = useWords()
  const { return_to: wanted } = route.useSearch()
  const signOut = useSignOut()
  // New pages, so that nothing remembers what the session was not allowed before.
  const leave = (): void => window.location.assign(returnPath(wanted, window.location.origin))
  return (
    <Narrow>
      <Page title={security.setUpTitle} intro={security.setUpIntro}>
        <FactorSections onSetUp={leave} />
        <p className="aside">
          <button
            type="button"
            className="button button-plain"
            disabled={signOut.isPending}
            onClick={() => signOut.mutate(undefined, { onSuccess: () => window.location.assign('/console/sign-in') })}
          >
            {security.signOut}
          </button>
        </p>
      </Page>
    </Narrow>
  )
}
