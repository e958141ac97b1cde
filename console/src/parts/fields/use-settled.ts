import { useEffect, useState } from 'react'

/** Long enough not to ask for every letter of a fast writer, short enough to feel immediate. */
const PAUSE_MS = 180

/** Returns a value once it has not changed for a moment, for requests that follow typing. */
export function useSettled<T>(value: T, isSame: (one: T, other: T) => boolean = Object.is): T {
  const [settled, setSettled] = useState(value)
  const isSettled = isSame(settled, value)
  useEffect(() => {
    if (isSettled) return undefined
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value, isSettled])
  return settled
}
