import { isUuid } from '../../router/uuid.ts'
import type { Mode } from './queries.ts'

/** Whose eyes a search can look through: a role, or a level up to which somebody sees. */
export const VIEWS = ['reader', 'editor', 'public', 'community', 'internal', 'workspace'] as const
type View = (typeof VIEWS)[number]
const RELEVANCES = ['0.2', '0.5'] as const
const MODES: readonly Mode[] = ['hybrid', 'semantic', 'keyword']

/** Name of the field that asks what is missing. */
export const WHY_FIELD = 'why'

/** What the address of the laboratory says. */
export interface Asked {
  readonly q?: string
  readonly section: 'knowledge' | 'products'
  readonly view?: View
  readonly language?: string
  readonly relevance?: (typeof RELEVANCES)[number]
  /** The judged set that hits are judged into. */
  readonly set?: string
  /** What is looked for among the hits, and in which mode. */
  readonly why?: string
  readonly mode?: Mode
}

const QUERY_MAX = 500
const LANGUAGE = /^[a-z]{2,3}$/

/** Reads an address; what makes no sense in it is left out. */
export function readAsked(search: Record<string, unknown>): Asked {
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
