/** Returns the address of the page that sets up a second factor before anything else, and leads back to `returnTo`. */
export function setUpPath(returnTo: string = window.location.pathname + window.location.search): string {
  return `/console/set-up-factor?${new URLSearchParams({ return_to: returnTo }).toString()}`
}
