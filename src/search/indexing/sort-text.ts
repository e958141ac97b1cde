import { fold } from '../analysis/folding.ts'

/** Most characters by which titles are sorted. */
const LENGTH_MAX = 32

/** Returns the text by which a title is sorted: its beginning, without case, accents and leading signs. */
export function sortTextOf(title: string): string {
  return fold(title.slice(0, 2 * LENGTH_MAX))
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, LENGTH_MAX)
    .trim()
}
