import { PATH_SEPARATOR } from '../../../search/indexing/category-path.ts'

/** The property that holds a product's category with each of those above it. No attribute can have this name. */
export const CATEGORY_PATH = 'path.category'

/** A path takes memory for each of its levels. The longest of Google's product categories has 135 characters. */
const PATH_LENGTH_MAX = 500
const LEVELS_MAX = 20

/** What shops write between the levels of a category. */
const SEPARATORS = /\s*[>›»|]\s*|\s+\/\s+/u

/** A category as a path: its levels between the same signs, whatever the shop wrote. */
export function normalPath(category: string): string {
  return category
    .split(SEPARATORS)
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join(PATH_SEPARATOR)
}

/** The path of a category and of each above it, outermost first. Those too long or too deep are left out. */
export function pathsOf(category: string): string[] {
  const paths: string[] = []
  for (const level of normalPath(category.slice(0, 4 * PATH_LENGTH_MAX)).split(PATH_SEPARATOR)) {
    const path = paths.length === 0 ? level : paths[paths.length - 1] + PATH_SEPARATOR + level
    if (path === '' || path.length > PATH_LENGTH_MAX || paths.length === LEVELS_MAX) break
    paths.push(path)
  }
  return paths
}
