import { useState } from 'react'
import type { Interaction } from '../../api/interaction.ts'
import { useWords } from '../../i18n/language.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { useSignOut } from '../../parts/session/sign-out.tsx'
import { SignInForm } from '../../parts/session/sign-in-form.tsx'
import type { Steps } from './steps.ts'
import { useConsentWords } from './words.ts'

const BACK = 'signed_in'

/** Finds out which person decides: they sign in here, or confirm the account that is already signed in. */
export function Identify({ details, steps }: { readonly details: Interaction; readonly steps: Steps }) {
  const words = useWords()
  const consent = useConsentWords()
  const [isOther, setOther] = useState(false)
  const { signOut, isBusy, error, question } = useSignOut(() => setOther(true))
  const { user, client } = details
  // A person who returns from the external provider has just signed in. The service checks that this happened after the
  // request.
  const isBack = new URLSearchParams(window.location.search).has(BACK)
  const goOn = (): void => steps.take({ step: 'continue' })
  return (
    <Page
      title={words.signIn.title}
      intro={details.sign_in_again ? consent.signInAgain(client.client_name) : consent.signInFirst(client.client_name)}
    >
      {error === null ? null : (
        <Notice tone="danger" role="alert">
          {faultText(error, words)}
        </Notice>
      )}
      {user === null || isOther || (details.sign_in_again && !isBack) ? (
        <SignInForm
          returnTo={`${window.location.pathname}?${BACK}=1`}
          onSignedIn={details.prompt === 'login' ? goOn : steps.again}
        />
      ) : (
        <div className="stacked">
          <button type="button" className="button button-main button-block" disabled={steps.isBusy} onClick={goOn}>
            {consent.continueAs(nameOf(user))}
          </button>
          <button type="button" className="button button-block" disabled={steps.isBusy || isBusy} onClick={signOut}>
            {consent.otherAccount}
          </button>
        </div>
      )}
      <p className="aside">
        <button
          type="button"
          className="button button-plain"
          disabled={steps.isBusy}
          onClick={() => steps.take({ step: 'deny' })}
        >
          {consent.deny}
        </button>
      </p>
      {question}
    </Page>
  )
}
