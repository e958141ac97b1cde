import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { secondStepQuery } from '../../api/factors.ts'
import { sessionQuery } from '../../api/session.ts'
import { Narrow } from '../../frame/narrow.tsx'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { HOME, returnPath } from '../../parts/session/return-path.ts'
import { SignInForm } from '../../parts/session/sign-in-form.tsx'

const route = getRouteApi('/console/sign-in')

/** Signs people in and returns them to the page they came from. */
export function SignInPage() {
  const words = useWords()
  const { return_to: returnTo, fault, second_step: isWaiting } = route.useSearch()
  const router = useRouter()
  const session = useQuery(sessionQuery)
  // A person who comes back from the external provider may have a second step before them.
  const waiting = useQuery({ ...secondStepQuery, enabled: isWaiting === 1 })
  const target = returnPath(returnTo, window.location.origin)
  const isOurs = target === HOME || target.startsWith(`${HOME}/`)
  const isSignedIn = session.data !== undefined && session.data !== null
  // A person who proves an account for the provider may be signed in to it already; the proof is asked for all the same.
  const mustProve = fault === 'link_proof_needed'
  // People who are signed in do not need this page. Only a sign-in on this page may lead elsewhere: an address that
  // sends people back here would otherwise loop forever.
  useEffect(() => {
    if (isSignedIn && isOurs && !mustProve) router.history.replace(target)
  }, [isSignedIn, isOurs, mustProve, router, target])
  const leave = (): void => {
    if (!isOurs) window.location.replace(target)
    else if (mustProve) router.history.replace(target)
  }
  const asksTenant = fault === 'tenant_needed'
  const faultWords = fault === undefined ? null : providerFault(fault, words)
  return (
    <Narrow>
      <Page title={words.signIn.title}>
        {faultWords === null ? null : (
          <Notice tone={asksTenant || mustProve ? 'plain' : 'danger'} role="alert">
            {faultWords}
          </Notice>
        )}
        {isWaiting === 1 && waiting.isPending ? null : (
          <SignInForm
            returnTo={target}
            asksTenant={asksTenant}
            waiting={isWaiting === 1 ? waiting.data : null}
            onSignedIn={leave}
          />
        )}
      </Page>
    </Narrow>
  )
}

function providerFault(fault: string, { signIn }: Words): string {
  if (fault === 'tenant_needed') return signIn.tenantNeeded
  if (fault === 'link_proof_needed') return signIn.linkProofNeeded
  if (fault === 'too_many_tries') return signIn.tooManyTries
  return fault === 'provider_unknown_user' ? signIn.providerUnknownUser : signIn.providerFailed
}
