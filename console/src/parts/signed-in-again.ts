/** Address of the page that a sign-in in another tab ends on. */
export const SIGNED_IN_AGAIN = '/console/signed-in-again'

const CHANNEL = 'signed-in'

/** Tells the tabs of this browser that somebody has signed in. */
export function tellSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

/** Calls back when another tab tells of a sign-in. @returns ends that */
export function watchSignIns(onSignIn: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', onSignIn)
  return () => channel.close()
}
