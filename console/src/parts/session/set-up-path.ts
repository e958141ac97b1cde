/** Where a second factor is set up before anything else, and from where the present page is reached again. */
export function setUpPath(returnTo: string = window.location.pathname + window.location.search): string {
  return `/console/set-up-factor?${new URLSearchParams({ return_to: returnTo }).toString()}`
}
