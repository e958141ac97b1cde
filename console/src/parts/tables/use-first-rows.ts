import { startTransition, useEffect, useState } from 'react'

/** Rows drawn at once: more than a window shows, except a very tall one. */
const FIRST = 20
const NONE: ReadonlySet<string> = new Set()

/**
 * Draws the first rows of a new page at once and the others right after, in steps between which the browser scrolls and
 * takes keys: a transition of React. A row that was drawn stays, so that the focus is not lost when the page is
 * renewed.
 * @param keys keys of all rows
 * @returns the indexes of the rows to draw
 */
export function useFirstRows(keys: readonly string[]): readonly number[] {
  const [before, setBefore] = useState(NONE)
  const drawn = keys.flatMap((key, i) => (i < FIRST || before.has(key) ? [i] : []))
  const isWhole = drawn.length === keys.length
  useEffect(() => {
    if (!isWhole) startTransition(() => setBefore(new Set(keys)))
  }, [isWhole, keys])
  return drawn
}
