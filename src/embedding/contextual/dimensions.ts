/** Components of a vector of the contextual model. */
export const DIMENSIONS = 384
