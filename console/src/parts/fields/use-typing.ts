import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Long enough not to ask for every letter of a fast writer, short enough to feel immediate. */
const PAUSE_MS = 180

/**
 * What is typed into a search field, and the address that follows it at the end of each word and after a pause. Back
 * and forward lead to earlier questions.
 * @param q the question in the address; empty for none
 * @param go leads to another; `isReplacing` when it takes the place of the one before in the history
 * @returns `typed`, its setter, and `askNow` for the Enter key
 */
export function useTyping(q: string, go: (q: string, isReplacing: boolean) => void) {
  const [typed, setTyped] = useState(q)
  const asked = useRef(q)
  useEffect(() => {
    // Somebody came by a link or the browser's Back.
    if (q === asked.current) return
    asked.current = q
    setTyped(q)
  }, [q])
  const ask = (text: string): void => {
    const plain = text.trim()
    if (plain === asked.current) return
    const isReplacing = asked.current !== '' && plain !== ''
    asked.current = plain
    go(plain, isReplacing)
  }
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string, isComposing = false): void => {
    setTyped(text)
    clearTimeout(timer.current)
    // Half-composed letters are no words yet.
    if (isComposing) return
    // Who types fast makes no pause, but finishes words. Asking more often would fill the search log with their parts.
    if (text.endsWith(' ')) ask(text)
    else {
      const { pathname } = router.latestLocation
      // Who has opened a hit meanwhile must not be called back while its page is loaded.
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
