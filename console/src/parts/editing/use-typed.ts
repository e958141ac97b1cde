import { type RefObject, useEffect, useRef } from 'react'

/** Finds what shows that a form is being sent. */
export const PENDING = '.button-waiting, button[type=submit]:disabled'

/** Until then the answer of a form's own check, or that it waits for the service, is drawn. */
export const DRAWN_AFTER_MS = 50

/**
 * Watches whether somebody has typed something into a form that the service does not have yet.
 * @param error of the last attempt to send it
 * @returns `isTyped` tells whether there is such a thing now, `sent` notes that it is on its way
 */
export function useTyped(form: RefObject<HTMLFormElement | null>, error: unknown) {
  const isTyped = useRef(false)
  useEffect(() => {
    const within = form.current
    const note = ({ target }: Event): void => {
      if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && isLine(target)))
        isTyped.current = true
    }
    within?.addEventListener('input', note)
    return () => within?.removeEventListener('input', note)
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

/** Whether people write into it; a box is ticked again at once. */
const isLine = ({ type }: HTMLInputElement): boolean => !['checkbox', 'radio', 'file', 'range'].includes(type)
