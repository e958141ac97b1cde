import { useEffect, useRef } from 'react'
import { Notice } from './notice.tsx'

/** What was just done; a new object each time, so that the same words twice are said twice. */
export interface Done {
  readonly text: string
}

/** Says what was just done and takes the focus, because what was pressed for it may be gone. */
export function Announcement({ done }: { readonly done: Done | null }) {
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
