import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { faultText } from '../feedback/fault-text.ts'
import { fieldFaults, type OwnText } from './field-faults.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { Notice } from '../feedback/notice.tsx'
import { DRAWN_AFTER_MS, PENDING, useTyped } from './use-typed.ts'

/**
 * A form whose fields show the faults that the service found in them. What belongs to no field is said above, and takes
 * the focus. While it is being sent it cannot be sent again. Before somebody leaves the page with what they typed, it
 * asks.
 * @param props.names of the fields, as paths in the body
 * @param props.error of the last attempt; null when there is none
 * @param props.say what the form itself says of some faults
 * @param props.isGuarded false for a form that loses nothing, or around which something else asks
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
  // The same object as long as the answer is the same: React Aria takes a new one for new faults.
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
  const { isTyped, sent } = useTyped(form, props.error)
  const isSent = useRef(false)
  useEffect(() => {
    // Who types after a fault was found may send at once.
    const allow = (): void => {
      isSent.current = false
    }
    const within = form.current
    within?.addEventListener('input', allow)
    return () => within?.removeEventListener('input', allow)
  }, [])
  useEffect(() => {
    // Each answer anew, also when it says the same.
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
        // Enter sends a form of one field also while its button does nothing, and two quick clicks come before that.
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
          <Notice tone="danger" role="alert">
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
