import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { interactionQuery, useInteractionStep } from '../../api/interaction.ts'
import { isSignedOut } from '../../api/queries.ts'
import { Narrow } from '../../frame/narrow.tsx'
import { useWords } from '../../i18n/language.tsx'
import { faultText, faultTone } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { ProofHost } from '../../parts/session/proof-host.tsx'
import { ConsentForm } from './form.tsx'
import { Identify } from './identify.tsx'
import { RefusalPage } from './refusal-page.tsx'
import type { Steps } from './steps.ts'
import { useConsentWords } from './words.ts'
import './page.css'

const route = getRouteApi('/oauth/interaction/$uid')

/** Shows the page that an application's request leads to. Asks for a sign-in if needed, then for the decision. */
export function ConsentPage() {
  const { uid } = route.useParams()
  return (
    <Narrow>
      <Request key={uid} uid={uid} />
      <ProofHost />
    </Narrow>
  )
}

function Request({ uid }: { readonly uid: string }) {
  const words = useWords()
  const consent = useConsentWords()
  const interaction = useQuery(interactionQuery(uid))
  const step = useInteractionStep(uid, interaction.data?.client.client_name ?? '')
  const [isLeaving, setLeaving] = useState(false)
  const steps: Steps = {
    isBusy: step.isPending,
    again: () => {
      step.reset()
      void interaction.refetch()
    },
    take: (next) =>
      step.mutate(next, {
        onSuccess: (location) => {
          setLeaving(true)
          window.location.assign(location)
        },
        // The session ended, or another account signed in that cannot decide. The details say which.
        onError: (error) => void ((isSignedOut(error) || isRefused(error)) && interaction.refetch()),
      }),
  }
  if (isOver(interaction.error) || isOver(step.error)) {
    return <Page title={consent.over} intro={consent.overHelp} />
  }
  if (isLeaving) {
    return <Page title={consent.leaving} intro={consent.leavingHelp} />
  }
  return (
    <QueryView query={interaction}>
      {(details) => (
        <>
          {step.isError && details.fault === null && !interaction.isFetching ? (
            <Notice tone={faultTone(step.error)} role="alert">
              {isRefused(step.error)
                ? consent.stale
                : isSignedOut(step.error)
                  ? consent.signedOut
                  : faultText(step.error, words)}
            </Notice>
          ) : null}
          {details.fault !== null ? (
            <RefusalPage fault={details.fault} details={details} steps={steps} />
          ) : details.user === null || details.prompt === 'login' ? (
            <Identify details={details} steps={steps} />
          ) : (
            <ConsentForm details={details} steps={steps} />
          )}
        </>
      )}
    </QueryView>
  )
}

const isRefused = (error: unknown): boolean =>
  error instanceof ApiFault && error.status === 403 && !error.is('proof_needed')
const isOver = (error: unknown): boolean => error instanceof ApiFault && error.status === 404
