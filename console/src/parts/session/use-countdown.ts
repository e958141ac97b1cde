import { useEffect, useState } from 'react'

const STEP_MS = 500

/** Counts seconds down. `start` begins again; `secondsLeft` is null before the first start and 0 at the end. */
export function useCountdown(): { readonly secondsLeft: number | null; readonly start: (seconds: number) => void } {
  const [until, setUntil] = useState<number | null>(null)
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null)
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000))
      setSecondsLeft(left)
      if (left === 0) clearInterval(timer)
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [until])
  const start = (seconds: number): void => {
    setUntil(Date.now() + seconds * 1_000)
    setSecondsLeft(seconds)
  }
  return { secondsLeft, start }
}
