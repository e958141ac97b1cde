import { getRouteApi } from '@tanstack/react-router'
import type { Session } from './session.ts'

const signedIn = getRouteApi('/signed-in')

/** Who is signed in. Only for pages within the frame. */
export function useSession(): Session {
  return signedIn.useRouteContext().session
}

/** Whether the role has the scope. For display only: the service checks every request. */
export function useMay(scope: string): boolean {
  return useSession().scopes.some((each) => each === scope)
}
