import { useState } from 'react'
import type { Interaction } from '../../api/interaction.ts'
import { useWords } from '../../i18n/language.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { useSignOut } from '../../parts/session/sign-out.tsx'
import { SignInForm } from '../../parts/session/sign-in-form.tsx'
import { About } from './about.tsx'
import type { Steps } from './steps.ts'
import { type ConsentWords, useConsentWords } from './words.ts'

type Fault = NonNullable<Interaction['fault']>

/** Says why no decision is possible, and how to go on. */
export function RefusalPage(props: { readonly fault: Fault; readonly details: Interaction; readonly steps: Steps }) {
  const { fault, details, steps } = props
  const words = useWords()
  const consent = useConsentWords()
  const [isOther, setOther] = useState(false)
  const { signOut, isBusy, error, question } = useSignOut(() => setOther(true))
  const [reason, help] = reasonOf(fault, consent)
  return (
    <Page title={consent.title(details.client.client_name)}>
      <Notice tone="warning" role="alert">
        <p>
          <strong>{reason}</strong>
        </p>
        <p>{help}</p>
      </Notice>
      {isOther ? (
        <SignInForm
          returnTo={window.location.pathname}
          onSignedIn={details.prompt === 'login' ? () => steps.take({ step: 'continue' }) : steps.again}
        />
      ) : (
        <>
          <About details={details} />
          {error === null ? null : (
            <Notice tone="danger" role="alert">
              {faultText(error, words)}
            </Notice>
          )}
          <div className="stacked">
            {fault === 'registration_closed' ? null : (
              <button
                type="button"
                className="button button-main button-block"
                disabled={steps.isBusy || isBusy}
                onClick={signOut}
              >
                {consent.otherAccount}
              </button>
            )}
            <button
              type="button"
              className="button button-block"
              disabled={steps.isBusy}
              onClick={() => steps.take({ step: 'deny' })}
            >
              {consent.back}
            </button>
          </div>
          {question}
        </>
      )}
    </Page>
  )
}

function reasonOf(fault: Fault, consent: ConsentWords): readonly [string, string] {
  if (fault === 'other_tenant') return [consent.otherTenant, consent.otherTenantHelp]
  if (fault === 'registration_closed') return [consent.registrationClosed, consent.registrationClosedHelp]
  return [consent.nothingToGrant, consent.nothingToGrantHelp]
}
