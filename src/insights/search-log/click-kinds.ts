/** Action of a click record that undoes a pin. Such a record does not count as a click. */
export const NO_CLICK = 'unpin'
