import { isUuid } from '../../router/uuid.ts'

/** Views that a search can be tried with: a role, or the highest level of visibility. */
export const VIEWS = ['reader', 'editor', 'public', 'community', 'internal', 'workspace'] as const
type View = (typeof VIEWS)[number]
const RELEVANCES = ['0.2', '0.5'] as const

/** Modes of a search, in the order in which they are shown. */
export const MODES = ['hybrid', 'semantic', 'keyword'] as const
export type Mode = (typeof MODES)[number]

/** Name of the field that asks why an entry or product is missing. */
export const WHY_FIELD = 'why'

/** Choices in the address of the laboratory. */
export interface LabSearch {
  readonly q?: string
  readonly section: 'knowledge' | 'products'
  readonly view?: View
  readonly language?: string
  readonly relevance?: (typeof RELEVANCES)[number]
  /** Id of the judged set that hits are judged into. */
  readonly set?: string
  /** Id of the entry or product that is searched for among the hits; `mode` is the mode of that search. */
  readonly why?: string
  readonly mode?: Mode
}

const QUERY_MAX = 500
const LANGUAGE = /^[a-z]{2,3}$/

/** Reads the choices of an address, and leaves out values that make no sense. */
export function readLabSearch(search: Record<string, unknown>): LabSearch {
  // The router reads `q=2026` as a number.
  const textOf = (name: string): string =>
    ['string', 'number'].includes(typeof search[name]) ? String(search[name]) : ''
  const oneOf = <T extends string>(name: string, values: readonly T[]): { [key: string]: T } => {
    const value = values.find((each) => each === textOf(name))
    return value === undefined ? {} : { [name]: value }
  }
  const idOf = (name: string): { [key: string]: string } => (isUuid(search[name]) ? { [name]: search[name] } : {})
  return {
    section: textOf('section') === 'products' ? 'products' : 'knowledge',
    ...(textOf('q').trim() === '' ? {} : { q: textOf('q').slice(0, QUERY_MAX) }),
    ...oneOf('view', VIEWS),
    ...oneOf('relevance', RELEVANCES),
    ...oneOf('mode', MODES),
    ...(LANGUAGE.test(textOf('language')) ? { language: textOf('language') } : {}),
    ...idOf('set'),
    ...idOf('why'),
  }
}
