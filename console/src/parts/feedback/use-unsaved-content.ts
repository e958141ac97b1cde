import { type RefObject, useCallback, useEffect, useRef } from 'react'

/** Types of fields whose content is set again in a moment: boxes, searches and passwords. */
const QUICKLY_RESET = new Set(['checkbox', 'radio', 'file', 'range', 'search', 'password'])

/**
 * Watches whether a part of a page has typed content that would be lost with it: a text other than the first one of its
 * field, or a tag in a list of tags.
 * @returns function that tells whether there is such content now
 */
export function useUnsavedContent(part: RefObject<HTMLElement | null>): () => boolean {
  const firstTexts = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>())
  const hasTags = useRef(false)
  useEffect(() => {
    const element = part.current
    const note = ({ target }: Event): void => {
      if (!isText(target)) return
      if (target.closest('.tag-input') !== null) hasTags.current = true
      else if (!firstTexts.current.has(target)) firstTexts.current.set(target, target.value)
    }
    element?.addEventListener('beforeinput', note)
    return () => element?.removeEventListener('beforeinput', note)
  }, [part])
  return useCallback(
    () =>
      hasTags.current || [...firstTexts.current].some(([field, value]) => field.isConnected && field.value !== value),
    [],
  )
}

/** Tells whether an element is a field for texts; one to choose from a list is not. */
function isText(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true
  if (!(target instanceof HTMLInputElement) || QUICKLY_RESET.has(target.type)) return false
  return (
    target.autocomplete !== 'one-time-code' && (target.role !== 'combobox' || target.closest('.tag-input') !== null)
  )
}
