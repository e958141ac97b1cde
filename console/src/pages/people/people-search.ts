import type { PeopleFilter } from '../../api/people.ts'

/** Choices in the address of the list: a filter of people, or the invitations. */
interface PeopleSearch extends PeopleFilter {
  readonly part?: 'invitations'
}

const QUERY_MAX = 200
const ROLES = ['reader', 'editor', 'admin'] as const
const STATES = ['active', 'disabled'] as const

/** Reads the choices of an address. Leaves out values that make no sense, so that a broken link still shows people. */
export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
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
