import { useEffect, useState } from 'react'
import { holdRequests, isGateShut, openGate, signedInAgain } from '../api/session-gate.ts'
import { readSession, type Session } from '../api/session.ts'
import { watchSignIns } from '../api/signed-in-again.ts'
import { useSession } from '../api/use-session.ts'

/**
 * Looks whose session the browser has, whenever somebody comes back to this tab or another tab tells of a sign-in or a
 * sign-out. Requests wait meanwhile, and as long as it is not the session of the person whose page this is.
 * @returns who else has signed in; null as long as nobody else has
 */
export function useStranger(): Session | null {
  const own = personOf(useSession())
  const [stranger, setStranger] = useState<Session | null>(null)
  useEffect(() => watchPerson(own, setStranger), [own])
  useEffect(
    () => () => {
      // Whoever signs in on another page must not find this question there.
      if (isGateShut()) openGate()
    },
    [],
  )
  return stranger
}

/** Calls back with who else has the session, or null, at each look. @returns ends that */
function watchPerson(own: string, onSeen: (stranger: Session | null) => void): () => void {
  let underway: Promise<void> | null = null
  const look = async (): Promise<void> => {
    // Where the service is away, the next request says so where it is made.
    const now = await readSession().catch(() => undefined)
    underway = null
    if (now === undefined) return
    const isOwn = now !== null && personOf(now) === own
    onSeen(isOwn ? null : now)
    if (isOwn) openGate()
    else void signedInAgain()
  }
  const lookOnce = (): void => {
    underway ??= look()
    holdRequests(underway)
  }
  const comeBack = (): void => {
    if (document.visibilityState === 'visible') lookOnce()
  }
  document.addEventListener('visibilitychange', comeBack)
  window.addEventListener('focus', comeBack)
  const end = watchSignIns(lookOnce)
  return () => {
    document.removeEventListener('visibilitychange', comeBack)
    window.removeEventListener('focus', comeBack)
    end()
  }
}

/** Tells people apart. */
const personOf = ({ user, tenant }: Session): string => `${tenant.id} ${user.id}`
