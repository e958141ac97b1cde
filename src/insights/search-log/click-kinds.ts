/** Takes an interest back, so it counts as no click. */
export const NO_CLICK = 'unpin'
