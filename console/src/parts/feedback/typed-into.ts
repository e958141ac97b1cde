import { type RefObject, useCallback, useEffect, useRef } from 'react'

/** What people search or prove themselves with is typed again in a moment. */
const PASSING = new Set(['checkbox', 'radio', 'file', 'range', 'search', 'password'])

/**
 * Watches whether a part of a page has something typed that would be lost with it: a text other than the one that was
 * there, or something in a list of tags.
 * @returns tells whether there is such a thing now
 */
export function useTypedInto(part: RefObject<HTMLElement | null>): () => boolean {
  const before = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>())
  const hasTags = useRef(false)
  useEffect(() => {
    const within = part.current
    const note = ({ target }: Event): void => {
      if (!isText(target)) return
      if (target.closest('.tag-input') !== null) hasTags.current = true
      else if (!before.current.has(target)) before.current.set(target, target.value)
    }
    within?.addEventListener('beforeinput', note)
    return () => within?.removeEventListener('beforeinput', note)
  }, [part])
  return useCallback(
    () => hasTags.current || [...before.current].some(([field, value]) => field.isConnected && field.value !== value),
    [],
  )
}

/** Whether it is a field for texts; what is chosen from a list is not one. */
function isText(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true
  if (!(target instanceof HTMLInputElement) || PASSING.has(target.type)) return false
  return (
    target.autocomplete !== 'one-time-code' && (target.role !== 'combobox' || target.closest('.tag-input') !== null)
  )
}
