import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Long enough not to ask for every letter of a fast writer, short enough to feel immediate. */
const PAUSE_MS = 180

/**
 * Holds the text of a search field, and lets the address follow it at the end of each word and after a pause. Back and
 * forward lead to earlier queries.
 * @param q query in the address; empty for none
 * @param go leads to another query; `isReplacing` when it takes the place of the previous one in the history
 * @returns `typed`, its setter `type`, and `askNow` for the Enter key
 */
export function useQueryText(q: string, go: (q: string, isReplacing: boolean) => void) {
  const [typed, setTyped] = useState(q)
  const lastQuery = useRef(q)
  useEffect(() => {
    // The person came by a link or the browser's Back.
    if (q === lastQuery.current) return
    lastQuery.current = q
    setTyped(q)
  }, [q])
  const ask = (text: string): void => {
    const query = text.trim()
    if (query === lastQuery.current) return
    const isReplacing = lastQuery.current !== '' && query !== ''
    lastQuery.current = query
    go(query, isReplacing)
  }
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string, isComposing = false): void => {
    setTyped(text)
    clearTimeout(timer.current)
    // Half-composed characters are no words yet.
    if (isComposing) return
    // A fast typist makes no pause, but finishes words. Asking more often would fill the search log with parts of
    // words.
    if (text.endsWith(' ')) ask(text)
    else {
      const { pathname } = router.latestLocation
      // A person who has opened a hit meanwhile must not be called back while its page loads.
      timer.current = setTimeout(() => router.latestLocation.pathname === pathname && ask(text), PAUSE_MS)
    }
  }
  const askNow = (text: string): void => {
    clearTimeout(timer.current)
    setTyped(text)
    ask(text)
  }
  return { typed, type, askNow }
}
