import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const route = getRouteApi('/signed-in/console/settings/people')

const PAUSE_MS = 180

/** What is typed into the search of the list, and the address that follows it after a pause. */
export function useTyped(): readonly [typed: string, type: (text: string) => void] {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(q)
  const asked = useRef(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Somebody came by a link or the browser's Back.
    if (q === asked.current) return
    asked.current = q
    setTyped(q)
  }, [q])
  const type = (text: string): void => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const plain = text.trim()
      if (plain === asked.current) return
      const isReplacing = asked.current !== '' && plain !== ''
      asked.current = plain
      void navigate({
        search: ({ q: _before, ...others }) => (plain === '' ? others : { ...others, q: plain }),
        replace: isReplacing,
        resetScroll: false,
      })
    }, PAUSE_MS)
  }
  return [typed, type]
}
