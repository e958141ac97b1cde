import type { PeopleFilter } from '../../api/people.ts'

/** What the address of the list says: which people, or the invitations. */
interface Wanted extends PeopleFilter {
  readonly part?: 'invitations'
}

const QUERY_MAX = 200
const ROLES = ['reader', 'editor', 'admin'] as const
const STATES = ['active', 'disabled'] as const

/** Reads an address; what makes no sense in it is left out, so that a broken link still shows people. */
export function readWanted(search: Record<string, unknown>): Wanted {
  // The router reads `q=2026` as a number.
  const q = ['string', 'number'].includes(typeof search.q) ? String(search.q).slice(0, QUERY_MAX) : ''
  const role = ROLES.find((each) => each === search.role)
  const state = STATES.find((each) => each === search.state)
  return {
    ...(search.part === 'invitations' ? { part: 'invitations' as const } : {}),
    ...(q.trim() === '' ? {} : { q }),
    ...(role === undefined ? {} : { role }),
    ...(state === undefined ? {} : { state }),
  }
}
