import { getRouteApi } from '@tanstack/react-router'
import type { Session } from './session.ts'

const signedIn = getRouteApi('/signed-in')

/** Who is signed in; for what is shown within the frame only. */
export function useSession(): Session {
  return signedIn.useRouteContext().session
}

/** Whether the role allows it; the service checks it anyway. */
export function useMay(scope: string): boolean {
  return useSession().scopes.some((each) => each === scope)
}
