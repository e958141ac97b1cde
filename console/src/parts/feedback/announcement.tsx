import { useEffect, useRef } from 'react'
import { Notice } from './notice.tsx'

/** Text about a completed action. Each one is a new object, so that the same text can be announced twice. */
export interface Completion {
  readonly text: string
}

/** Announces a completed action and takes the focus, because the pressed button may be gone. */
export function Announcement({ done }: { readonly done: Completion | null }) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (done !== null) region.current?.focus()
  }, [done])
  return (
    <div ref={region} className="announcement" role="status" tabIndex={-1}>
      {done === null ? null : <Notice tone="success">{done.text}</Notice>}
    </div>
  )
}
