import { getRouteApi } from '@tanstack/react-router'
import type { Session } from './session.ts'

const signedIn = getRouteApi('/signed-in')

/** Returns the session. Call it only in pages within the frame. */
export function useSession(): Session {
  return signedIn.useRouteContext().session
}

/** Tells whether the session has the scope. For display alone: the service checks every request. */
export function useMay(scope: string): boolean {
  return useSession().scopes.some((each) => each === scope)
}
