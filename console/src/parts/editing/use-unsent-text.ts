import { type RefObject, useEffect, useRef } from 'react'

/** Selector of elements that show that a form is being sent. */
export const PENDING = '.button-waiting, button[type=submit]:disabled'

/** Time after which the page has drawn the answer of a form's own check, or that the form waits for the service. */
export const DRAWN_AFTER_MS = 50

/**
 * Watches whether a form has typed text that the service does not have yet.
 * @param error error of the last attempt to send the form
 * @returns `isTyped` tells whether there is such text now; `sent` notes that it is on its way
 */
export function useUnsentText(form: RefObject<HTMLFormElement | null>, error: unknown) {
  const isTyped = useRef(false)
  useEffect(() => {
    const element = form.current
    const note = ({ target }: Event): void => {
      if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && isLine(target)))
        isTyped.current = true
    }
    element?.addEventListener('input', note)
    return () => element?.removeEventListener('input', note)
  }, [form])
  useEffect(() => {
    if (error !== null && error !== undefined) isTyped.current = true
  }, [error])
  return {
    isTyped: (): boolean => isTyped.current,
    sent: (): void => {
      isTyped.current = false
      // A form that finds a fault itself sends nothing.
      setTimeout(() => {
        if (form.current?.querySelector('[aria-invalid=true]') != null) isTyped.current = true
      }, DRAWN_AFTER_MS)
    },
  }
}

/** Tells whether people write into a field; the state of a box or a slider is set again at once. */
const isLine = ({ type }: HTMLInputElement): boolean => !['checkbox', 'radio', 'file', 'range'].includes(type)
