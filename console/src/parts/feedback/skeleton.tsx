import { type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'

/** Time before the lines appear: a shorter load is not worth a change on the screen. */
const SHOWN_AFTER_MS = 300

/** Shows grey lines in place of content that is being loaded; nothing in the first 300 ms. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  const { loading } = useWords()
  return (
    <AfterAWhile>
      <div role="status">
        <span className="only-read-out">{loading}</span>
        <div className="skeleton" aria-hidden>
          {Array.from({ length: lines }, (_, i) => (
            <span key={i} className="skeleton-line" />
          ))}
        </div>
      </div>
    </AfterAWhile>
  )
}

function AfterAWhile({ children }: { readonly children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isShown ? children : null
}
