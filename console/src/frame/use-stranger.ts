import { useEffect, useState } from 'react'
import { holdRequests, isGateShut, openGate, signedInAgain } from '../api/session-gate.ts'
import { readSession, type Session } from '../api/session.ts'
import { watchSignIns } from '../api/signed-in-again.ts'
import { useSession } from '../api/use-session.ts'

/**
 * Looks whose session the browser has, whenever the person comes back to this tab or another tab tells of a sign-in or
 * a sign-out. Requests wait during the look, and on as long as the session is not that of the person whose page this
 * is.
 * @returns the session of another person who has signed in; null without one
 */
export function useStranger(): Session | null {
  const own = personOf(useSession())
  const [stranger, setStranger] = useState<Session | null>(null)
  useEffect(() => watchPerson(own, setStranger), [own])
  useEffect(
    () => () => {
      // A person who signs in on another page must not find this question there.
      if (isGateShut()) openGate()
    },
    [],
  )
  return stranger
}

/** Calls back at each look with the session of another person, or null. @returns function that ends the looks */
function watchPerson(own: string, onSeen: (stranger: Session | null) => void): () => void {
  let underway: Promise<void> | null = null
  const look = async (): Promise<void> => {
    // When the service does not answer, the next request shows that in its own place.
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

/** Returns a text that is the same for sessions of the same person. */
const personOf = ({ user, tenant }: Session): string => `${tenant.id} ${user.id}`
