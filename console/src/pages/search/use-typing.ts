import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const route = getRouteApi('/signed-in/console')

/** Long enough not to ask for every letter of a fast writer, short enough to feel immediate. */
const PAUSE_MS = 180

/**
 * What is typed, and the address that follows it at the end of each word and after a pause. Back and forward lead to
 * earlier questions.
 * @returns `typed`, its setter, and `askNow` for the Enter key
 */
export function useTyping() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
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
    asked.current = plain
    const isReplacing = q !== '' && plain !== ''
    void navigate({
      search: ({ q: _before, ...filters }) => (plain === '' ? filters : { ...filters, q: plain }),
      replace: isReplacing,
      resetScroll: false,
    })
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string, isComposing: boolean): void => {
    setTyped(text)
    clearTimeout(timer.current)
    // Half-composed letters are no words yet.
    if (isComposing) return
    // Who types fast makes no pause, but finishes words. Asking more often would fill the search log with their parts.
    if (text.endsWith(' ')) ask(text)
    else timer.current = setTimeout(() => ask(text), PAUSE_MS)
  }
  const askNow = (text: string): void => {
    clearTimeout(timer.current)
    setTyped(text)
    ask(text)
  }
  return { typed, type, askNow }
}
