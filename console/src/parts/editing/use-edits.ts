import { useState } from 'react'
import { differingFields } from './differing-fields.ts'

/**
 * Keeps a person's changes of a stored thing. An unchanged field follows the stored value and is not sent, so that a
 * form that has been open for long takes back nothing that another person set meanwhile.
 * @returns `values`: stored and typed values together; `edits`: the typed values that differ; `sent`: drops typed
 *   values that the service has now
 */
export function useEdits<T extends object>(stored: T) {
  const [typed, setTyped] = useState<Partial<T>>({})
  return {
    values: { ...stored, ...typed },
    edits: differingFields(typed, stored),
    edit: (part: Partial<T>): void => setTyped((now) => differingFields({ ...now, ...part }, stored)),
    sent: (part: Partial<T>): void => setTyped((now) => differingFields(now, part)),
  }
}
