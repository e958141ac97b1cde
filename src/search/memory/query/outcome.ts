import type { SearchAnswer } from '../../engine.ts'

/** The answer of one search, or the error with which the search failed. */
export type Outcome = Omit<SearchAnswer, 'timing'> | Error
