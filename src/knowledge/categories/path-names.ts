/** Most characters of a category's name. */
export const NAME_MAX = 200
/** Most levels for new and moved categories, counting the top level. Deeper ones from earlier releases stay. */
export const DEPTH_MAX = 64

/** Returns the names of a path such as "Manuals / Printers", outermost first. No path leads to a name with a slash. */
export function namesOf(path: string): string[] {
  return path.split('/').map((name) => name.trim())
}

/** Says in words why the names are no path; null for a valid path. */
export function pathFault(names: readonly string[]): string | null {
  if (names.some((name) => name === '')) return 'a category has no name'
  if (names.some((name) => isLongerThan(name, NAME_MAX)))
    return `a category's name is longer than ${NAME_MAX} characters`
  return names.length > DEPTH_MAX ? `categories can be nested ${DEPTH_MAX} levels deep at most` : null
}

/** Tells whether a text has more than `max` characters; a surrogate pair is one. It does not read a long text whole. */
function isLongerThan(text: string, max: number): boolean {
  return text.length > max && Array.from(text.slice(0, 2 * max + 2)).length > max
}
