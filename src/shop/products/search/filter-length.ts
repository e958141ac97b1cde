/**
 * Longest value of a filter, in code points. Not in the contract, because the search thread needs it and loads no
 * contracts.
 */
export const FILTER_LENGTH_MAX = 1_000
