/**
 * Code points of a value that can be asked for. Apart from the contract, which has it too, because the thread of search
 * loads no contracts.
 */
export const FILTER_LENGTH_MAX = 1_000
