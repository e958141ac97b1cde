/** Address of the page on which a sign-in in another tab ends. */
export const SIGNED_IN_AGAIN = '/console/signed-in-again'

const CHANNEL = 'signed-in'

/** Id of this tab, by which it ignores its own messages. */
const TAB = `${Date.now()}-${Math.random()}`

/** Tells the other tabs of this browser that a person has signed in or out. */
export function tellSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(TAB)
  channel.close()
}

/** Calls back when another tab tells that a person has signed in or out. @returns function that ends the calls */
export function watchSignIns(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }) => {
    if (data !== TAB) onChange()
  })
  return () => channel.close()
}
