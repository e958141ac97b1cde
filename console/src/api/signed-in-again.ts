/** Address of the page that a sign-in in another tab ends on. */
export const SIGNED_IN_AGAIN = '/console/signed-in-again'

const CHANNEL = 'signed-in'

/** Names this tab: it does not need to be told what it has done itself. */
const TAB = `${Date.now()}-${Math.random()}`

/** Tells the other tabs of this browser that somebody has signed in or out. */
export function tellSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(TAB)
  channel.close()
}

/** Calls back when another tab tells that somebody has signed in or out. @returns ends that */
export function watchSignIns(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }) => {
    if (data !== TAB) onChange()
  })
  return () => channel.close()
}
