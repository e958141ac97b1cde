/** Most characters of a category's name. */
export const NAME_MAX = 200
/** Most levels for new and moved categories, counting the top level. Deeper ones from earlier releases stay. */
export const DEPTH_MAX = 64

/** The names of a path such as "Manuals / Printers", outermost first. A name with a slash has no path. */
export function namesOf(path: string): string[] {
  return path.split('/').map((name) => name.trim())
}

/** What is wrong with the names of a path, in words; null for a good path. */
export function pathFault(names: readonly string[]): string | null {
  if (names.some((name) => name === '')) return 'a category has no name'
  if (names.some((name) => isLongerThan(name, NAME_MAX)))
    return `a category's name is longer than ${NAME_MAX} characters`
  return names.length > DEPTH_MAX ? `categories can be nested ${DEPTH_MAX} levels deep at most` : null
}

/** Whether a text has more characters; a surrogate pair is one. It looks no further than it has to. */
function isLongerThan(text: string, max: number): boolean {
  return text.length > max && Array.from(text.slice(0, 2 * max + 2)).length > max
}
