/** Between the levels of a category that is a text. */
export const PATH_SEPARATOR = ' > '
