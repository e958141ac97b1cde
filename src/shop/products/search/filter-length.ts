/**
 * Most code points of a filter's value. It is not in the contract, because the search thread needs it and loads no
 * contracts.
 */
export const FILTER_LENGTH_MAX = 1_000
