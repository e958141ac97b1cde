import { fold } from '../analysis/folding.ts'

/** Longer titles are compared by their beginning. */
const LENGTH_MAX = 32

/** What a title is sorted by: its beginning, without case and accents. */
export function sortTextOf(title: string): string {
  return fold(title.slice(0, 2 * LENGTH_MAX))
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, LENGTH_MAX)
    .trim()
}
