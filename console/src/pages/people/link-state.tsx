import { Day } from '../../parts/text/time.tsx'
import { useState } from 'react'
import { usePeopleWords } from './words.ts'

/** Shows until when a link works, or that it is over. */
export function LinkState({ until }: { readonly until: string }) {
  const { invitations: text } = usePeopleWords()
  // The page need not follow the clock to the second: the service decides.
  const [now] = useState(Date.now)
  if (Date.parse(until) <= now) return <span className="badge badge-expired">{text.over}</span>
  return (
    <>
      <span className="second">{text.ends}</span>
      <Day iso={until} />
    </>
  )
}
