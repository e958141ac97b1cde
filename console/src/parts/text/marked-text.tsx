import type { ReactNode } from 'react'

interface Place {
  readonly start: number
  readonly end: number
}

/** Shows a text with marked places, which are in UTF-16 units, ordered and apart. */
export function MarkedText({ text, places }: { readonly text: string; readonly places: readonly Place[] }) {
  const pieces: ReactNode[] = []
  let done = 0
  for (const { start, end } of places) {
    pieces.push(text.slice(done, start), <mark key={start}>{text.slice(start, end)}</mark>)
    done = end
  }
  pieces.push(text.slice(done))
  return <>{pieces}</>
}
