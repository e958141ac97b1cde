import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { faultText, faultTone } from '../feedback/fault-text.ts'
import { fieldFaults, type OwnText } from './field-faults.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { Notice } from '../feedback/notice.tsx'
import { DRAWN_AFTER_MS, PENDING, useUnsentText } from './use-unsent-text.ts'

/**
 * Shows a form whose fields have the faults that the service found in them beside them. Faults that belong to no field
 * stand above the form, and take the focus. While the form is being sent it cannot be sent again. It asks before the
 * person leaves the page with typed text.
 * @param props.names names of the fields, as paths in the body
 * @param props.error error of the last attempt; null when there is none
 * @param props.say texts of this form for some faults
 * @param props.isGuarded false for a form that loses nothing, or around which another part asks
 */
export function Form(props: {
  readonly names: readonly string[]
  readonly error: unknown
  readonly say?: OwnText
  readonly isGuarded?: boolean
  readonly onSubmit: (form: HTMLFormElement) => void
  readonly children: ReactNode
}) {
  const words = useWords()
  const summary = useRef<HTMLDivElement>(null)
  const names = props.names.join('\n')
  // Memoized, so that the object stays the same as long as the answer does: React Aria takes a new object for new
  // faults.
  const { say } = props
  const { fields, others } = useMemo(
    () => fieldFaults(props.error, names.split('\n'), words, say),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what a form says changes with its words alone
    [props.error, names, words],
  )
  const hasFaults = props.error !== null && props.error !== undefined
  const isInFields = hasFaults && others.length === 0 && Object.keys(fields).length > 0
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const { isTyped, sent } = useUnsentText(form, props.error)
  const isSent = useRef(false)
  useEffect(() => {
    // A person who types after a fault was found may send at once.
    const allow = (): void => {
      isSent.current = false
    }
    const element = form.current
    element?.addEventListener('input', allow)
    return () => element?.removeEventListener('input', allow)
  }, [])
  useEffect(() => {
    // The focus moves for each new answer, also for one that says the same.
    if (props.error === null || props.error === undefined) return
    if (isInFields) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    else summary.current?.focus()
  }, [isInFields, props.error])
  return (
    <AriaForm
      ref={form}
      className="form"
      validationErrors={fields}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault()
        // Enter sends a form of one field even while its button does nothing, and two quick clicks come before the
        // button is disabled.
        if (isSent.current || event.currentTarget.querySelector(PENDING) !== null) return
        isSent.current = true
        setTimeout(() => {
          isSent.current = false
        }, DRAWN_AFTER_MS)
        sent()
        props.onSubmit(event.currentTarget)
      }}
      aria-describedby={hasFaults && !isInFields ? id : undefined}
    >
      {hasFaults && !isInFields ? (
        <div ref={summary} id={id} tabIndex={-1} className="form-summary">
          <Notice tone={faultTone(props.error)} role="alert">
            {others.length === 0 ? (
              faultText(props.error, words)
            ) : (
              <>
                <p>{words.fieldFaults.summary}</p>
                <ul>
                  {others.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </>
            )}
          </Notice>
        </div>
      ) : null}
      {props.children}
      {props.isGuarded === false ? null : <LeaveGuard isNeeded={isTyped} />}
    </AriaForm>
  )
}
