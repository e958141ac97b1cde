const NAME = 'search-visitor'

/** An id for this visit, so that clicks belong to a visitor. It is gone with the tab. */
export function visitorId() {
  const known = sessionStorage.getItem(NAME)
  if (known !== null) return known
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  sessionStorage.setItem(NAME, id)
  return id
}
