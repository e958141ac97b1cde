/** Action that undoes a pin. It does not count as a click. */
export const NO_CLICK = 'unpin'
