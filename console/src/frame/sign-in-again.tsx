import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { isGateShut, openGate, watchGate } from '../api/session-gate.ts'
import { sessionQuery } from '../api/session.ts'
import { useSession } from '../api/use-session.ts'
import { useWords } from '../i18n/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SignInForm } from '../pages/sign-in/form.tsx'
import { SIGNED_IN_AGAIN, watchSignIns } from '../parts/signed-in-again.ts'

/**
 * Asks for a new sign-in when the session ended while somebody worked. What they typed stays where it is, and what the
 * service refused is sent again afterwards.
 */
export function SignInAgain() {
  const isShut = useSyncExternalStore(watchGate, isGateShut)
  return isShut ? <SignInDialog /> : null
}

function SignInDialog() {
  const { signInAgain } = useWords()
  const { user, tenant } = useSession()
  const queries = useQueryClient()
  const goOn = async (): Promise<void> => {
    const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    if (session === null) return
    // Somebody else must not send, or see, what the first person typed.
    if (session.user.id === user.id && session.tenant.id === tenant.id) openGate()
    else window.location.assign('/console')
  }
  useEffect(() => watchSignIns(() => void goOn()))
  return (
    <Dialog title={signInAgain.title}>
      <p className="dialog-text">{signInAgain.text}</p>
      <SignInForm returnTo={SIGNED_IN_AGAIN} isInOtherTab onSignedIn={() => void goOn()} />
      <p className="aside">
        <a href="/console/sign-in">{signInAgain.leave}</a>
        <span className="second">{signInAgain.leaveHelp}</span>
      </p>
    </Dialog>
  )
}
