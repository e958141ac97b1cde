import { PATH_SEPARATOR } from '../../../search/indexing/category-path.ts'

/** Property with the paths of a product's category and of all above it. No attribute can have this name. */
export const CATEGORY_PATH = 'path.category'

/** Most characters of a path, which takes memory for each level. Google's longest product category has 135. */
const PATH_LENGTH_MAX = 500
const LEVELS_MAX = 20

/** Signs that shops write between the levels of a category. */
const SEPARATORS = /\s*[>›»|]\s*|\s+\/\s+/u

/** Returns a category as a path, with the same sign between its levels for all shops. */
export function normalPath(category: string): string {
  return category
    .split(SEPARATORS)
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join(PATH_SEPARATOR)
}

/** Returns the paths of a category and of all above it, outermost first. Leaves out paths too long or too deep. */
export function pathsOf(category: string): string[] {
  const paths: string[] = []
  for (const level of normalPath(category.slice(0, 4 * PATH_LENGTH_MAX)).split(PATH_SEPARATOR)) {
    const path = paths.length === 0 ? level : paths[paths.length - 1] + PATH_SEPARATOR + level
    if (path === '' || path.length > PATH_LENGTH_MAX || paths.length === LEVELS_MAX) break
    paths.push(path)
  }
  return paths
}
