/** Text between the levels of a category path. */
export const PATH_SEPARATOR = ' > '
