import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isGateShut, openGate, watchGate } from '../api/session-gate.ts'
import { type Session, sessionQuery } from '../api/session.ts'
import { SIGNED_IN_AGAIN } from '../api/signed-in-again.ts'
import { useSession } from '../api/use-session.ts'
import { useWords } from '../i18n/language.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { SignInForm } from '../parts/session/sign-in-form.tsx'
import { useStranger } from './use-stranger.ts'

/**
 * Asks for a new sign-in when the session ended while a person worked. Typed text stays where it is, and requests that
 * the service refused are sent again afterwards.
 */
export function SignInAgain() {
  const isShut = useSyncExternalStore(watchGate, isGateShut)
  const stranger = useStranger()
  return isShut ? <SignInDialog stranger={stranger} /> : null
}

/**
 * Shows the dialog.
 * @param props.stranger session of another person who has signed in in another tab; null when there is none
 */
function SignInDialog({ stranger }: { readonly stranger: Session | null }) {
  const { signInAgain } = useWords()
  const { user, tenant } = useSession()
  const queries = useQueryClient()
  const goOn = async (): Promise<void> => {
    const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    if (session === null) return
    // Another person must not send, or see, the text that the first person typed.
    if (session.user.id === user.id && session.tenant.id === tenant.id) openGate()
    else window.location.assign('/console')
  }
  return (
    <Dialog title={signInAgain.title}>
      <p className="dialog-text">
        {stranger === null ? signInAgain.text : signInAgain.stranger(stranger.user.name, user.name)}
      </p>
      <SignInForm returnTo={SIGNED_IN_AGAIN} isInOtherTab onSignedIn={() => void goOn()} />
      <p className="aside">
        {stranger === null ? (
          <a href="/console/sign-in">{signInAgain.leave}</a>
        ) : (
          <a href="/console">{signInAgain.goOnAs(stranger.user.name)}</a>
        )}
        <span className="second">{signInAgain.leaveHelp}</span>
      </p>
    </Dialog>
  )
}
