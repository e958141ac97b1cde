import { useState } from 'react'
import { differing } from './differing.ts'

/**
 * What somebody changes of a stored thing. A field that they leave alone follows what is stored, and is not sent: a form
 * that has been open for long takes back nothing that somebody else set meanwhile.
 * @returns `shown` is stored and typed together, `edits` is what differs, `sent` drops what the service has now
 */
export function useEdits<T extends object>(stored: T) {
  const [typed, setTyped] = useState<Partial<T>>({})
  return {
    shown: { ...stored, ...typed },
    edits: differing(typed, stored),
    edit: (part: Partial<T>): void => setTyped((now) => differing({ ...now, ...part }, stored)),
    sent: (part: Partial<T>): void => setTyped((now) => differing(now, part)),
  }
}
